/** Hyperliquid behind the port: instruments, prices, accounts, orders. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  ConnectorStatus,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { readKeys } from './access.ts';
import { type Reading, readHistory, readState } from './account-reads.ts';
import { runCheck } from './check.ts';
import { createClient } from './client.ts';
import { checkAccess, completeApproval, prepareApproval } from './credentials.ts';
import { isTraded } from './listing.ts';
import { createListings } from './listings.ts';
import { MarketData } from './market-data.ts';
import type { Session } from './session.ts';
import { createSessions } from './sessions.ts';
import type { Network } from './signing/l1-action.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

const FIRST_RETRY_MS = 1_000;
/** How often the state of an open account is read, and how old a reading may be for a plan. */
const STATE_EVERY_MS = 4_000;
const STATE_FRESH_MS = 6_000;
/** Orders whose expiry this machine's clock would get wrong by so much are not opened. */
const WORST_OFFSET_MS = 30_000;
const WARN_OFFSET_MS = 1_000;

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

interface OpenAccount {
  readonly session: Session;
  /** A reading that has just begun: balances and positions that are asked for together are one question. */
  asking: Promise<Result<Reading, VenueError>> | null;
  reading: { readonly value: Reading; readonly version: number; readonly at: number } | null;
  cancelRead: Unsubscribe;
}

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
  });
  const market = new MarketData(info.id, clock);
  const open = new Map<string, OpenAccount>();
  const waiting = new Map<string, Set<(event: AccountEvent) => void>>();
  const statusListeners = new Set<(status: ConnectorStatus) => void>();
  const keyListeners = new Set<(account: VenueAccount, reason: string) => void>();
  let state: ConnectorStatus = { status: 'DOWN', since: clock.now(), reason: 'connecting' };
  let stopTimers: Unsubscribe[] = [];
  let isStopped = false;

  const listings = createListings({
    ...{ id: info.id, client, clock, logger, store, market },
    onRead: ({ assets }) => {
      streams.followBest(assets.filter(isTraded).map(({ coin }) => coin));
      judge();
    },
  });
  const listing = listings.now;
  const sessions = createSessions({
    info,
    client,
    clock,
    venueClock,
    network,
    store,
    listing,
  });
  const deps = { client, clock, venueClock, network, keep: sessions.keep, listing };
  const trading = new Trading({
    ...deps,
    onAuth(session, message) {
      logger.warn({ account: session.user, reason: message }, 'Hyperliquid refuses the key of an account');
      for (const [tradeAccountId, one] of open) {
        if (one.session !== session) continue;
        for (const listener of [...keyListeners])
          listener({ tradeAccountId, exchangeIdentifier: session.user }, message);
      }
    },
  });
  const streams = createStreams({
    url: options.streamUrl,
    clock,
    logger,
    market,
    sessionOf: (user) => [...open.values()].find(({ session }) => session.user === user)?.session,
    onUp: (isFirst) => {
      judge();
      if (isFirst) return;
      void venueClock.refresh();
      for (const { session } of open.values()) session.tell({ kind: 'reconnected' });
    },
    onDown: () => judge(),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  /** The connector's state, from what works. */
  function judge(): void {
    const offset = Math.abs(venueClock.offsetMs);
    const next: Omit<ConnectorStatus, 'since'> = isStopped
      ? { status: 'DOWN', reason: 'the gateway is stopping' }
      : listing().assets.length === 0
        ? { status: 'DOWN', reason: 'the venue has not answered yet' }
        : !streams.up
          ? { status: 'DOWN', reason: 'the stream of prices is interrupted' }
          : offset > WORST_OFFSET_MS
            ? { status: 'DEGRADED', reason: `this machine's clock is ${Math.round(offset / 1_000)} s off` }
            : { status: 'UP', reason: null };
    if (next.status === state.status && next.reason === state.reason) return;
    if (offset > WARN_OFFSET_MS)
      logger.warn({ offsetMs: venueClock.offsetMs }, 'the clock differs from the venue');
    state = { ...next, since: next.status === state.status ? state.since : clock.now() };
    for (const listener of [...statusListeners]) listener(state);
  }

  function sessionOf(account: VenueAccount): OpenAccount | null {
    return open.get(account.tradeAccountId) ?? null;
  }

  /**
   * Balances and positions as they are now. Plans wait for them, those of closing orders too, so they do not stand behind
   * other questions.
   */
  function readNow(one: OpenAccount): Promise<Result<Reading, VenueError>> {
    if (one.asking !== null) return one.asking;
    const { version } = one.session;
    const at = clock.uptime();
    const asking = readState(deps, one.session, 'open').then((told) => {
      if (told.ok) one.reading = { value: told.value, version, at };
      return told;
    });
    one.asking = asking;
    // Whoever asks later wants to know what is so later.
    queueMicrotask(() => {
      one.asking = null;
    });
    return asking;
  }

  async function keepReading(id: string): Promise<void> {
    const one = open.get(id);
    if (one === undefined) return;
    await readNow(one);
    if (open.get(id) !== one) return;
    one.cancelRead = clock.after(STATE_EVERY_MS, () => void keepReading(id));
  }

  function closed(account: VenueAccount): void {
    const one = open.get(account.tradeAccountId);
    if (one === undefined) return;
    open.delete(account.tradeAccountId);
    one.cancelRead();
    streams.leaveAccount(one.session);
    one.session.close();
  }

  const notOpen: VenueError = { kind: 'unknown', message: 'the account is not connected to the venue' };

  return {
    info,
    async start() {
      await listings.restore();
      client.channel.start();
      stopTimers.push(venueClock.start());
      streams.start();
      // The gateway does not wait for a venue.
      listings.start();
    },
    async stop() {
      isStopped = true;
      listings.stop();
      judge();
      for (const stop of stopTimers) stop();
      stopTimers = [];
      for (const { session, cancelRead } of open.values()) {
        cancelRead();
        session.close();
      }
      open.clear();
      market.stop();
      streams.close();
      client.close();
    },
    status: () => state,
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    instruments: () => listing().instruments,
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
      open.set(id, { session, asking: null, reading: null, cancelRead: () => {} });
      session.follow((event) => {
        for (const listener of [...(waiting.get(id) ?? [])]) listener(event);
      });
      streams.followAccount(session);
      void keepReading(id);
      return ok(undefined);
    },
    check: (target, tell, record) =>
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
          session: () => (target === null ? null : (sessionOf(target.account)?.session ?? null)),
        },
        target?.access.credentials ?? null,
        tell,
        record,
      ),
    onRefusedKey(listener) {
      keyListeners.add(listener);
      return () => keyListeners.delete(listener);
    },
    closeAccount: closed,
    async setLeverage(account, { symbol, leverage, marginMode }) {
      const one = sessionOf(account);
      const asset = listing().bySymbol(symbol);
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
      const one = sessionOf(account);
      const asset = listing().bySymbol(symbol);
      if (one === null) return fail(notOpen);
      const millionths = Number(text(dec(amount).mul(1_000_000)));
      if (asset === undefined || !Number.isSafeInteger(millionths) || millionths === 0)
        return fail({ kind: 'rejected', message: 'The venue takes no such amount' });
      return trading.set(one.session, {
        ...{ type: 'updateIsolatedMargin', asset: asset.index, isBuy: true, ntli: millionths },
      });
    },
    async placeBatch(account, orders) {
      const one = sessionOf(account);
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
      const one = sessionOf(account);
      return one === null ? fail(notOpen) : trading.cancel(one.session, ref);
    },
    async ordersByClientIds(account, refs) {
      const one = sessionOf(account);
      return one === null ? fail(notOpen) : ok(await trading.lookUp(one.session, refs));
    },
    async openOrders(account) {
      const one = sessionOf(account);
      if (one === null) return fail(notOpen);
      const told = await client.info(
        'recovery',
        { type: 'openOrders', user: one.session.user },
        wire.openOrders,
      );
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
    async positions(account) {
      const one = sessionOf(account);
      if (one === null) return fail(notOpen);
      const told = await readNow(one);
      return told.ok ? ok(told.value.positions) : told;
    },
    async balances(account) {
      const one = sessionOf(account);
      if (one === null) return fail(notOpen);
      const told = await readNow(one);
      return told.ok ? ok(told.value.balances) : told;
    },
    accountState(account) {
      const one = sessionOf(account);
      const reading = one?.reading ?? null;
      if (one === null || reading === null || !streams.up) return null;
      const isFresh = clock.uptime() - reading.at < STATE_FRESH_MS && reading.version === one.session.version;
      return isFresh ? reading.value : null;
    },
    async history(account, cursor) {
      const one = sessionOf(account);
      if (one === null) return fail(notOpen);
      return readHistory(deps, one.session, cursor, (fills) => sessions.clientIds(one.session, fills));
    },
  };
}
