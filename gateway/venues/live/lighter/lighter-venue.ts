/** Lighter behind the port: instruments, prices, accounts, orders. */
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { VenueBook } from '../../../domain/order-book.ts';
import { fail, ok } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  ConnectorInfo,
  ExpectedOrder,
  Venue,
  VenueAccess,
  VenueAccount,
  VenueNetwork,
} from '../../../engine/ports/venue.ts';
import type { VenueHost } from '../../venue-plug.ts';
import { AccountListeners, accountCalls } from '../kit/account-calls.ts';
import { previewOf, shownBook, sideFor } from '../kit/book-preview.ts';
import { Readiness } from '../kit/readiness.ts';
import { createUnreadLog } from '../kit/unread-log.ts';
import { createVenueClock } from '../kit/venue-clock.ts';
import { type Keys, readKeys } from './access.ts';
import { createAccountWatch } from './account-watch.ts';
import { outcomeOf } from './answers.ts';
import { runCheck } from './check.ts';
import { createClient } from './client.ts';
import { ClientIds } from './client-ids.ts';
import { checkAccess } from './credentials.ts';
import { readHistory } from './history.ts';
import { WHOLE } from './listing.ts';
import { createListings } from './listings.ts';
import { MarketData } from './market-data.ts';
import { type OpenAccount, OpenAccounts } from './open-accounts.ts';
import { Session } from './session.ts';
import type { Integrator } from './setup/integrator-setting.ts';
import { createSetup } from './setup/setup.ts';
import { completeWallet, prepareWallet } from './setup/wallet-connection.ts';
import { createNonceQueues, createSigner, type Signer } from './signer.ts';
import { CHAIN_ID } from './signing/signing.ts';
import { createStreams } from './streams.ts';
import { Trading } from './trading.ts';
import * as wire from './wire.ts';

const FIRST_RETRY_MS = 1_000;
/** The stream has milliseconds; without it there are whole seconds, half a second behind on average. */
const HALF_A_SECOND = 500;
const CLOCK_WITHOUT_STREAM_MS = 5_000;

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
  const client = createClient({
    ...options,
    clock,
    onThrottled: (until) => {
      stopBan();
      stopBan = readiness.judgeAgainAt(until);
    },
  });
  let stopBan: Unsubscribe = () => {};
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
    onMeasured: () => readiness.judge(),
  });
  const market = new MarketData(info.id, clock);
  const listeners = new AccountListeners();
  const instrumentListeners = new Set<() => void>();
  const keyListeners = new Set<(account: VenueAccount, reason: string) => void>();
  let stopTimers: Unsubscribe[] = [];

  const listings = createListings({
    ...{ id: info.id, client, clock, logger, store },
    onChange: (fresh) => {
      market.use(fresh);
      streams.followBest(fresh.assets.filter(isTraded).map(({ index }) => index));
      for (const listener of [...instrumentListeners]) listener();
      // Their trades before the listing are in their history.
      for (const { session } of accounts.all) if (session.heldSince !== null) session.missed();
    },
    onRead: () => readiness.judge(),
  });
  const listing = listings.now;
  const note = createUnreadLog(clock, logger, 'Lighter');
  const accounts = new OpenAccounts({ client, clock, listing });
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

  function onAuth(session: Session, message: string): void {
    const one = accounts.all.find((other) => other.session === session);
    if (one === undefined) return;
    session.refusal = { reason: message, at: clock.now() };
    watch.look();
    logger.warn({ account: session.accountIndex, reason: message }, 'Lighter refuses the key of an account');
    for (const listener of [...keyListeners]) listener(one.account, message);
  }
  const trading = new Trading({ client, clock, venueClock, listing, onAuth });
  const streams = createStreams({
    url: options.streamUrl,
    clock,
    logger,
    market,
    onUp: (isFirst) => {
      streamsUpSince = clock.uptime();
      readiness.judge();
      if (readiness.isWaking) void wakeUp();
      if (isFirst) {
        beginClock();
        return;
      }
      void venueClock.refresh();
      for (const { session } of accounts.all) session.tell({ kind: 'reconnected' });
    },
    onDown: () => readiness.judge(),
    onUnlisted: () => listings.look(),
    onBegun: (session) => accounts.confirm(session),
    note,
    onGap: (session) => session.tell({ kind: 'reconnected' }),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const readiness = new Readiness({
    ...{ clock, logger, venueClock: () => venueClock },
    hasListing: () => listing().assets.length > 0,
    isStreaming: () => streams.up,
    opensAgainAt: client.opensAgainAt,
  });
  let streamsUpSince = 0;
  const watch = createAccountWatch({
    ...{ clock, accounts },
    streamsUpSince: () => (streams.up ? streamsUpSince : null),
  });

  let isClockRunning = false;
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

  function closed(account: VenueAccount): void {
    const session = accounts.remove(account);
    if (session === null) return;
    streams.leaveAccount(session);
    session.close();
  }

  const calls = accountCalls<Session, OpenAccount>({
    ...{ clock, listing, accounts, trading },
    isStreaming: () => streams.up,
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
    history: (session, cursor) => readHistory({ client, clock, venueClock, listing, note }, session, cursor),
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
  });

  async function expected(order: ExpectedOrder): Promise<BookPreview | null> {
    const asset = listing().bySymbol(order.symbol);
    const book = asset === undefined ? null : await streams.book(asset.index, 'preview');
    return asset === undefined || book === null
      ? null
      : previewOf(order, sideFor(book, order.side), asset.listed.units);
  }

  async function shown(symbol: string, levels: number): Promise<VenueBook | null> {
    const asset = listing().bySymbol(symbol);
    const book = asset === undefined ? null : await streams.book(asset.index, 'look');
    return asset === undefined || book === null ? null : shownBook(book, levels, asset.listed.units);
  }

  return {
    info,
    ...calls,
    async balances(account) {
      // The stream's data costs none of the sixty requests a minute.
      const streamed = streams.up ? accounts.get(account)?.session.reading(clock.now()) : null;
      return streamed == null ? calls.balances(account) : ok(streamed.balances);
    },
    async start() {
      await listings.restore();
      client.channel.start();
      // The stream gives the time exactly and without requests.
      stopTimers.push(clock.after(CLOCK_WITHOUT_STREAM_MS, beginClock));
      streams.start();
      // The gateway does not wait for a venue.
      listings.start();
      watch.start();
    },
    async stop() {
      readiness.isStopped = true;
      readiness.judge();
      listings.stop();
      watch.stop();
      stopBan();
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
    async openAccount(account: VenueAccount, access?: VenueAccess) {
      if (access === undefined) return fail({ kind: 'auth', message: 'no credentials' });
      const keys = readKeys(access.credentials);
      if ('path' in keys) return fail({ kind: 'auth', message: keys.message });
      // Repeated when the venue is back: the session keeps its knowledge of orders on their way.
      if (accounts.get(account)?.session.serves(keys) === true) {
        keys.key.wipe();
        return ok(undefined);
      }
      closed(account);
      const prefix = `venue:${info.id}:order:${keys.accountIndex}`;
      const signer = createSigner(signerDeps, keys, queues(keys), (message) => onAuth(session, message));
      const onUnlisted = () => listings.look();
      const session = new Session({
        ...{ signer, ids: new ClientIds(store, prefix), listing, clock, onUnlisted },
      });
      session.follow((event) => listeners.tell(account, event));
      accounts.add(account, session);
      streams.followAccount(session);
      // So that the first order need not wait for them.
      void signer.nonces.warm('history');
      void keys.key.warmUp();
      return ok(undefined);
    },
    check: (target, tell, record, further) =>
      runCheck(
        {
          ...{ client, clock, venueClock, listing, network, signerWith, origin: options.origin },
          streamUp: () => streams.up,
          onPrices: (listener) => {
            let isFirst = true;
            return market.follow(() => {
              if (!isFirst) listener();
              isFirst = false;
            });
          },
          open: () => (target === null ? null : accounts.get(target.account)),
          readFees: (one) => accounts.readFees(one),
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
    book: async (symbol, levels) => ok(await shown(symbol, levels)),
    expectedFills: async (orders) => ok(await Promise.all(orders.map(expected))),
  };
}

function isTraded({
  instrument,
}: {
  readonly instrument: { readonly tradeability: { readonly status: string } };
}) {
  return instrument.tradeability.status !== 'not_tradable';
}
