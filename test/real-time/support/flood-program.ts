/**
 * A program of its own that asks a gateway for more than it should give to anybody: `flood-program.ts <kind> <port> <number
 * of connections>`. Tells `running` once all connections have begun, and on any message what came of it; then it ends.
 */
import http from 'node:http';
import net from 'node:net';
import { WebSocket } from 'ws';

const [kind = '', portText = '', countText = ''] = process.argv.slice(2);
const port = Number(portText);
const count = Number(countText);

const answers: Record<string, number> = {};
let bytes = 0;
let isOver = false;
const begun = new Set<number>();

const note = (what: string | number) => {
  answers[what] = (answers[what] ?? 0) + 1;
};

function begin(index: number): void {
  if (begun.size === count) return;
  begun.add(index);
  if (begun.size === count) process.send?.('running');
}

/** One request after the other on one connection. */
function asking(path: string, body: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const ask = (index: number): void => {
    if (isOver) return;
    const request = http.request(
      { port, host: '127.0.0.1', method: 'POST', path, agent, headers },
      (answer) => {
        note(answer.statusCode ?? 0);
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () => ask(index));
        answer.on('error', () => note('error'));
      },
    );
    request.on('error', () => {
      note('error');
      setTimeout(ask, 50, index);
    });
    request.end(body);
    begin(index);
  };
  return ask;
}

const unknownKeys = (size: number): string => {
  const keys: string[] = [];
  for (let length = 0; length < size; length += 12) keys.push(`"k${String(keys.length).padStart(6, '0')}":1`);
  return `{${keys.join(',')}}`;
};

/** Sends messages until it is closed, then connects again. */
function talking(message: string) {
  const talk = (index: number): void => {
    if (isOver) return;
    const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    ws.on('open', () => {
      begin(index);
      for (let sent = 0; sent < 200; sent += 1) ws.send(message);
    });
    ws.on('message', (data) => note(JSON.parse(data.toString()).code ?? 'other'));
    ws.on('close', (code) => {
      note(code);
      setTimeout(talk, 20, index);
    });
    ws.on('error', () => note('error'));
  };
  return talk;
}

/** Asks without an end and never reads. */
function deaf(index: number): void {
  const socket = net.connect(port, '127.0.0.1', () => {
    const ask = `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    socket.write(ask.repeat(4), () => begin(index));
  });
  socket.pause();
  socket.on('error', () => note('error'));
  // A socket that is not read tells nothing of its end.
  socket.on('close', () => note('closed'));
}

function silent(index: number): void {
  const socket = net.connect(port, '127.0.0.1', () => begin(index));
  socket.on('error', () => note('error'));
  socket.on('close', () => {
    note('closed');
    if (!isOver) setTimeout(silent, 200, index);
  });
}

const KINDS: Readonly<Record<string, (index: number) => void>> = {
  giantKeys: asking('/auth/nonce', unknownKeys(852_000)),
  keys: asking('/auth/nonce', unknownKeys(15_000)),
  manyKeys: asking('/markets/baskets/positions', unknownKeys(60_000)),
  messages: talking(`{"op":"subscribe","channels":["a"],"resumeFrom":${unknownKeys(59_000)}}`),
  pings: talking('{"op":"ping"}'),
  passwords: asking(
    '/auth/login',
    JSON.stringify({ method: 'email', email: 'ada@example.test', password: 'not the right one' }),
  ),
  deaf,
  silent,
};

process.on('message', () => {
  isOver = true;
  process.send?.({ answers, bytes });
  setTimeout(() => process.exit(0), 100);
});
process.on('disconnect', () => process.exit(0));
for (let index = 0; index < count; index += 1) KINDS[kind]?.(index);
