/** The HTTP side of an emulated venue, on loopback. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Reply } from './reply.ts';

export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** All of the request as it came, for the tap. */
  readonly text: string;
}

export interface Answering {
  /** The venue's clock, epoch ms: the `date` of every answer. */
  now(): number;
  serve(asked: Asked): Promise<Reply>;
}

export interface Listening {
  readonly port: number;
  readonly server: Server;
  /** True: connections are taken and dropped at once, as by a host that is down. */
  offline(isOffline: boolean): void;
  close(): Promise<void>;
}

/** @param port 0: any free one */
export async function listen(venue: Answering, port: number): Promise<Listening> {
  const sockets = new Set<Socket>();
  let isOffline = false;
  const server = createServer((request, response) => void serve(venue, request, response));
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
    // A thousand connections at once are taken one by one: what the queue has no room for would be reset.
    server.listen({ port, host: '127.0.0.1', backlog: 4_096 }, done);
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

async function serve(venue: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('date', new Date(venue.now()).toUTCString());
  const body = await text(request).catch(() => null);
  if (body === null) return;
  const { method = '', url = '', headers } = request;
  const lines = request.rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\n`)).join('');
  const asked = { method, url, headers, body, text: `${method} ${url}\n${lines}\n${body}` };
  send(response, await venue.serve(asked));
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
