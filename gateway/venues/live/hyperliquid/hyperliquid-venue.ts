/** Hyperliquid behind the port: instruments, prices, accounts, orders. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { ConnectorInfo, Venue } from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { keepListing } from '../kit/listings.ts';
import { liveVenue } from '../kit/live-venue.ts';
import { OpenAccounts } from '../kit/open-accounts.ts';
import { createUnreadLog } from '../kit/unread-log.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { readKeys } from './access.ts';
import { readHistory } from './account-reads.ts';
import { accountStatus } from './account-status.ts';
import { Books } from './books.ts';
import { runCheck } from './check.ts';
import { createClient } from './client.ts';
import { checkAccess, completeApproval, prepareApproval } from './credentials.ts';
import { isTraded } from './listing.ts';
import { countListings, universeOf } from './listings.ts';
import { MarketData } from './market-data.ts';
import { ModeFollower } from './mode-follower.ts';
import type { Session } from './session.ts';
import { createSessions } from './sessions.ts';
import type { Network } from './signing/l1-action.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

/** Retry delay of openings after the last refusal, because the venue does not say when a post-only period ends. */
const POST_ONLY_MS = 30_000;
const STATE_EVERY_MS = 4_000;
/** Shortest time between two readings of an account. */
const APART_MS = 200;
const APART_WHEN_SCARCE_MS = 2_000;

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
  return liveVenue<Session>(info, host, (reports) => {
    const client = createClient({ ...options, clock, logger, onThrottled: reports.throttled });
    const venueClock = createVenueClock({
      clock,
      ask: async () => {
        const told = await client.info('recovery', { type: 'exchangeStatus' }, wire.exchangeStatus);
        return told.ok ? told.value.time : null;
      },
      onMeasured: reports.changed,
    });
    const market = new MarketData(info.id, clock);
    const listings = keepListing(universeOf({ id: info.id, client, logger, market }), {
      ...{ id: info.id, name: info.displayName, clock, logger, store },
      onChange: (fresh) => {
        market.use(fresh);
        reports.listed();
      },
      onRead: ({ assets }) => {
        streams.followBest(assets.filter(isTraded).map(({ coin }) => coin));
        reports.changed();
      },
    });
    const listing = listings.now;
    const sessions = createSessions({
      ...{ info, client, clock, venueClock, store, listing },
      onUnlisted: listings.look,
    });
    const note = createUnreadLog(clock, logger, 'Hyperliquid');
    const isFollowed = (user: string, mode: string): boolean =>
      accounts.sessions.some((session) => session.user === user && session.mode.word === mode);
    const deps = { client, clock, venueClock, network, keep: sessions.keep, isFollowed, listing, note };

    const followers = new WeakMap<Session, ModeFollower>();
    function followerOf(session: Session): ModeFollower {
      const follower =
        followers.get(session) ?? new ModeFollower(deps, session, ({ keys }, told) => deps.keep(keys, told));
      followers.set(session, follower);
      return follower;
    }
    const accounts = new OpenAccounts<Session>({
      clock,
      everyMs: STATE_EVERY_MS,
      apartMs: () => (client.isScarce() ? APART_WHEN_SCARCE_MS : APART_MS),
      read: (session) => followerOf(session).read('state'),
      async readFees({ user }) {
        const told = await client.info('history', { type: 'userFees', user }, wire.fees);
        return told.ok ? { taker: told.value.userCrossRate, maker: told.value.userAddRate } : null;
      },
      isUnsettled: ({ isSending }) => isSending,
    });
    const trading = new Trading({
      ...deps,
      onPostOnly: (reason) => reports.closesOnly(reason, POST_ONLY_MS),
      onAuth: reports.refused,
    });
    const streams = createStreams({
      ...{ url: options.streamUrl, clock, logger, note, market },
      sessionOf: (user) => accounts.sessions.find((session) => session.user === user),
      onUp: (isFirst) => {
        reports.up(isFirst);
        if (!isFirst) listings.look();
      },
      onDown: reports.changed,
      onCount: countListings(listings),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
    const limits = new Map<Session, Unsubscribe>();

    return {
      ...{ client, venueClock, clockWaitMs: 0, listings, market, streams, accounts, trading },
      statusOf: (one, streamsUpSince) => accountStatus({ clock, limits: client.limits, streamsUpSince }, one),
      async open(_account, { credentials }, current) {
        const keys = readKeys(credentials);
        if ('path' in keys) return fail({ kind: 'auth', message: keys.message });
        if (current === null || !(await sessions.isCurrent(current, keys))) return sessions.make(keys);
        keys.privateKey.fill(0);
        return ok('current');
      },
      opened: (session) => limits.set(session, client.limits.follow(session.user)),
      closed(session) {
        limits.get(session)?.();
        limits.delete(session);
      },
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
            return [
              { kind: 'resting' as const, clientOrderId, venueOrderId: oid, filledQuantity, fills: [] },
            ];
          }),
        );
      },
      history: (session, cursor) =>
        readHistory(deps, session, cursor, (fills) => sessions.clientIds(session, fills)),
      setLeverage: (session, asset, { leverage, marginMode }) =>
        trading.set(session, { type: 'updateLeverage', asset, isCross: marginMode === 'cross', leverage }),
      changeMargin: (session, asset, ntli) =>
        trading.set(session, { type: 'updateIsolatedMargin', asset, isBuy: true, ntli }),
      books: new Books(deps),
      check: (view, target, ...given) =>
        runCheck({ ...deps, ...view, origin: options.origin }, target?.access.credentials ?? null, ...given),
      port: {
        checkCredentials: ({ credentials }) => checkAccess(deps, credentials),
        prepareWallet: async (request) => ok(prepareApproval(deps, request)),
        completeWallet: (request, approval, signature) =>
          completeApproval(deps, request, approval, signature),
      },
    };
  });
}
