/**
 * The life of a live venue behind the port: start, stop, sleep, its state, its open accounts and who listens to them. A
 * venue supplies the parts that only it knows: how it is asked, listed, streamed and traded.
 */
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { VenueBook } from '../../../domain/order-book.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  ConnectorInfo,
  ExpectedOrder,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { AccountListeners, type AccountParts, accountCalls } from './account-calls.ts';
import { watchAccounts } from './account-watch.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenAccount, OpenAccounts } from './open-accounts.ts';
import { Readiness } from './readiness.ts';
import type { VenueClock } from './venue-clock.ts';

const FIRST_RETRY_MS = 1_000;

/** Reports of the parts about what happens at the venue. */
export interface LiveReports<Session> {
  /** The venue takes nothing that opens until this time, epoch ms: it has had too many requests. */
  throttled(until: number): void;
  /** It takes nothing that opens for a time, in its words. */
  closesOnly(reason: string, forMs: number): void;
  /** Something that decides on the state of the connection may have changed. */
  changed(): void;
  /** The streams are connected. `isFirst`: nothing can have been missed. */
  up(isFirst: boolean): void;
  /** The instruments are others than before, or follow other rules. */
  listed(): void;
  /** The venue refuses the key of a session. */
  refused(session: Session, message: string): void;
}

type Calls<Session> = AccountParts<Session, OpenAccount<Session>>;

export interface LiveParts<Session extends LiveSession>
  extends Pick<
    Calls<Session>,
    'trading' | 'lookUp' | 'openOrders' | 'history' | 'setLeverage' | 'changeMargin'
  > {
  readonly client: {
    readonly channel: { start(): void; dropIdle(): void };
    readonly opensAgainAt: () => number | null;
    close(): void;
  };
  readonly venueClock: VenueClock;
  /** The venue's clock is asked for from the first connection of the streams on, or this long after the start, ms. */
  readonly clockWaitMs: number;
  readonly listings: {
    readonly now: () => ReturnType<Calls<Session>['listing']> & {
      readonly assets: readonly unknown[];
      readonly instruments: ReturnType<Venue['instruments']>;
    };
    restore(): Promise<void>;
    start(): void;
    stop(): void;
  };
  readonly market: { readonly follow: Venue['marketStream']; stop(): void };
  readonly streams: {
    start(): void;
    followAccount(session: Session): void;
    leaveAccount(session: Session): void;
    reconnect(reason: string): void;
    close(): void;
    readonly up: boolean;
    /** Rises with each connection. */
    readonly generation: number;
  };
  readonly accounts: OpenAccounts<Session>;
  /** @param streamsUpSince of `Clock.uptime`; null: they are down */
  statusOf(one: OpenAccount<Session>, streamsUpSince: number | null): AccountStatus;
  /** A session with these credentials. `current`: the open one serves them. */
  open(
    account: VenueAccount,
    access: VenueAccess,
    current: Session | null,
  ): Promise<Result<Session | 'current', VenueError>>;
  /** Called after the account was opened, and closed. */
  opened?(session: Session): void;
  closed?(session: Session): void;
  readonly books: {
    shown(symbol: string, levels: number): Promise<VenueBook | null>;
    preview(order: ExpectedOrder): Promise<BookPreview | null>;
  };
  check(
    seen: LiveView<Session>,
    ...given: Parameters<NonNullable<Venue['check']>>
  ): ReturnType<NonNullable<Venue['check']>>;
  /** Methods of the port that this venue has for itself. */
  readonly port: Pick<Venue, 'checkCredentials' | 'prepareWallet' | 'completeWallet' | 'setup'>;
}

/** View of the running venue for a check. */
export interface LiveView<Session> {
  readonly streamUp: () => boolean;
  /** Calls the listener with every news of prices. */
  readonly onPrices: (listener: () => void) => Unsubscribe;
  /** The account that is checked, if it is open. */
  readonly open: () => OpenAccount<Session> | null;
}

/** @param build makes the parts; they report to `reports` once the venue has started */
export function liveVenue<Session extends LiveSession>(
  info: ConnectorInfo,
  { clock, logger }: Pick<VenueHost, 'clock' | 'logger'>,
  build: (reports: LiveReports<Session>) => LiveParts<Session>,
): Venue {
  const listeners = new AccountListeners();
  const instrumentListeners = new Set<() => void>();
  const keyListeners = new Set<(account: VenueAccount, reason: string) => void>();
  let stopBan: Unsubscribe = () => {};
  let stopClosesOnly: Unsubscribe = () => {};
  let closesOnly: { readonly reason: string; readonly until: number } | null = null;
  let stopTimers: Unsubscribe[] = [];
  let isClockRunning = false;
  let streamsUpSince = 0;

  const parts = build({
    throttled(until) {
      stopBan();
      stopBan = readiness.judgeAgainAt(until);
    },
    closesOnly(reason, forMs) {
      closesOnly = { reason, until: clock.now() + forMs };
      stopClosesOnly();
      stopClosesOnly = readiness.judgeAgainAt(closesOnly.until);
    },
    changed: () => readiness.judge(),
    up(isFirst) {
      streamsUpSince = clock.uptime();
      for (const session of accounts.sessions) session.heard = false;
      readiness.judge();
      if (readiness.isWaking) void wakeUp();
      if (isFirst) {
        beginClock();
        return;
      }
      void venueClock.refresh();
      for (const session of accounts.sessions) session.tell({ kind: 'reconnected' });
    },
    listed() {
      for (const listener of [...instrumentListeners]) listener();
      // Their trades before the listing are in their history.
      for (const session of accounts.sessions) if (session.heldSince !== null) session.missed();
    },
    refused(session, message) {
      const one = accounts.of(session);
      if (one === null) return;
      session.refusal = { reason: message, at: clock.now() };
      watch.look();
      const { account } = one;
      logger.warn(
        { account: account.exchangeIdentifier, reason: message },
        `${info.displayName} refuses the key of an account`,
      );
      for (const listener of [...keyListeners]) listener(account, message);
    },
  });
  const { client, venueClock, listings, market, streams, accounts, books } = parts;
  const readiness = new Readiness({
    ...{ clock, logger, venueClock: () => venueClock },
    hasListing: () => listings.now().assets.length > 0,
    isStreaming: () => streams.up,
    opensAgainAt: client.opensAgainAt,
    closesOnly: () => closesOnly,
  });
  const watch = watchAccounts({
    clock,
    all: () => accounts.all.map((one) => [one.account, one] as const),
    statusOf: (one: OpenAccount<Session>) => parts.statusOf(one, streams.up ? streamsUpSince : null),
  });

  function beginClock(): void {
    if (isClockRunning || readiness.isStopped) return;
    isClockRunning = true;
    stopTimers.push(venueClock.start());
  }

  /** After the streams are back: their updates are added to the accounts' present state. */
  async function wakeUp(): Promise<void> {
    const { generation } = streams;
    await venueClock.refresh();
    while (!(await accounts.readAll())) {
      await clock.sleep(FIRST_RETRY_MS);
      if (readiness.isStopped || generation !== streams.generation) return;
    }
    // Another connection has begun since: it ends the waking.
    if (generation !== streams.generation) return;
    readiness.isWaking = false;
    readiness.judge();
  }

  function closeAccount(account: VenueAccount): void {
    const session = accounts.remove(account);
    if (session === null) return;
    streams.leaveAccount(session);
    end(session);
  }

  function end(session: Session): void {
    session.close();
    parts.closed?.(session);
  }

  function onPrices(listener: () => void): Unsubscribe {
    let isFirst = true;
    return market.follow(() => {
      if (!isFirst) listener();
      isFirst = false;
    });
  }

  return {
    info,
    ...accountCalls<Session, OpenAccount<Session>>({
      ...parts,
      clock,
      listing: listings.now,
      isStreaming: () => streams.up,
    }),
    ...parts.port,
    async start() {
      await listings.restore();
      client.channel.start();
      if (parts.clockWaitMs === 0) beginClock();
      else stopTimers.push(clock.after(parts.clockWaitMs, beginClock));
      streams.start();
      watch.start();
      // The gateway does not wait for a venue.
      listings.start();
    },
    async stop() {
      readiness.isStopped = true;
      readiness.judge();
      listings.stop();
      watch.stop();
      stopBan();
      stopClosesOnly();
      for (const stop of stopTimers) stop();
      stopTimers = [];
      for (const session of accounts.removeAll()) end(session);
      market.stop();
      streams.close();
      client.close();
    },
    woke() {
      readiness.isWaking = true;
      // Servers have forgotten the connections, which shows only at the next request.
      client.channel.dropIdle();
      streams.reconnect('the machine slept');
      readiness.judge();
    },
    status: () => readiness.status,
    onStatus: (listener) => readiness.follow(listener),
    instruments: () => listings.now().instruments,
    onInstruments(listener) {
      instrumentListeners.add(listener);
      return () => instrumentListeners.delete(listener);
    },
    marketStream: (listener) => market.follow(listener),
    accountStream: (account, listener) => listeners.follow(account, listener),
    async openAccount(account: VenueAccount, access?: VenueAccess) {
      if (access === undefined) return fail({ kind: 'auth', message: 'no credentials' });
      // Accounts are opened again whenever the venue is back; a new session would have to read everything again.
      const made = await parts.open(account, access, accounts.get(account)?.session ?? null);
      if (!made.ok) return made;
      if (made.value === 'current') return ok(undefined);
      closeAccount(account);
      const session = made.value;
      session.follow((event) => listeners.tell(account, event));
      accounts.add(account, session);
      streams.followAccount(session);
      parts.opened?.(session);
      return ok(undefined);
    },
    closeAccount,
    check: (target, ...given) =>
      parts.check(
        {
          streamUp: () => streams.up,
          onPrices,
          open: () => (target === null ? null : accounts.get(target.account)),
        },
        target,
        ...given,
      ),
    feeRates: (account) => accounts.get(account)?.session.fees ?? null,
    accountStatus(account) {
      const one = accounts.get(account);
      return one === null ? null : watch.statusOf(one);
    },
    onAccountStatus: (listener) => watch.follow(listener),
    onRefusedKey(listener) {
      keyListeners.add(listener);
      return () => keyListeners.delete(listener);
    },
    book: async (symbol, levels) => ok(await books.shown(symbol, levels)),
    expectedFills: async (orders) => ok(await Promise.all(orders.map((order) => books.preview(order)))),
  };
}
