/**
 * Market data of a venue at a steady rate: the WebSocket that Hyperliquid's adapter subscribes to, with made-up prices.
 * Every message has a new price. Says `{ port }` over the pipe when it listens; told a number, it sends so many prices
 * a second, and answers how many it has sent before.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type WebSocket, WebSocketServer } from 'ws';

/** The feed of a venue comes in pieces of the network's size: what is due is sent together this often, in one write. */
const EVERY_MS = 1;
/** Messages of a coin, each with another price than the one before; made once, so that the feed itself needs little CPU. */
const VARIANTS = 64;
const CONTEXTS_EVERY_MS = 1_000;
/** Longer than that behind, the feed goes on from now instead of making up for it. */
const MOST_BEHIND_MS = 250;

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const coins: string[] = [];
let wire: Socket | null = null;
let frames: readonly Buffer[] = [];
let contextsOf: WebSocket | null = null;
let perSecond = 0;
let sent = 0;
let dueFrom = performance.now();
let contextsAt = 0;
let step = 0;

sockets.on('connection', (socket, request) => {
  coins.length = 0;
  frames = [];
  wire = request.socket;
  contextsOf = null;
  socket.on('message', (data) => {
    const { method, subscription } = JSON.parse(String(data));
    if (method === 'ping') socket.send('{"channel":"pong"}');
    else if (subscription?.type === 'bbo') coins.push(subscription.coin);
    else if (subscription?.type === 'allDexsAssetCtxs') contextsOf = socket;
  });
});

/** Five significant figures, as the venue has them. */
const priceOf = (nth: number): string => (100 + (nth % 9_000) / 100).toFixed(2).replace(/\.?0+$/, '');

function best(coin: string, nth: number): string {
  const bid = priceOf(nth);
  const ask = priceOf(nth + 1);
  const time = Date.now();
  return `{"channel":"bbo","data":{"coin":"${coin}","time":${time},"bbo":[{"px":"${bid}","sz":"12.34","n":3},{"px":"${ask}","sz":"1.2","n":1}]}}`;
}

/** A text of 126 to 65,535 bytes as a server's WebSocket frame (RFC 6455 §5.2). */
function frame(message: string): Buffer {
  const body = Buffer.from(message);
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function everyFrame(): Buffer[] {
  return Array.from({ length: VARIANTS }, (_, variant) =>
    coins.map((coin, at) => frame(best(coin, variant * 7 + (at % 97)))),
  ).flat();
}

function contexts(): string {
  const one = (_: string, at: number) => {
    const price = priceOf(step + at);
    return {
      ...{ funding: '0.0000125', openInterest: '1234.56', prevDayPx: '98.7', dayNtlVlm: `${step}.25` },
      ...{ premium: '0.0001', oraclePx: price, markPx: price, midPx: price, impactPxs: [price, price] },
      dayBaseVlm: '4321.5',
    };
  };
  return JSON.stringify({ channel: 'allDexsAssetCtxs', data: { ctxs: [['', coins.map(one)]] } });
}

function tick(): void {
  const now = performance.now();
  if (perSecond === 0 || coins.length === 0 || wire === null) {
    dueFrom = now;
    return;
  }
  // The subscriptions of all coins have arrived by the time of the first rate.
  if (frames.length !== coins.length * VARIANTS) frames = everyFrame();
  if (now - dueFrom > MOST_BEHIND_MS) dueFrom = now - MOST_BEHIND_MS;
  const due = Math.floor(((now - dueFrom) * perSecond) / 1_000);
  dueFrom += (due * 1_000) / perSecond;
  wire.cork();
  for (let nth = 0; nth < due; nth += 1) {
    wire.write(frames[step % frames.length] ?? '');
    step += 1;
  }
  wire.uncork();
  sent += due;
  if (contextsOf !== null && now - contextsAt >= CONTEXTS_EVERY_MS) {
    contextsAt = now;
    contextsOf.send(contexts());
    sent += coins.length;
  }
}

setInterval(tick, EVERY_MS);
process.on('message', (rate: number) => {
  process.send?.(sent);
  sent = 0;
  perSecond = rate;
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
