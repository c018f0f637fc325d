/** The venue's HTTP side on loopback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Desk, Reply } from '../desk.ts';

export interface Listening {
  readonly port: number;
  readonly server: Server;
  /** True: connections are taken and dropped at once, as by a host that is down. */
  offline(isOffline: boolean): void;
  close(): Promise<void>;
}

/** @param port 0: any free one */
export async function listen(desk: Desk, port: number): Promise<Listening> {
  const sockets = new Set<Socket>();
  let isOffline = false;
  const server = createServer((request, response) => void serve(desk, request, response));
  // A connection that idles is the client's to close: a test of a warm one must not race with this server.
  server.keepAliveTimeout = 120_000;
  server.on('connection', (socket: Socket) => {
    if (isOffline) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    offline: (off) => {
      isOffline = off;
      if (off) drop();
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        drop();
      }),
  };
}

async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('date', new Date(desk.world.now()).toUTCString());
  const body = await text(request).catch(() => null);
  if (body === null) return;
  const path = request.url === '/info' ? 'info' : request.url === '/exchange' ? 'exchange' : null;
  const headers = request.rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\n`)).join('');
  const whole = `${request.method} ${request.url}\n${headers}\n${body}`;
  if (path === null || request.method !== 'POST') {
    desk.tap.note({ at: desk.world.now(), kind: 'elsewhere', weight: 0, text: whole });
    response.writeHead(404).end();
    return;
  }
  send(response, await desk.answer(path, body, whole));
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply.kind === 'never') return;
  if (reply.kind === 'cut') {
    response.socket?.destroy();
  } else if (reply.kind === 'broken') {
    // Half of it under the length of the half: a whole HTTP answer whose JSON ends too early.
    const half = reply.body.slice(0, Math.floor(reply.body.length / 2));
    response.writeHead(200, { 'content-type': 'application/json' }).end(half);
  } else {
    response.writeHead(reply.code, { 'content-type': reply.type }).end(reply.body);
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
