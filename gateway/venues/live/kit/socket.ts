/**
 * A WebSocket to a venue that reconnects by itself. Messages of an abandoned connection are ignored: each connection is
 * a generation, and only the newest counts.
 */
import { type RawData, WebSocket } from 'ws';
import type { Clock } from '../../../engine/ports/system.ts';
import { createBackoff } from '../../../system/backoff.ts';

/** A first message that must be accepted before subscriptions are sent. */
export interface SocketLogin {
  message(): string;
  /** Verdict of an incoming message on the connection; `other`: none, and it goes on to `onMessage`. */
  verdict(text: string): 'accepted' | 'refused' | 'other';
}

export interface VenueSocketOptions {
  /** Asked before every connection, so that an address may hold a fresh token; a rejection is a failed connection. */
  readonly url: () => string | Promise<string>;
  readonly clock: Clock;
  readonly pingMs: number;
  /** Text that the venue takes as a ping; left out: a ping of the protocol. */
  readonly pingText?: () => string;
  /** Silence after which the connection is given up, ms; more than `pingMs`. */
  readonly silenceMs: number;
  /** Time limit of the connection until it is up, login included. Default 10 s. */
  readonly openTimeoutMs?: number;
  /** A larger message ends the connection. Default 16 MiB. */
  readonly maxPayloadBytes?: number;
  readonly login?: SocketLogin;
  /** Certificates that are trusted instead of the machine's, for tests. */
  readonly ca?: string;
  /** Uniform in [0, 1). Default `Math.random`. */
  readonly random?: () => number;
  /** Connected, logged in, and all subscriptions are sent. Generations rise by one with each connection. */
  readonly onUp: (generation: number) => void;
  /** It was up and is not any more; the next connection is on its way. Not called after `close()`. */
  readonly onDown: (reason: string) => void;
  /** A connection that never came up. */
  readonly onFailure?: (reason: string) => void;
  readonly onMessage: (text: string, generation: number) => void;
  /** An exception of one of the listeners: it must not end the process. */
  readonly onFault: (error: unknown) => void;
}

export interface VenueSocket {
  /** Starts connecting. */
  start(): void;
  /** Sent now if the connection is up, and after every connection; the text is asked for each time. */
  subscribe(key: string, text: () => string): void;
  /** Forgets the subscription; `text` is sent if the connection is up. */
  unsubscribe(key: string, text?: string): void;
  /** False: the connection is not up, and nothing was sent. */
  send(text: string): boolean;
  /** Gives the connection up and makes a new one at once, as after the machine slept. */
  reconnect(reason: string): void;
  close(): void;
  readonly up: boolean;
  readonly generation: number;
}

const LEAST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
const OPEN_TIMEOUT_MS = 10_000;
const MAX_PAYLOAD_BYTES = 16 * 2 ** 20;
/** A connection that ends sooner counts as a failure: a venue that cuts at once is not asked ever faster. */
const STEADY_MS = 30_000;

interface Connection {
  readonly generation: number;
  readonly end: () => void;
  socket: WebSocket | null;
  upSince: number | null;
  lastHeard: number;
}

export function createVenueSocket(options: VenueSocketOptions): VenueSocket {
  const { clock } = options;
  const subscriptions = new Map<string, () => string>();
  const backoff = createBackoff({
    // Jitter makes a tenth of the bound the least delay; the least that is wanted is added below.
    baseMs: LEAST_WAIT_MS,
    maxMs: MOST_WAIT_MS - LEAST_WAIT_MS,
    random: options.random ?? Math.random,
  });
  let generation = 0;
  let current: Connection | null = null;
  let cancelWait = () => {};
  let closed = false;

  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      options.onFault(error);
    }
  }

  function connect(): void {
    generation += 1;
    const timers: (() => void)[] = [];
    const connection: Connection = {
      generation,
      socket: null,
      upSince: null,
      lastHeard: clock.uptime(),
      end: () => {
        for (const cancel of timers) cancel();
        connection.socket?.terminate();
      },
    };
    current = connection;
    const alive = () => current === connection;
    timers.push(
      clock.after(options.openTimeoutMs ?? OPEN_TIMEOUT_MS, () => {
        if (alive() && connection.upSince === null) giveUp('no connection in time');
      }),
    );
    const every = (ms: number, run: () => void) => {
      const next = () => {
        if (!alive()) return;
        run();
        if (alive()) timers[1] = clock.after(ms, next);
      };
      timers[1] = clock.after(ms, next);
    };
    const watch = () =>
      every(Math.min(options.pingMs, options.silenceMs), () => {
        if (clock.uptime() - connection.lastHeard >= options.silenceMs) return giveUp('silence');
        ping(connection);
      });

    void address().then((url) => {
      if (!alive()) return;
      if (url === null) return giveUp('no address');
      const socket = open(url);
      if (socket === null) return giveUp('not an address');
      connection.socket = socket;
      const heard = () => {
        connection.lastHeard = clock.uptime();
      };
      // The listener stays for ever: a connection given up while being made has an error still to come.
      socket.on('error', (error) => {
        if (alive()) giveUp('code' in error ? String(error.code) : error.name);
      });
      socket.on('close', (code) => {
        if (alive()) giveUp(`closed by the venue, ${code}`);
      });
      socket.on('unexpected-response', (request, response) => {
        request.destroy();
        if (alive()) giveUp(`HTTP ${response.statusCode ?? 0}`);
      });
      socket.on('ping', heard);
      socket.on('pong', heard);
      socket.on('open', () => {
        if (!alive()) return;
        heard();
        watch();
        if (options.login === undefined) comeUp(connection);
        else guarded(() => socket.send(options.login?.message() ?? ''));
      });
      socket.on('message', (data) => {
        if (!alive()) return;
        heard();
        hear(connection, textOf(data));
      });
    });
  }

  async function address(): Promise<string | null> {
    try {
      return await options.url();
    } catch {
      return null;
    }
  }

  function open(url: string): WebSocket | null {
    try {
      return new WebSocket(url, {
        maxPayload: options.maxPayloadBytes ?? MAX_PAYLOAD_BYTES,
        perMessageDeflate: false,
        followRedirects: false,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      });
    } catch {
      return null;
    }
  }

  function hear(connection: Connection, text: string): void {
    if (connection.upSince === null) {
      const verdict = judge(text);
      if (verdict === 'refused') giveUp('login refused');
      if (verdict === 'accepted') comeUp(connection);
      if (verdict !== 'other') return;
    }
    guarded(() => options.onMessage(text, connection.generation));
  }

  function judge(text: string): ReturnType<SocketLogin['verdict']> {
    try {
      return options.login?.verdict(text) ?? 'other';
    } catch (error) {
      options.onFault(error);
      return 'other';
    }
  }

  function comeUp(connection: Connection): void {
    connection.upSince = clock.uptime();
    for (const text of subscriptions.values()) guarded(() => connection.socket?.send(text()));
    guarded(() => options.onUp(connection.generation));
  }

  function ping(connection: Connection): void {
    const { socket } = connection;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const { pingText } = options;
    if (pingText === undefined) socket.ping();
    else guarded(() => socket.send(pingText()));
  }

  function giveUp(reason: string, atOnce = false): void {
    const connection = current;
    if (connection === null || closed) return;
    current = null;
    connection.end();
    const upMs = connection.upSince === null ? 0 : clock.uptime() - connection.upSince;
    if (upMs >= STEADY_MS) backoff.reset();
    // Before the listeners, which may close this socket or ask for another connection.
    cancelWait = clock.after(atOnce ? 0 : LEAST_WAIT_MS + backoff.nextDelayMs(), connect);
    guarded(() => {
      if (connection.upSince === null) options.onFailure?.(reason);
      else options.onDown(reason);
    });
  }

  return {
    start() {
      if (generation === 0 && !closed) connect();
    },
    subscribe(key, text) {
      subscriptions.set(key, text);
      const connection = current;
      if (connection?.upSince != null) guarded(() => connection.socket?.send(text()));
    },
    unsubscribe(key, text) {
      if (subscriptions.delete(key) && text !== undefined && current?.upSince != null) {
        current.socket?.send(text);
      }
    },
    send(text) {
      if (current?.upSince == null || current.socket?.readyState !== WebSocket.OPEN) return false;
      current.socket.send(text);
      return true;
    },
    reconnect(reason) {
      if (closed || generation === 0) return;
      if (current !== null) return giveUp(reason, true);
      cancelWait();
      connect();
    },
    close() {
      closed = true;
      cancelWait();
      const connection = current;
      current = null;
      connection?.end();
    },
    get up() {
      return current?.upSince != null;
    },
    get generation() {
      return generation;
    },
  };
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
