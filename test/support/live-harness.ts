/**
 * A venue's host on loopback: HTTP and WebSocket on one port, plain or TLS, which answers as it is told and fails as it
 * is told. It knows nothing of any venue; emulators stand on it.
 */
import { type IncomingMessage, createServer as plainServer, type ServerResponse } from 'node:http';
import { createServer as tlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenLocally } from './local-port.ts';
import { type SelfSigned, selfSigned } from './self-signed.ts';

/**
 * Outcome of one request.
 * - `cut-unread`: the connection ends after the headers, before the body is read and before anything happens.
 * - `cut-read`: the request is handled, then the connection ends without an answer.
 * - `half`: handled; half of the answer's body comes, then the end.
 * - `stall`: handled; no answer, no end.
 * - `html-502`: not handled; a page of something in between.
 * - `reset`: handled; the connection is reset.
 * - `garbage`: handled; bytes that are no HTTP.
 */
export type Fault = 'cut-unread' | 'cut-read' | 'half' | 'stall' | 'html-502' | 'reset' | 'garbage';

export interface HeardRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HarnessAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body: unknown;
}

export interface LiveHarnessOptions {
  readonly tls?: boolean;
  readonly answer?: (request: HeardRequest) => HarnessAnswer | Promise<HarnessAnswer>;
  readonly onSocketMessage?: (text: string, socket: WebSocket, request: HeardRequest) => void;
}

export interface LiveHarness {
  readonly origin: string;
  readonly wsUrl: string;
  /** For the client's `ca`; undefined without TLS. */
  readonly ca: string | undefined;
  /** Requests that were handled, in order; those of WebSockets are not among them. */
  readonly requests: readonly HeardRequest[];
  /** TCP connections and finished TLS handshakes since the beginning. */
  readonly connections: number;
  readonly handshakes: number;
  /** The fates of the next requests whose `METHOD /path` fits, in turn; afterwards all are answered. */
  fail(fits: RegExp, ...faults: Fault[]): void;
  /** Ends connections as they are accepted, before a byte is read (with TLS: before the handshake). */
  refuseConnections(refuse: boolean): void;
  closeIdle(): void;
  /** WebSockets that stand, and all texts that came by them. */
  readonly sockets: ReadonlySet<WebSocket>;
  readonly heard: readonly string[];
  broadcast(text: string): void;
  /** Breaks every WebSocket without a closing handshake. */
  cutSockets(): void;
  /** While true, WebSockets are refused with HTTP 503. */
  refuseSockets(refuse: boolean): void;
  stop(): Promise<void>;
}

let certificate: SelfSigned | null = null;

export async function createLiveHarness(options: LiveHarnessOptions = {}): Promise<LiveHarness> {
  const faults: { readonly fits: RegExp; readonly fault: Fault }[] = [];
  const requests: HeardRequest[] = [];
  const sockets = new Set<WebSocket>();
  const heard: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  let handshakes = 0;
  let refusing = false;
  let refusingSockets = false;

  if (options.tls) certificate ??= selfSigned();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => request.socket.destroy());
  };
  const server = options.tls && certificate ? tlsServer({ ...certificate }, handle) : plainServer(handle);
  // The client alone decides how long a connection waits, unless a test closes it.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    if (refusing) socket.destroy();
  });
  server.on('secureConnection', () => {
    handshakes += 1;
  });
  server.on('tlsClientError', () => {});

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const index = faults.findIndex(({ fits }) => fits.test(`${method} ${url}`));
    const fault = index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
    const { socket } = request;
    if (fault === 'cut-unread') return void socket.destroy();
    const heardRequest = { method, path: url, headers: request.headers, body: await bodyOf(request) };
    if (fault === 'html-502') {
      response.writeHead(502, { 'content-type': 'text/html' });
      return void response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
    }
    requests.push(heardRequest);
    const answer = (await options.answer?.(heardRequest)) ?? { body: {} };
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    if (fault === 'stall') return;
    if (fault === 'cut-read') return void socket.destroy();
    if (fault === 'reset') return void (options.tls ? socket.destroy() : socket.resetAndDestroy());
    if (fault === 'garbage') return void socket.end('this is not HTTP\r\n\r\n');
    const headers = { 'content-type': 'application/json', ...answer.headers };
    response.writeHead(answer.status ?? 200, { ...headers, 'content-length': Buffer.byteLength(body) });
    if (fault !== 'half') return void response.end(body);
    response.write(body.slice(0, Math.max(1, Math.floor(body.length / 2))), () => socket.destroy());
  }

  const hub = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (refusingSockets)
      return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    const from = { method: 'GET', path: request.url ?? '', headers: request.headers, body: '' };
    hub.handleUpgrade(request, socket, head, (client) => {
      sockets.add(client);
      client.on('error', () => {});
      client.on('close', () => sockets.delete(client));
      client.on('message', (data) => {
        heard.push(String(data));
        options.onSocketMessage?.(String(data), client, from);
      });
    });
  });

  const port = await listenLocally(server);
  const letter = options.tls ? 's' : '';
  return {
    origin: `http${letter}://127.0.0.1:${port}`,
    wsUrl: `ws${letter}://127.0.0.1:${port}/ws`,
    ca: options.tls ? certificate?.cert : undefined,
    requests,
    sockets,
    heard,
    get connections() {
      return connections;
    },
    get handshakes() {
      return handshakes;
    },
    fail(fits, ...next) {
      faults.push(...next.map((fault) => ({ fits, fault })));
    },
    refuseConnections(refuse) {
      refusing = refuse;
    },
    closeIdle: () => server.closeIdleConnections(),
    broadcast(text) {
      for (const socket of sockets) socket.send(text);
    },
    cutSockets() {
      for (const socket of sockets) socket.terminate();
    },
    refuseSockets(refuse) {
      refusingSockets = refuse;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.terminate();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
