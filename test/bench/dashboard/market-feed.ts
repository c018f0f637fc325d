/**
 * A gateway with a market of many instruments that move all the time, and as many open positions as wanted. It is a proxy
 * between the browser and a real gateway, which answers everything else: the page has that gateway's own address, to which
 * its sign-in is bound. The rows beyond the real ones are those of a real one under other names.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenLocally } from '../../support/local-port.ts';
import { seededRandom } from '../basket-requests.ts';

export interface MarketFeed {
  readonly port: number;
  /** Rows sent so far. */
  readonly sent: number;
  stop(): Promise<void>;
}

export interface Crowd {
  readonly instruments: number;
  /** Rows a second, told ten times a second. */
  readonly prices: number;
  /** Rows a second of the list of markets, told once a second. */
  readonly markets: number;
  /** Open positions that the account is shown; left out: those that it has. */
  readonly positions?: number;
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

/** @param gateway port of the real one */
export async function startMarketFeed(gateway: number, crowd: Crowd): Promise<MarketFeed> {
  const { instruments } = crowd;
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
    return Array.from({ length: instruments }, (_, index) => rows[index] ?? named(sample, index));
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
    const url = new URL(incoming.url ?? '/', 'http://feed');
    const isRead = incoming.method === 'GET';
    const list = lists[url.pathname];
    if (isRead && url.pathname === '/portfolio' && crowd.positions !== undefined)
      return portfolio(incoming, outgoing, url, crowd.positions);
    if (list === undefined || !isRead) return pass(incoming, outgoing, url);
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(list(url.searchParams)));
  });
  // A browser sends CONNECT to a proxy before a WebSocket. This server answers itself.
  server.on('connect', (_, socket: Duplex) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.emit('connection', socket);
  });

  /** To the gateway. A candle is one of the instrument that all the others are made from. */
  function onward(incoming: IncomingMessage, url: URL, headers: IncomingMessage['headers']) {
    const path = `${url.pathname}${url.search}`.replace(/COIN\d+-PERP/g, original?.id ?? '');
    return request({ host: '127.0.0.1', port: gateway, method: incoming.method, path, headers });
  }

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): void {
    const asked = onward(incoming, url, incoming.headers);
    asked.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  }

  /** The account's figures; of its open positions, each as often as it takes, with a result that moves. */
  function portfolio(incoming: IncomingMessage, outgoing: ServerResponse, url: URL, count: number): void {
    const { 'accept-encoding': _, ...headers } = incoming.headers;
    const asked = onward(incoming, url, headers);
    asked.on('response', async (answer) => {
      let text = '';
      for await (const part of answer.setEncoding('utf8')) text += part;
      const told = JSON.parse(text) as { readonly holdings?: { readonly positions: readonly Row[] } };
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      const { holdings } = told;
      if (holdings === undefined) return void outgoing.end(text);
      const held = holdings.positions;
      const positions = Array.from({ length: count }, (_, place) => {
        const row = held[place % held.length] ?? named({ id: '', symbol: '' }, place);
        // The real positions keep their ids, so that requests for them (fills, candles) are answered.
        const id = place < held.length ? row.id : `${row.id.slice(0, -4)}${(0x1000 + place).toString(16)}`;
        return { ...row, id, unrealizedPnl: ((random() - 0.5) * 100).toFixed(4) };
      });
      outgoing.end(JSON.stringify({ ...told, holdings: { ...holdings, positions } }));
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
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
    setInterval(mover('prices', Math.round((crowd.prices * PRICES_MS) / 1_000)), PRICES_MS),
    setInterval(mover('baskets', Math.round((crowd.markets * MARKETS_MS) / 1_000)), MARKETS_MS),
  ];

  return {
    port: await listenLocally(server),
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
