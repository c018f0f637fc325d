/** Hyperliquid behind the port: instruments, prices, accounts, orders. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { read } from '../kit/wire.ts';
import { readKeys } from './access.ts';
import { readHistory } from './account-reads.ts';
import { createClient } from './client.ts';
import { checkAccess, completeApproval, prepareApproval } from './credentials.ts';
import { type Listing, listingOf } from './listing.ts';
import { MarketData } from './market-data.ts';
import { OpenAccounts } from './open-accounts.ts';
import { Readiness } from './readiness.ts';
import { createSessions } from './sessions.ts';
import type { Network } from './signing/l1-action.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

/** How often the universe is read again: listings, delistings, changed rules. */
const LISTING_EVERY_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
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

const EMPTY: Listing = {
  assets: [],
  instruments: [],
  bySymbol: () => undefined,
  byCoin: () => undefined,
};

export function createHyperliquid(options: HyperliquidOptions): Venue {
  const { info, network, host } = options;
  const { clock, logger, store } = host;
  const client = createClient({ ...options, clock, logger });
  const venueClock = createVenueClock({
    clock,
    ask: async () => {
      const told = await client.info('recovery', { type: 'exchangeStatus' }, wire.exchangeStatus);
      return told.ok ? told.value.time : null;
    },
    onMeasured: () => readiness.judge(),
  });
  const market = new MarketData(info.id, clock);
  const waiting = new Map<string, Set<(event: AccountEvent) => void>>();
  let listing = EMPTY;
  let stopTimers: Unsubscribe[] = [];

  const sessions = createSessions({
    info,
    client,
    clock,
    venueClock,
    network,
    store,
    listing: () => listing,
  });
  const deps = { client, clock, venueClock, network, keep: sessions.keep, listing: () => listing };
  const accounts = new OpenAccounts(deps);
  const trading = new Trading({
    ...deps,
    onAuth: (session, message) =>
      logger.warn({ account: session.user, reason: message }, 'Hyperliquid refuses the key of an account'),
  });
  const streams = createStreams({
    url: options.streamUrl,
    clock,
    logger,
    market,
    sessionOf: (user) => accounts.sessions.find((session) => session.user === user),
    onUp: (isFirst) => {
      readiness.judge();
      if (readiness.isWaking) void wakeUp();
      if (isFirst) return;
      void venueClock.refresh();
      for (const session of accounts.sessions) session.tell({ kind: 'reconnected' });
    },
    onDown: () => readiness.judge(),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  const readiness = new Readiness({
    ...{ clock, logger, venueClock: () => venueClock },
    hasListing: () => listing.assets.length > 0,
    isStreaming: () => streams.up,
  });

  /** After the streams are back: what they tell from now on is added to what the accounts hold now. */
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

  function use(json: string): boolean {
    const told = read(wire.meta, json);
    if (!told.ok) return false;
    listing = listingOf(info.id, told.value);
    market.use(listing);
    return true;
  }

  /** Reads the universe and the prices; true: they were read. */
  async function readListing(): Promise<boolean> {
    const told = await client.info('market', { type: 'metaAndAssetCtxs' }, wire.metaAndContexts);
    if (!told.ok || told.value[0].universe.length === 0) return false;
    const [meta, contexts] = told.value;
    const before = JSON.stringify(listing.instruments);
    const fresh = listingOf(info.id, meta);
    if (JSON.stringify(fresh.instruments) !== before) {
      listing = fresh;
      market.use(listing);
      await store.commit({ settings: [{ key: listKey, value: JSON.stringify(meta) }] });
    }
    market.takeContexts(contexts);
    // Who hears that the venue is up has its prices already.
    market.tellNow();
    streams.followBest(listing.assets.filter(isTraded).map(({ coin }) => coin));
    readiness.judge();
    return true;
  }
  const isTraded = ({ instrument }: Listing['assets'][number]) =>
    instrument.tradeability.status === 'tradable';
  const listKey = `venue:${info.id}:listing`;

  async function keepListing(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !readiness.isStopped; ) {
      const isRead = await readListing().catch((error: unknown) => {
        logger.warn({ err: error }, 'the instruments of Hyperliquid were not read');
        return false;
      });
      if (isRead) {
        stopTimers.push(clock.after(LISTING_EVERY_MS, () => void keepListing()));
        return;
      }
      await clock.sleep(waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS);
    }
  }

  function closed(account: VenueAccount): void {
    const session = accounts.remove(account);
    if (session === null) return;
    streams.leaveAccount(session);
    session.close();
  }

  const notOpen: VenueError = { kind: 'unknown', message: 'the account is not connected to the venue' };

  return {
    info,
    async start() {
      const kept = await store.setting(listKey);
      if (kept !== null) use(kept);
      client.channel.start();
      stopTimers.push(venueClock.start());
      streams.start();
      // The gateway does not wait for a venue.
      void keepListing();
    },
    async stop() {
      readiness.isStopped = true;
      readiness.judge();
      for (const stop of stopTimers) stop();
      stopTimers = [];
      for (const session of accounts.removeAll()) session.close();
      market.stop();
      streams.close();
      client.close();
    },
    woke() {
      readiness.isWaking = true;
      // Servers have forgotten the connections, which does not show before something is sent.
      client.channel.dropIdle();
      streams.reconnect('the machine slept');
      readiness.judge();
    },
    status: () => readiness.status,
    onStatus: (listener) => readiness.follow(listener),
    instruments: () => listing.instruments,
    marketStream: (listener) => market.follow(listener),
    accountStream(account, listener) {
      const id = account.tradeAccountId;
      const listeners = waiting.get(id) ?? new Set();
      waiting.set(id, listeners);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    checkCredentials: ({ credentials }) => checkAccess(deps, credentials),
    async prepareWallet(request) {
      return ok(prepareApproval(deps, request));
    },
    completeWallet: (request, approval, signature) => completeApproval(deps, request, approval, signature),
    async openAccount(account: VenueAccount, access?: VenueAccess) {
      if (access === undefined) return fail({ kind: 'auth', message: 'no credentials' });
      const keys = readKeys(access.credentials);
      if ('path' in keys) return fail({ kind: 'auth', message: keys.message });
      const made = await sessions.make(keys);
      if (!made.ok) return made;
      closed(account);
      const session = made.value;
      const id = account.tradeAccountId;
      session.follow((event) => {
        for (const listener of [...(waiting.get(id) ?? [])]) listener(event);
      });
      accounts.add(account, session);
      streams.followAccount(session);
      return ok(undefined);
    },
    closeAccount: closed,
    async setLeverage(account, { symbol, leverage, marginMode }) {
      const one = accounts.get(account);
      const asset = listing.bySymbol(symbol);
      if (one === null) return fail(notOpen);
      if (asset === undefined)
        return fail({ kind: 'rejected', message: `The venue does not list ${symbol}` });
      if (!asset.instrument.marginModes.includes(marginMode))
        return fail({ kind: 'rejected', message: `${symbol} has no ${marginMode} margin at the venue` });
      if (!Number.isInteger(leverage) || leverage < 1 || leverage > asset.instrument.maxLeverage) {
        const message = `${symbol} has leverages from 1 to ${asset.instrument.maxLeverage} at the venue`;
        return fail({ kind: 'rejected', message });
      }
      const isCross = marginMode === 'cross';
      return trading.set(one.session, { type: 'updateLeverage', asset: asset.index, isCross, leverage });
    },
    async changeMargin(account, { symbol, amount }) {
      const one = accounts.get(account);
      const asset = listing.bySymbol(symbol);
      if (one === null) return fail(notOpen);
      const millionths = Number(text(dec(amount).mul(1_000_000)));
      if (asset === undefined || !Number.isSafeInteger(millionths) || millionths === 0)
        return fail({ kind: 'rejected', message: 'The venue takes no such amount' });
      return trading.set(one.session, {
        ...{ type: 'updateIsolatedMargin', asset: asset.index, isBuy: true, ntli: millionths },
      });
    },
    async placeBatch(account, orders) {
      const one = accounts.get(account);
      if (one !== null) return trading.place(one.session, orders);
      return orders.map(({ clientOrderId }) => ({
        ...{
          kind: 'not_sent',
          clientOrderId,
          retryAt: clock.now() + FIRST_RETRY_MS,
          message: notOpen.message,
        },
      }));
    },
    async cancel(account, ref) {
      const one = accounts.get(account);
      return one === null ? fail(notOpen) : trading.cancel(one.session, ref);
    },
    async ordersByClientIds(account, refs) {
      const one = accounts.get(account);
      return one === null ? fail(notOpen) : ok(await trading.lookUp(one.session, refs));
    },
    async openOrders(account) {
      const one = accounts.get(account);
      if (one === null) return fail(notOpen);
      const told = await client.info(
        'recovery',
        { type: 'openOrders', user: one.session.user },
        wire.openOrders,
      );
      if (!told.ok) return told;
      return ok(
        told.value.flatMap(({ coin, oid, cloid, origSz, sz }) => {
          const units = listing.byCoin(coin)?.listed.units;
          if (units === undefined) return [];
          const filledQuantity = units.quantityToOurs(text(dec(origSz).minus(sz)));
          const clientOrderId = cloid ?? '';
          return [{ kind: 'resting' as const, clientOrderId, venueOrderId: oid, filledQuantity, fills: [] }];
        }),
      );
    },
    async positions(account) {
      const one = accounts.get(account);
      if (one === null) return fail(notOpen);
      const told = await accounts.readNow(one);
      return told.ok ? ok(told.value.positions) : told;
    },
    async balances(account) {
      const one = accounts.get(account);
      if (one === null) return fail(notOpen);
      const told = await accounts.readNow(one);
      return told.ok ? ok(told.value.balances) : told;
    },
    accountState(account) {
      const one = accounts.get(account);
      return one === null || !streams.up ? null : accounts.fresh(one);
    },
    async history(account, cursor) {
      const one = accounts.get(account);
      if (one === null) return fail(notOpen);
      return readHistory(deps, one.session, cursor, (fills) => sessions.clientIds(one.session, fills));
    },
  };
}
