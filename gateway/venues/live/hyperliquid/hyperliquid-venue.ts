/** Hyperliquid behind the port: instruments, prices, accounts, orders. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { ConnectorInfo, Venue, VenueAccess, VenueAccount } from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { AccountListeners, accountCalls } from '../kit/account-calls.ts';
import { Readiness } from '../kit/readiness.ts';
import { createUnreadLog } from '../kit/unread-log.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { readKeys } from './access.ts';
import { readHistory } from './account-reads.ts';
import { createAccountWatch } from './account-watch.ts';
import { Books } from './books.ts';
import { runCheck } from './check.ts';
import { createClient } from './client.ts';
import { checkAccess, completeApproval, prepareApproval } from './credentials.ts';
import { isTraded } from './listing.ts';
import { createListings } from './listings.ts';
import { MarketData } from './market-data.ts';
import { type OpenAccount, OpenAccounts } from './open-accounts.ts';
import type { Session } from './session.ts';
import { createSessions } from './sessions.ts';
import type { Network } from './signing/l1-action.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

const FIRST_RETRY_MS = 1_000;
/** Retry delay of openings after the last refusal, because the venue does not say when a post-only period ends. */
const POST_ONLY_MS = 30_000;
export interface HyperliquidOptions {
  readonly info: ConnectorInfo;
  readonly network: Network;
  /** Origin of the HTTP endpoints. */
  readonly origin: string;
  /** Address of the WebSocket. */
  readonly streamUrl: string;
  readonly host: VenueHost;
  /** Default: the venue's. */
  readonly weightPerMinute?: number;
  /** Certificates that are trusted instead of the machine's, for tests. */
  readonly ca?: string;
  /** Sees every byte that leaves, for tests. */
  readonly tap?: (bytes: Buffer) => void;
}

export function createHyperliquid(options: HyperliquidOptions): Venue {
  const { info, network, host } = options;
  const { clock, logger, store } = host;
  const client = createClient({
    ...options,
    clock,
    logger,
    onThrottled: (until) => {
      stopBan();
      stopBan = readiness.judgeAgainAt(until);
    },
  });
  let stopBan: Unsubscribe = () => {};
  let postOnly: { readonly reason: string; readonly until: number } | null = null;
  let stopPostOnly: Unsubscribe = () => {};
  const venueClock = createVenueClock({
    clock,
    ask: async () => {
      const told = await client.info('recovery', { type: 'exchangeStatus' }, wire.exchangeStatus);
      return told.ok ? told.value.time : null;
    },
    onMeasured: () => readiness.judge(),
  });
  const market = new MarketData(info.id, clock);
  const listeners = new AccountListeners();
  const instrumentListeners = new Set<() => void>();
  const keyListeners = new Set<(account: VenueAccount, reason: string) => void>();
  let stopTimers: Unsubscribe[] = [];

  const listings = createListings({
    ...{ id: info.id, client, clock, logger, store, market },
    onChange: () => {
      for (const listener of [...instrumentListeners]) listener();
      // Their trades before the listing are in their history.
      for (const session of accounts.sessions) if (session.heldSince !== null) session.missed();
    },
    onRead: ({ assets }) => {
      streams.followBest(assets.filter(isTraded).map(({ coin }) => coin));
      readiness.judge();
    },
  });
  const listing = listings.now;
  const sessions = createSessions({
    info,
    client,
    clock,
    venueClock,
    store,
    listing,
    onUnlisted: () => listings.look(),
  });
  const note = createUnreadLog(clock, logger, 'Hyperliquid');
  const isFollowed = (user: string, mode: string): boolean =>
    accounts.sessions.some((session) => session.user === user && session.mode.word === mode);
  const deps = { client, clock, venueClock, network, keep: sessions.keep, isFollowed, listing, note };
  const accounts = new OpenAccounts(deps);
  const books = new Books(deps);
  const trading = new Trading({
    ...deps,
    onPostOnly(reason) {
      postOnly = { reason, until: clock.now() + POST_ONLY_MS };
      stopPostOnly();
      stopPostOnly = readiness.judgeAgainAt(postOnly.until);
    },
    onAuth(session, message) {
      session.refusal = { reason: message, at: clock.now() };
      watch.look();
      logger.warn({ account: session.user, reason: message }, 'Hyperliquid refuses the key of an account');
      for (const account of accounts.of(session))
        for (const listener of [...keyListeners]) listener(account, message);
    },
  });
  const streams = createStreams({
    url: options.streamUrl,
    clock,
    logger,
    note,
    market,
    sessionOf: (user) => accounts.sessions.find((session) => session.user === user),
    onUp: (isFirst) => {
      streamsUpSince = clock.uptime();
      for (const session of accounts.sessions) session.heard = false;
      readiness.judge();
      if (readiness.isWaking) void wakeUp();
      if (isFirst) return;
      void venueClock.refresh();
      listings.look();
      for (const session of accounts.sessions) session.tell({ kind: 'reconnected' });
    },
    onDown: () => readiness.judge(),
    onCount: (count) => listings.counted(count),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  const readiness = new Readiness({
    ...{ clock, logger, venueClock: () => venueClock },
    hasListing: () => listing().assets.length > 0,
    isStreaming: () => streams.up,
    opensAgainAt: client.opensAgainAt,
    closesOnly: () => postOnly,
  });
  let streamsUpSince = 0;
  const watch = createAccountWatch({
    ...{ clock, accounts, limits: client.limits },
    streamsUpSince: () => (streams.up ? streamsUpSince : null),
  });

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

  function closed(account: VenueAccount): void {
    const session = accounts.remove(account);
    if (session === null) return;
    streams.leaveAccount(session);
    session.close();
  }

  const calls = accountCalls<Session, OpenAccount>({
    ...{ clock, listing, accounts, trading },
    isStreaming: () => streams.up,
    lookUp: async (session, refs) => ok(await trading.lookUp(session, refs)),
    async openOrders({ user }) {
      const told = await client.info('recovery', { type: 'openOrders', user }, wire.openOrders);
      if (!told.ok) return told;
      return ok(
        told.value.flatMap(({ coin, oid, cloid, origSz, sz }) => {
          const units = listing().byCoin(coin)?.listed.units;
          if (units === undefined) return [];
          const filledQuantity = units.quantityToOurs(text(dec(origSz).minus(sz)));
          const clientOrderId = cloid ?? '';
          return [{ kind: 'resting' as const, clientOrderId, venueOrderId: oid, filledQuantity, fills: [] }];
        }),
      );
    },
    history: (session, cursor) =>
      readHistory(deps, session, cursor, (fills) => sessions.clientIds(session, fills)),
    setLeverage: (session, asset, { leverage, marginMode }) =>
      trading.set(session, { type: 'updateLeverage', asset, isCross: marginMode === 'cross', leverage }),
    changeMargin: (session, asset, ntli) =>
      trading.set(session, { type: 'updateIsolatedMargin', asset, isBuy: true, ntli }),
  });

  return {
    info,
    ...calls,
    async start() {
      await listings.restore();
      client.channel.start();
      stopTimers.push(venueClock.start());
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
      stopPostOnly();
      for (const stop of stopTimers) stop();
      stopTimers = [];
      for (const session of accounts.removeAll()) session.close();
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
    instruments: () => listing().instruments,
    onInstruments(listener) {
      instrumentListeners.add(listener);
      return () => instrumentListeners.delete(listener);
    },
    marketStream: (listener) => market.follow(listener),
    accountStream: (account, listener) => listeners.follow(account, listener),
    checkCredentials: ({ credentials }) => checkAccess(deps, credentials),
    async prepareWallet(request) {
      return ok(prepareApproval(deps, request));
    },
    completeWallet: (request, approval, signature) => completeApproval(deps, request, approval, signature),
    async openAccount(account: VenueAccount, access?: VenueAccess) {
      if (access === undefined) return fail({ kind: 'auth', message: 'no credentials' });
      const keys = readKeys(access.credentials);
      if ('path' in keys) return fail({ kind: 'auth', message: keys.message });
      // Accounts are opened again whenever the venue is back; a new session would have to read everything again.
      const current = accounts.get(account)?.session;
      if (current !== undefined && (await sessions.isCurrent(current, keys))) {
        keys.privateKey.fill(0);
        return ok(undefined);
      }
      const made = await sessions.make(keys);
      if (!made.ok) return made;
      closed(account);
      const session = made.value;
      session.follow((event) => listeners.tell(account, event));
      accounts.add(account, session);
      streams.followAccount(session);
      return ok(undefined);
    },
    check: (target, tell, record, further) =>
      runCheck(
        {
          ...deps,
          origin: options.origin,
          streamUp: () => streams.up,
          onPrices: (listener) => {
            let isFirst = true;
            return market.follow(() => {
              if (!isFirst) listener();
              isFirst = false;
            });
          },
          session: () => (target === null ? null : (accounts.get(target.account)?.session ?? null)),
        },
        target?.access.credentials ?? null,
        tell,
        record,
        further,
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
    closeAccount: closed,
    book: async (symbol, levels) => ok(await books.shown(symbol, levels)),
    expectedFills: async (orders) => ok(await Promise.all(orders.map((order) => books.preview(order)))),
  };
}
