/** Lighter behind the port: instruments, prices, accounts, orders. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok } from '../../../domain/result.ts';
import type { ConnectorInfo, Venue, VenueNetwork } from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { previewOf, shownBook, sideFor } from '../kit/book-preview.ts';
import { keepListing } from '../kit/listings.ts';
import { liveVenue } from '../kit/live-venue.ts';
import { OpenAccounts } from '../kit/open-accounts.ts';
import { createUnreadLog } from '../kit/unread-log.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { type Keys, readKeys } from './access.ts';
import { readingOf } from './account-books.ts';
import { readAccount } from './account-reads.ts';
import { accountStatus } from './account-status.ts';
import { FEE_TICK, outcomeOf } from './answers.ts';
import { runCheck } from './check.ts';
import { createClient } from './client.ts';
import { ClientIds } from './client-ids.ts';
import { checkAccess } from './credentials.ts';
import { readHistory } from './history.ts';
import { WHOLE } from './listing.ts';
import { marketsOf } from './listings.ts';
import { MarketData } from './market-data.ts';
import { Session } from './session.ts';
import type { Integrator } from './setup/integrator-setting.ts';
import { createSetup } from './setup/setup.ts';
import { completeWallet, prepareWallet } from './setup/wallet-connection.ts';
import { createNonceQueues, createSigner, type Signer } from './signer.ts';
import { CHAIN_ID } from './signing/signing.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

/** The stream has milliseconds; without it there are whole seconds, half a second behind on average. */
const HALF_A_SECOND = 500;
const CLOCK_WITHOUT_STREAM_MS = 5_000;
/** Interval of readings besides the stream's balances and positions. */
const STATE_EVERY_MS = 60_000;
/**
 * Shortest time between two readings of an account. While the limit is scarce, plans of a few busy accounts would
 * otherwise take all of it from questions about orders.
 */
const APART_MS = 500;
const APART_WHEN_SCARCE_MS = 4_000;

export interface LighterOptions {
  readonly info: ConnectorInfo;
  readonly network: VenueNetwork;
  /** Origin of the HTTP endpoints. */
  readonly origin: string;
  /** Address of the WebSocket. */
  readonly streamUrl: string;
  readonly host: VenueHost;
  /** Account that may take a fee beside the venue; null: none. */
  readonly integrator?: Integrator | null;
  /** Requests, and transactions, a minute. Default: the venue's. */
  readonly perMinute?: number;
  /** Certificates that are trusted instead of the machine's, for tests. */
  readonly ca?: string;
  /** Sees every byte that leaves, for tests. */
  readonly tap?: (bytes: Buffer) => void;
}

export function createLighter(options: LighterOptions): Venue {
  const { info, network, host } = options;
  const { clock, logger, store } = host;
  const chainId = CHAIN_ID[network];
  return liveVenue<Session>(info, host, (reports) => {
    const client = createClient({ ...options, clock, onThrottled: reports.throttled });
    const venueClock = createVenueClock({
      clock,
      ask: async () => {
        const streamed = await streams.askTime();
        if (streamed !== null) return streamed;
        const told = await client.get({ lane: 'recovery', path: '/' }, wire.status);
        if (!told.ok) return null;
        const { timestamp } = told.value;
        return timestamp < 100_000_000_000 ? timestamp * 1_000 + HALF_A_SECOND : timestamp;
      },
      onMeasured: reports.changed,
    });
    const market = new MarketData(info.id, clock);
    const listings = keepListing(marketsOf({ id: info.id, client, logger }), {
      ...{ id: info.id, name: info.displayName, clock, logger, store },
      onChange: (fresh) => {
        market.use(fresh);
        streams.followBest(fresh.assets.filter(isTraded).map(({ index }) => index));
        reports.listed();
      },
      onRead: reports.changed,
    });
    const listing = listings.now;
    const note = createUnreadLog(clock, logger, 'Lighter');
    const accounts = new OpenAccounts<Session>({
      clock,
      everyMs: STATE_EVERY_MS,
      apartMs: () => (client.isScarce() ? APART_WHEN_SCARCE_MS : APART_MS),
      async read({ accountIndex, books }) {
        const asked = books.version;
        const told = await readAccount({ client }, accountIndex, 'lookup');
        if (!told.ok) return told;
        books.confirm(told.value.positions, asked);
        return ok(readingOf(listing(), told.value));
      },
      async readFees({ accountIndex, signer }) {
        const query = { account_index: accountIndex };
        const told = await signer.get({ lane: 'history', path: '/api/v1/accountLimits', query }, wire.limits);
        if (!told.ok) return null;
        const rate = (ticks: number) => text(dec(ticks).div(FEE_TICK));
        return {
          taker: rate(told.value.current_taker_fee_tick),
          maker: rate(told.value.current_maker_fee_tick),
        };
      },
      isUnsettled: (session) => session.hasOrdersInFlight(clock.now()),
      streamed: ({ books }) => books.reading(listing()),
    });
    const queues = createNonceQueues(client);
    const signerDeps = { client, clock, venueClock, chainId };
    const signerWith = (keys: Keys): Signer => createSigner(signerDeps, keys, queues(keys));
    const setup = createSetup(
      {
        ...{ client, clock, venueClock, network, chainId },
        signerFor(credentials) {
          const keys = readKeys(credentials);
          return 'path' in keys ? fail(keys) : ok(signerWith(keys));
        },
      },
      options.integrator ?? null,
    );
    const trading = new Trading({ client, clock, venueClock, listing, onAuth: reports.refused });
    const streams = createStreams({
      ...{ url: options.streamUrl, clock, logger, market, note },
      onUp: reports.up,
      onDown: reports.changed,
      onUnlisted: listings.look,
      // The stream of an account has begun again: it counts once an answer agrees with it.
      onBegun(session) {
        const one = accounts.of(session);
        if (one !== null) void accounts.readNow(one);
      },
      onGap: (session) => session.tell({ kind: 'reconnected' }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });

    async function bookOf(symbol: string, lane: 'preview' | 'look') {
      const asset = listing().bySymbol(symbol);
      const book = asset === undefined ? null : await streams.book(asset.index, lane);
      return asset === undefined || book === null ? null : { book, units: asset.listed.units };
    }

    return {
      ...{ client, venueClock, clockWaitMs: CLOCK_WITHOUT_STREAM_MS, listings, market, streams },
      ...{ accounts, trading },
      statusOf: (one, streamsUpSince) => accountStatus({ clock, streamsUpSince }, one),
      async open(_account, { credentials }, current) {
        const keys = readKeys(credentials);
        if ('path' in keys) return fail({ kind: 'auth', message: keys.message });
        if (current?.serves(keys) === true) {
          keys.key.wipe();
          return ok('current');
        }
        const prefix = `venue:${info.id}:order:${keys.accountIndex}`;
        const signer = createSigner(signerDeps, keys, queues(keys), (message) =>
          reports.refused(session, message),
        );
        const session = new Session({
          ...{ signer, ids: new ClientIds(store, prefix), listing, clock, onUnlisted: listings.look },
        });
        return ok(session);
      },
      // So that the first order need not wait for them.
      opened({ signer }) {
        void signer.nonces.warm('history');
        void signer.key.warmUp();
      },
      lookUp: (session, refs) => trading.lookUp(session, refs),
      async openOrders({ signer, ids, accountIndex }) {
        const query = { account_index: accountIndex, market_type: 'perp' };
        const told = await signer.get(
          { lane: 'recovery', path: '/api/v1/accountActiveOrders', query },
          wire.orders,
        );
        if (!told.ok) return told;
        const open = await Promise.all(
          told.value.orders.map(async (order) => {
            const outcome = outcomeOf(listing(), order, (await ids.nameOf(order.client_order_index)) ?? '');
            return outcome.kind === 'unknown' ? [] : [outcome];
          }),
        );
        return ok(open.flat());
      },
      history: (session, cursor) =>
        readHistory({ client, clock, venueClock, listing, note }, session, cursor),
      setLeverage: (session, marketIndex, { leverage, marginMode }) =>
        trading.set(session, {
          kind: 'updateLeverage',
          marketIndex,
          initialMarginFraction: Math.ceil(WHOLE / leverage),
          marginMode,
        }),
      changeMargin: (session, marketIndex, millionths) =>
        trading.set(session, {
          kind: 'updateMargin',
          marketIndex,
          usdcAmount: BigInt(Math.abs(millionths)),
          direction: millionths < 0 ? 'remove' : 'add',
        }),
      books: {
        async shown(symbol, levels) {
          const known = await bookOf(symbol, 'look');
          return known === null ? null : shownBook(known.book, levels, known.units);
        },
        async preview(order) {
          const known = await bookOf(order.symbol, 'preview');
          return known === null ? null : previewOf(order, sideFor(known.book, order.side), known.units);
        },
      },
      check: (view, target, ...given) =>
        runCheck(
          {
            ...{ client, clock, venueClock, listing, network, signerWith, origin: options.origin, ...view },
            readFees: (one) => accounts.readFees(one),
          },
          target?.access.credentials ?? null,
          ...given,
        ),
      port: {
        checkCredentials: ({ credentials }) => checkAccess({ client, signerWith }, credentials),
        prepareWallet: (request) => prepareWallet(setup, info.displayName, request),
        completeWallet: (_request, approval, signature) =>
          completeWallet(
            setup,
            (credentials) => checkAccess({ client, signerWith }, credentials),
            approval,
            signature,
          ),
        setup: async () => setup,
      },
    };
  });
}

function isTraded({
  instrument,
}: {
  readonly instrument: { readonly tradeability: { readonly status: string } };
}) {
  return instrument.tradeability.status !== 'not_tradable';
}
