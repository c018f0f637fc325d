/** The listening sockets: loopback only, both families on one port, with limits against slow and oversized clients. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { takeAsOwn } from '../call/peer-standing.ts';
import { originForm, pathOf } from '../call/request-target.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { RequestListener } from './app.ts';
import { createConnectionPlaces, type PlacesOptions } from './connection-places.ts';
import { gateConnections, type PeerCheck } from './peer-gate.ts';
import { rawAnswer } from './raw-answer.ts';

/** Time limits for receiving a whole request; a request past its limit gets 408 at the next check. */
export interface ReceiveLimits {
  readonly headersMs: number;
  readonly requestMs: number;
  /**
   * Interval of Node's check for late requests. Node's default of 30 s would let late requests live three times as
   * long.
   */
  readonly checkEveryMs: number;
}

const RECEIVE_LIMITS: ReceiveLimits = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 2_000 };
/** Longer than the pauses of a polling bot, so that the bot can reuse its connection. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Header that clears a browser's cookies: a server on another port can set so many that no request fits the header
 * limit.
 */
const FORGET_COOKIES = 'clear-site-data: "cookies"';
const CLOSE_POLL_MS = 25;
const FREE_PORT_ATTEMPTS = 20;

export type UpgradeListener = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface LoopbackAddress {
  readonly port: number;
  /** `127.0.0.1`, and `::1` where the machine has it. */
  readonly addresses: readonly string[];
}

export interface GatewayServer {
  /** Claims the port; port 0: any free one. Requests wait until `serve`. @throws ListenError */
  listenLoopback(options: { readonly port: number }): Promise<LoopbackAddress>;
  /** In a container: claims the port on the container's own network, whose loopback nobody outside reaches. @throws ListenError */
  listenContainer(options: { readonly port: number }): Promise<LoopbackAddress>;
  /**
   * Also listens on a Unix socket that only the gateway's user can reach (system/local-socket.ts). Rejects with the
   * system's error.
   */
  listenLocal(path: string): Promise<void>;
  /** `answer` is offered each request before `serve` and returns whether it answered; the others wait. */
  meanwhile(answer: (req: IncomingMessage, res: ServerResponse) => boolean): void;
  /** Resolves once all connections that are waiting at the gate now are admitted or refused. */
  admitted(): Promise<unknown>;
  /** Hands over the waiting requests and all that follow. Without `upgrade`, upgrades are refused. */
  serve(app: RequestListener, upgrade?: UpgradeListener): void;
  /** Stops accepting, lets running requests finish for up to `graceMs`, then cuts other connections. */
  close(graceMs?: number): Promise<void>;
}

/** Starting to listen failed; the message is meant for the person who started the program. */
export class ListenError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function howToSeeOwner(port: number): string {
  if (process.platform === 'darwin') return `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  if (process.platform === 'win32') return `netstat -ano | findstr :${port}`;
  return `ss -ltnp 'sport = :${port}'`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function listenError(error: unknown, host: string, port: number): ListenError {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return new ListenError(
      code,
      `Port ${port} on ${host} is already in use. See which program holds it with: ${howToSeeOwner(port)}`,
    );
  if (code === 'EACCES') return new ListenError(code, `No permission to listen on port ${port} of ${host}`);
  return new ListenError(code, `Cannot listen on ${host} port ${port}: ${String(error)}`);
}

/** True: the error only says that the machine has no IPv6 loopback, which is no fault. */
function isFamilyMissing(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error));
}

/** @returns the port; 0 for a Unix socket */
function listen(
  server: http.Server,
  at: { readonly host: string; readonly port: number } | { readonly path: string },
  logger: Logger,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(error);
    server.once('error', onError);
    server.listen({ ...at, exclusive: true }, () => {
      server.off('error', onError);
      server.on('error', (error: Error) => logger.error({ err: error }, 'Listening socket failed'));
      const address: AddressInfo | string | null = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

function stopListening(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Answers bytes that Node's parser refuses, and that never become a request, in the framework shape. */
function onClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    socket.end(rawAnswer(431, 'Request headers are too large', [FORGET_COOKIES]));
    return;
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.end(rawAnswer(408, 'Request took too long'));
  else socket.end(rawAnswer(400, 'Malformed HTTP request'));
}

/**
 * The port is claimed before the gateway is ready, because two gateways must not open one data folder; `serve` is
 * called once the gateway is ready. In between, a request waits instead of failing.
 */
export function createServer(deps: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly receive?: ReceiveLimits;
  /** null: connections of every local user are accepted. */
  readonly peers?: PeerCheck | null;
  readonly places?: PlacesOptions;
}): GatewayServer {
  const { clock, logger, receive = RECEIVE_LIMITS, peers = null } = deps;
  const places = createConnectionPlaces(deps.places);
  const sockets = new Set<Socket>();
  const waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  let app: RequestListener | undefined;
  let early: (req: IncomingMessage, res: ServerResponse) => boolean = () => false;
  let upgradeTo: UpgradeListener | undefined;
  let closing = false;

  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    if (closing) res.shouldKeepAlive = false;
    if (app !== undefined) app(req, res);
    else if (!early(req, res)) waiting.push([req, res]);
  }

  function onUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node does not listen on the socket after an upgrade; an 'error' without a listener would end the process.
    socket.on('error', () => socket.destroy());
    places.upgraded(socket);
    if (upgradeTo === undefined || closing) {
      socket.end(rawAnswer(404, `Cannot GET ${pathOf(originForm(req.url ?? '/'))}`));
    } else {
      upgradeTo(req, socket, head);
    }
  }

  function make(check: PeerCheck | null): http.Server {
    const server = http.createServer(
      {
        headersTimeout: receive.headersMs,
        requestTimeout: receive.requestMs,
        connectionsCheckingInterval: receive.checkEveryMs,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The guard answers a missing Host itself, in the shape of every other refusal.
        requireHostHeader: false,
        noDelay: true,
      },
      onRequest,
    );
    server.maxConnections = places.places.all;
    if (check !== null) gateConnections(server, check, atTheGate);
    server.on('connection', (socket: Socket) => {
      places.enter(socket);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.on('clientError', onClientError);
    server.on('upgrade', onUpgrade);
    return server;
  }

  const atTheGate = new Set<Promise<void>>();
  const v4 = make(peers);
  const v6 = make(peers);
  const local = make(null);
  local.on('connection', takeAsOwn);
  /** No browser connects through the Unix socket, so cookies there are ignored. */
  for (const event of ['request', 'upgrade'])
    local.prependListener(event, (req: IncomingMessage) => {
      delete req.headers.cookie;
    });

  /** Listens with both families on one port; null: the port is free on IPv4 but taken on IPv6. */
  async function tryBoth(port: number): Promise<LoopbackAddress | null> {
    let bound: number;
    try {
      bound = await listen(v4, { host: '127.0.0.1', port }, logger);
    } catch (error) {
      throw listenError(error, '127.0.0.1', port);
    }
    try {
      await listen(v6, { host: '::1', port: bound }, logger);
      return { port: bound, addresses: ['127.0.0.1', '::1'] };
    } catch (error) {
      if (isFamilyMissing(error)) {
        logger.info({ reason: codeOf(error) }, 'No IPv6 loopback here; listening on 127.0.0.1 only');
        return { port: bound, addresses: ['127.0.0.1'] };
      }
      await stopListening(v4);
      if (port === 0 && codeOf(error) === 'EADDRINUSE') return null;
      throw listenError(error, '::1', bound);
    }
  }

  function dropIdle(): void {
    v4.closeIdleConnections();
    v6.closeIdleConnections();
    local.closeIdleConnections();
    // Node counts a connection that has sent nothing yet as busy and would keep it open, so it is cut here.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  async function waitUntilClosed(): Promise<void> {
    const servers = [v4, v6, local].filter((server) => server.listening);
    const closed = Promise.all(servers.map(stopListening));
    // Connections that were still receiving their last answer when closing began become idle one by one. A plain
    // timer is used, because sockets run in real time, whatever clock the gateway uses.
    const sweep = setInterval(dropIdle, CLOSE_POLL_MS);
    dropIdle();
    await closed;
    clearInterval(sweep);
  }

  return {
    async listenLoopback({ port }) {
      for (let attempt = 0; attempt < FREE_PORT_ATTEMPTS; attempt += 1) {
        const address = await tryBoth(port);
        if (address !== null) return address;
      }
      throw new ListenError('EADDRINUSE', 'Found no port that is free on both 127.0.0.1 and ::1');
    },
    async listenContainer({ port }) {
      try {
        return { port: await listen(v4, { host: '0.0.0.0', port }, logger), addresses: ['0.0.0.0'] };
      } catch (error) {
        throw listenError(error, '0.0.0.0', port);
      }
    },
    async listenLocal(path) {
      await listen(local, { path }, logger);
    },
    meanwhile(answer) {
      early = answer;
      waiting.push(...waiting.splice(0).filter(([req, res]) => !answer(req, res)));
    },
    admitted: () => Promise.all(atTheGate),
    serve(nextApp, upgrade) {
      app = nextApp;
      peers?.readAside();
      upgradeTo = upgrade;
      for (const [req, res] of waiting.splice(0)) app(req, res);
    },
    async close(graceMs = 5_000) {
      closing = true;
      for (const [req] of waiting.splice(0)) req.socket.destroy();
      const cancel = clock.after(graceMs, () => {
        for (const socket of sockets) socket.destroy();
      });
      await waitUntilClosed();
      places.close();
      cancel();
      peers?.close();
    },
  };
}
