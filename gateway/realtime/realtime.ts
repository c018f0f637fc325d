/** The realtime hub: `GET /ws`, its clients, and the delivery of events and prices to them. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AnonymousTurns } from '../call/anonymous-turns.ts';
import type { AccountDirectory, Authentication, Authenticator } from '../call/authenticator.ts';
import type { Guard } from '../call/guard.ts';
import { MAX_MESSAGE_BYTES } from '../contract/realtime.ts';
import type { Principal } from '../domain/model.ts';
import type { Money } from '../domain/money.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger, Unsubscribe } from '../engine/ports/system.ts';
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';
import { ClientSession, type SessionParts } from './client-session.ts';
import { Connection } from './connection.ts';
import { createPrivateStreams } from './private-streams.ts';
import { createPublicChannels } from './public-channels.ts';
import type { Credential, CredentialCheck, MarketFeed } from './sources.ts';
import { checkUpgrade, isSameOrigin, refuseUpgrade } from './upgrade-check.ts';

const HEARTBEAT_MS = 20_000;
const IDLE_LOOK_MS = 5_000;
/** Time that a client has to answer the close frame when the gateway stops. */
const CLOSE_GRACE_MS = 1_000;

export interface RealtimeOptions {
  /** Verifies the credential of an `auth` message; redeems tickets. */
  readonly authenticate: (credential: Credential) => CredentialCheck | Promise<CredentialCheck>;
  /** Authenticates the upgrade request by its headers, as HTTP requests are. */
  readonly authenticator: Authenticator;
  /**
   * True: a session or key is still valid, from memory. Asked before each private event and at each heartbeat, because
   * a credential that expires ends without a call of `dropPrincipal`.
   */
  readonly isAlive: (principal: Principal) => boolean;
  readonly accounts: AccountDirectory;
  /** Kind of money of a trade account. */
  readonly moneyOf: (tradeAccountId: string) => Money;
  readonly market: MarketFeed;
  readonly store: Pick<Store, 'events' | 'lastSeq'>;
  readonly guard: Pick<Guard, 'checkUpgrade'>;
  /** Turns shared with HTTP. Default: turns of the hub alone. */
  readonly anonymous?: AnonymousTurns;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RealtimeStats {
  readonly connections: number;
  readonly subscriptions: number;
  /** Messages on public channels. */
  readonly publicFrames: number;
  /** Public updates left out for clients that did not keep up. */
  readonly publicDropped: number;
  /** Messages on private channels. */
  readonly privateFrames: number;
  /** Clients closed because they did not read. */
  readonly closedSlow: number;
}

export interface Realtime {
  /** Listener of the HTTP server's `upgrade` event. Answers refusals itself; never throws. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Publishes committed events, in commit order. */
  publish(events: readonly StoredEvent[]): void;
  /** Ends the private subscriptions of matching sessions, keys or grants, whose credentials have ended. */
  dropPrincipal(matches: (principal: Principal) => boolean): void;
  stats(): RealtimeStats;
  /** Closes every connection (1001) and stops all timers. */
  close(): void;
}

export function createRealtime(options: RealtimeOptions): Realtime {
  const { clock, logger, anonymous = new AnonymousTurns() } = options;
  const counters = { publicFrames: 0, publicDropped: 0, privateFrames: 0, closedSlow: 0 };
  const sessions = new Map<Connection, ClientSession>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // At most one message per turn of the event loop, because one TCP segment may hold thousands of messages.
    allowSynchronousEvents: false,
  });
  const channels = createPublicChannels(options.market, clock, counters);
  const streams = createPrivateStreams({
    store: options.store,
    clock,
    logger,
    counters,
  });
  const parts: SessionParts = {
    authenticate: options.authenticate,
    isAlive: options.isAlive,
    accounts: options.accounts,
    moneyOf: options.moneyOf,
    channels,
    streams,
    inTurn: (connection, work) => anonymous.run(connection.socket, work),
    clock,
    logger,
  };
  /** One list per upgrade request that is being authenticated: tests for credentials that ended meanwhile. */
  const pendingEnds = new Set<((principal: Principal) => boolean)[]>();
  let closed = false;
  let cancelBeat: Unsubscribe = clock.after(HEARTBEAT_MS, beat);
  let cancelLook: Unsubscribe = clock.after(IDLE_LOOK_MS, closeIdle);

  function closeIdle(): void {
    for (const session of [...sessions.values()]) session.closeIfIdle();
    cancelLook = clock.after(IDLE_LOOK_MS, closeIdle);
  }

  function beat(): void {
    for (const [connection, session] of [...sessions]) {
      session.checkExpiry();
      connection.beat();
    }
    cancelBeat = clock.after(HEARTBEAT_MS, beat);
  }

  /** Headers that may authenticate the caller: the cookie only for a page of the gateway's origin. */
  function speakingHeaders(request: IncomingMessage): IncomingHttpHeaders {
    if (isSameOrigin(request)) return request.headers;
    const { cookie: _cookie, ...headers } = request.headers;
    return headers;
  }

  async function authenticateUpgrade(request: IncomingMessage): Promise<Authentication | null> {
    const headers = speakingHeaders(request);
    const explicit = headers['x-api-key'] !== undefined || headers.authorization !== undefined;
    if (!explicit && headers.cookie === undefined) return null;
    const ended: ((principal: Principal) => boolean)[] = [];
    pendingEnds.add(ended);
    try {
      const authentication = await options.authenticator.authenticate(headers);
      if (authentication.ok && ended.some((matches) => matches(authentication.principal))) {
        return { ok: false, status: 401, message: 'The credential has ended' };
      }
      // A page cannot leave out an outdated cookie, so an invalid cookie makes the connection anonymous instead of
      // refusing it.
      return authentication.ok || explicit ? authentication : null;
    } finally {
      pendingEnds.delete(ended);
    }
  }

  function accept(ws: WebSocket, socket: Duplex, check: CredentialCheck | null): void {
    const connection = new Connection(ws, socket, {
      slow: () => {
        counters.closedSlow += 1;
      },
      ended: () => {
        sessions.get(connection)?.end();
        sessions.delete(connection);
      },
    });
    const session = new ClientSession(connection, parts, check);
    sessions.set(connection, session);
    ws.on('message', (data, isBinary) => {
      connection.heard();
      session.receive(data, isBinary);
    });
    // Protocol errors (a message over 64 KiB, bad UTF-8): ws has already begun to close with the right code.
    ws.on('error', (error) => logger.debug({ error: error.message }, 'Realtime connection failed'));
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const authentication = await authenticateUpgrade(request);
    if (authentication !== null && !authentication.ok) {
      refuseUpgrade(socket, authentication);
      return;
    }
    if (closed) {
      socket.destroy();
      return;
    }
    server.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, authentication));
  }

  return {
    handleUpgrade(request, socket, head) {
      // Until ws takes over, the socket has no other 'error' listener, and an 'error' without a listener would end
      // the process.
      socket.on('error', () => socket.destroy());
      if (closed) {
        socket.destroy();
        return;
      }
      const refusal = checkUpgrade(request, options.guard);
      if (refusal !== null) {
        refuseUpgrade(socket, refusal);
        return;
      }
      anonymous.run(socket, () => {
        upgrade(request, socket, head).catch((error: unknown) => {
          logger.error({ err: error }, 'A WebSocket upgrade failed');
          refuseUpgrade(socket, { status: 500, message: 'Internal Server Error' });
        });
      });
    },
    publish: streams.publish,
    dropPrincipal(matches) {
      for (const ended of pendingEnds) ended.push(matches);
      for (const session of [...sessions.values()]) session.drop(matches);
    },
    stats() {
      let subscriptions = 0;
      for (const session of sessions.values()) subscriptions += session.subscriptions;
      return { connections: sessions.size, subscriptions, ...counters };
    },
    close() {
      closed = true;
      cancelBeat();
      cancelLook();
      channels.close();
      const open = [...sessions.keys()];
      for (const connection of open) connection.close(1001, 'The gateway is stopping');
      clock.after(CLOSE_GRACE_MS, () => {
        for (const connection of open) connection.terminate();
      });
    },
  };
}
