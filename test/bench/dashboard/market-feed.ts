/**
 * A gateway with a market of many instruments that move all the time. Everything but that market is answered by a real
 * gateway behind it; the rows are those of a real instrument under other names.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { seededRandom } from '../basket-requests.ts';

export interface MarketFeed {
  readonly port: number;
  /** Rows sent so far. */
  readonly sent: number;
  stop(): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly symbol: string;
  readonly [field: string]: unknown;
}

const CONNECTOR = 'paper';
const PRICES_MS = 100;
const MARKETS_MS = 1_000;
const FIELDS = ['mark', 'index', 'mid', 'bid', 'ask', 'last', 'price', 'markPrice'];

/**
 * @param gateway port of the real one
 * @param rate rows a second: one half prices, ten times a second, the other half markets, once a second
 */
export async function startMarketFeed(
  gateway: number,
  instruments: number,
  rate: number,
): Promise<MarketFeed> {
  const random = seededRandom(3);
  const read = async <T>(path: string) =>
    (await (await fetch(`http://127.0.0.1:${gateway}${path}`)).json()) as T;
  const named = (row: Row, index: number): Row => ({
    ...row,
    id: `COIN${index}-PERP`,
    symbol: `COIN${index}`,
  });
  const many = (rows: readonly Row[]): Row[] => {
    const [sample] = rows;
    if (sample === undefined) throw new Error('the gateway has no market');
    return Array.from({ length: instruments }, (_, index) => named(sample, index));
  };
  const listed = await read<{ instruments: Row[] }>(`/instruments?connector=${CONNECTOR}`);
  const [original] = listed.instruments;
  const known = many(listed.instruments);
  const markets = await read<{ markets: Row[] }>(`/markets?connector=${CONNECTOR}&limit=1`);
  const rows = {
    prices: many((await read<{ prices: Row[] }>(`/prices?connector=${CONNECTOR}`)).prices),
    baskets: many(markets.markets),
  };
  const lists: Readonly<Record<string, (query: URLSearchParams) => object>> = {
    '/instruments': () => ({ ...listed, instruments: known }),
    '/prices': () => ({ prices: rows.prices }),
    '/markets': (query) => {
      const from = Number(query.get('offset') ?? 0);
      return { ...markets, markets: rows.baskets.slice(from, from + Number(query.get('limit') ?? 100)) };
    },
  };

  const server = createServer((incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://feed');
    const list = lists[pathname];
    if (list === undefined || incoming.method !== 'GET') return pass(incoming, outgoing);
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(list(searchParams)));
  });

  /** To the gateway, under its own name. A candle is one of the instrument that all the others are made from. */
  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const own = String(port());
    const renamed = (text: string) => text.replaceAll(own, String(gateway));
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        name === 'host' || name === 'origin' || name === 'referer' ? renamed(String(value)) : value,
      ]),
    );
    const path = (incoming.url ?? '/').replace(/COIN\d+-PERP/g, original?.id ?? '');
    const onward = request({ host: '127.0.0.1', port: gateway, method: incoming.method, path, headers });
    onward.on('response', (answer) => {
      const policy = answer.headers['content-security-policy'];
      outgoing.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        ...(policy === undefined
          ? {}
          : { 'content-security-policy': String(policy).replaceAll(String(gateway), own) }),
      });
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }

  const sockets = new WebSocketServer({ server, path: '/ws' });
  const followers = new Map<string, Set<WebSocket>>();
  const frame = (channel: string, event: string, data: readonly Row[]) =>
    JSON.stringify({ channel, event, timestamp: new Date().toISOString(), data });
  sockets.on('connection', (socket) => {
    socket.on('message', (raw) => {
      const { op, id, channels = [] } = JSON.parse(String(raw));
      if (op === 'ping') return socket.send(JSON.stringify({ op: 'pong', id }));
      const seq: Record<string, number> = {};
      for (const name of channels) if (name.startsWith('user:')) seq[name] = 0;
      socket.send(JSON.stringify({ op: 'ack', id, subscriptions: channels, authenticated: true, seq }));
      if (op !== 'subscribe') return;
      for (const name of channels) {
        followers.set(name, (followers.get(name) ?? new Set()).add(socket));
        if (name === `prices:${CONNECTOR}`) socket.send(frame(name, 'snapshot', rows.prices));
        if (name === `baskets:${CONNECTOR}`) socket.send(frame(name, 'snapshot', rows.baskets));
      }
    });
    socket.on('close', () => {
      for (const following of followers.values()) following.delete(socket);
    });
  });

  let sent = 0;
  /** Every row in its turn, so that each moves as often as the others. */
  function mover(kind: keyof typeof rows, count: number): () => void {
    const all = rows[kind];
    let next = 0;
    return () => {
      const moved = Array.from({ length: Math.min(count, all.length) }, () => {
        const index = next % all.length;
        next += 1;
        const row = { ...(all[index] ?? named({ id: '', symbol: '' }, index)) } as Record<string, unknown> &
          Row;
        const factor = 1 + (random() - 0.5) * 0.002;
        for (const field of FIELDS) {
          const value = row[field];
          if (typeof value === 'string') Reflect.set(row, field, (Number(value) * factor).toFixed(2));
        }
        all[index] = row;
        return row;
      });
      const channel = `${kind}:${CONNECTOR}`;
      const listening = followers.get(channel);
      if (listening === undefined || listening.size === 0) return;
      const text = frame(channel, 'update', moved);
      for (const socket of listening) socket.send(text);
      sent += moved.length;
    };
  }
  const timers = [
    setInterval(mover('prices', Math.round((rate * PRICES_MS) / 2_000)), PRICES_MS),
    setInterval(mover('baskets', Math.round((rate * MARKETS_MS) / 2_000)), MARKETS_MS),
  ];

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  function port(): number {
    return (server.address() as AddressInfo).port;
  }
  return {
    port: port(),
    get sent() {
      return sent;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
