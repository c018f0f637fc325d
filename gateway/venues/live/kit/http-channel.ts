/**
 * Requests to one host of a venue. An answer says for certain whether the venue can have the request:
 *
 * - `not_sent`: no byte of it was handed to a connection. It may be repeated.
 * - `unknown`: bytes may have left, and what came back is nothing, too much or unreadable. It must not be repeated.
 * - `answer`: the venue, or something before it, answered; the status is the caller's to judge. Redirects are answers.
 *
 * A connection that the server closed while it waited looks open until bytes are written to it, which makes the request
 * unknown. So connections are closed here before the server would, and one is kept in use by a cheap request.
 */
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Clock } from '../../../engine/ports/system.ts';
import { createConnections } from './connections.ts';
import { createPlaces } from './places.ts';

export interface ChannelRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with its query, as it is signed. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for everything: a free place, the connection, the answer to its last byte. */
  readonly deadlineMs: number;
  /** Goes out at once, with any number of others in flight: orders must not wait behind requests that hang. */
  readonly isUrgent?: boolean;
}

/** Reasons are for logs: they hold neither path nor headers nor body. */
export type ChannelAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Names are in lower case; a header that came more than once is joined by `, `. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface HttpChannelOptions {
  /** `https://host[:port]`; plain `http:` is for venues on loopback. */
  readonly origin: string;
  readonly clock: Clock;
  /** Longest idle time of a connection before its next request, ms; less than the server allows. */
  readonly idleMs: number;
  /** Request sent after half of `idleMs` without another. Left out: no connection is kept open. */
  readonly keepWarm?: Omit<ChannelRequest, 'deadlineMs'>;
  /** Called with each request that only keeps a connection open: the venue counts it too. */
  readonly onKeptWarm?: () => void;
  /** Requests at a time, urgent ones aside; further ones wait for their turn. Default 32. */
  readonly maxInFlight?: number;
  /** A longer body makes the answer `unknown`. Default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Default 10 s; a request's deadline counts besides. */
  readonly connectTimeoutMs?: number;
  readonly ca?: string;
  readonly tap?: (bytes: Buffer) => void;
}

export interface HttpChannel {
  /** Never throws. */
  call(request: ChannelRequest): Promise<ChannelAnswer>;
  /** Makes the first connection and keeps it open. */
  start(): void;
  /** Closes idle connections, as after the machine slept: servers have forgotten them. */
  dropIdle(): void;
  /** Ends everything; requests under way are `unknown`, later ones `not_sent`. */
  close(): void;
  /** Connections made since the beginning. */
  readonly connectionsMade: number;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const MAX_IN_FLIGHT = 32;
const MAX_BODY_BYTES = 16 * 2 ** 20;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_WARM_DEADLINE_MS = 10_000;

/** @throws when `origin` is no https origin and not on loopback either */
export function createHttpChannel(options: HttpChannelOptions): HttpChannel {
  const { clock } = options;
  const url = new URL(options.origin);
  const secure = url.protocol === 'https:';
  if (!secure && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    throw new Error(`${url.protocol}//${url.host} is not encrypted, which only loopback may be`);
  }
  const { ca, tap } = options;
  const connections = createConnections({
    secure,
    clock,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca }),
    ...(tap === undefined ? {} : { tap }),
  });
  const places = createPlaces(options.maxInFlight ?? MAX_IN_FLIGHT);
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  const underWay = new Set<(reason: string) => void>();
  let lastUse = Number.NEGATIVE_INFINITY;
  let closed = false;
  let stopTimers: (() => void) | null = null;

  function open(request: ChannelRequest): ClientRequest {
    const body = request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) };
    return (secure ? tlsRequest : plainRequest)({
      agent: connections.agent,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      method: request.method,
      path: request.path,
      headers: { ...request.headers, ...body },
    });
  }

  function call(request: ChannelRequest): Promise<ChannelAnswer> {
    return new Promise((resolve) => {
      let outgoing: ClientRequest | null = null;
      let sent = false;
      let ended = false;
      let leave = () => {};

      const end = (answer: ChannelAnswer) => {
        if (ended) return;
        ended = true;
        cancelDeadline();
        underWay.delete(lose);
        if (sent) lastUse = clock.uptime();
        resolve(answer);
        leave();
      };
      const lose = (reason: string) => {
        end(sent ? { kind: 'unknown', reason } : { kind: 'not_sent', reason });
        outgoing?.destroy();
      };
      const cancelDeadline = clock.after(request.deadlineMs, () => {
        if (!sent) lose(`no connection within ${request.deadlineMs} ms`);
        // Timers run before sockets are read: after a standstill of this process the answer may lie there already.
        else setImmediate(() => lose(`no answer within ${request.deadlineMs} ms`));
      });
      underWay.add(lose);

      const send = () => {
        if (ended) return;
        try {
          outgoing = open(request);
        } catch (error) {
          return lose(`not a request that can be sent: ${codeOf(error)}`);
        }
        // Connections are handed over connected and before the first byte is written: from here on bytes may leave.
        outgoing.once('socket', () => {
          sent = true;
        });
        outgoing.on('error', (error) => lose(codeOf(error)));
        outgoing.once('close', () => lose('closed without an answer'));
        outgoing.once('response', (response) => readAnswer(response, maxBodyBytes, end, lose));
        outgoing.end(request.body);
      };
      if (closed) return lose('closed');
      const begin = () => {
        if (connections.retire(options.idleMs)) setImmediate(send);
        else send();
      };
      if (request.isUrgent === true) return begin();
      leave = places.enter(begin);
      // It may have ended before it was known how to leave.
      if (ended) leave();
    });
  }

  function keepWarm(): void {
    const everyMs = options.idleMs / 2;
    const waitMs = (ms: number) => {
      if (!closed) stopTimers = clock.after(ms, look);
    };
    const look = () => {
      connections.retire(options.idleMs);
      if (options.keepWarm === undefined) return waitMs(everyMs);
      const unusedMs = clock.uptime() - lastUse;
      if (unusedMs < everyMs) return waitMs(everyMs - unusedMs);
      options.onKeptWarm?.();
      // The answer does not matter: a venue in trouble is asked no more often.
      void call({ ...options.keepWarm, deadlineMs: KEEP_WARM_DEADLINE_MS }).then(() => waitMs(everyMs));
    };
    look();
  }

  return {
    call,
    start() {
      if (stopTimers !== null || closed) return;
      stopTimers = () => {};
      keepWarm();
    },
    dropIdle() {
      connections.retire(Number.NEGATIVE_INFINITY);
    },
    close() {
      closed = true;
      stopTimers?.();
      for (const lose of [...underWay]) lose('closed');
      connections.close();
    },
    get connectionsMade() {
      return connections.made;
    },
  };
}

function readAnswer(
  response: IncomingMessage,
  maxBodyBytes: number,
  end: (answer: ChannelAnswer) => void,
  lose: (reason: string) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) lose(`an answer of more than ${maxBodyBytes} bytes`);
    else chunks.push(chunk);
  });
  response.on('error', (error) => lose(`answer cut: ${codeOf(error)}`));
  response.once('close', () => lose('answer cut'));
  response.once('end', () => {
    if (!response.complete) return lose('answer cut');
    const encoding = response.headers['content-encoding'] ?? 'identity';
    // No encoding was requested, so it comes from a proxy that ignores the request.
    if (encoding !== 'identity') return lose('an answer in an encoding that was not asked for');
    try {
      const body = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
      end({ kind: 'answer', status: response.statusCode ?? 0, headers: flat(response), body });
    } catch {
      lose('an answer that is not UTF-8');
    }
  });
}

function flat(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** Codes only: messages of errors may quote the request. */
function codeOf(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.name;
  return 'error';
}
