/**
 * A live venue whose program is loaded when the first account uses it, so that a gateway without live accounts neither
 * pays for it nor connects anywhere. Until then it has no instruments and no prices.
 */
import { fail } from '../../../domain/result.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  AccountEvent,
  ConnectorInfo,
  MarketUpdate,
  Venue,
  VenueAccount,
} from '../../../engine/ports/venue.ts';
import type { ConnectorStatus } from '../../../engine/ports/venue-status.ts';

const UNUSED = { reason: 'no account uses it', isUnused: true };
const LOADING = { reason: 'connecting' };
const NOT_OPEN = { kind: 'not_ready', message: 'the account is not connected to the venue' } as const;

export function createLazyVenue(options: {
  readonly info: ConnectorInfo;
  readonly clock: Clock;
  /** Makes the venue; it is started here. */
  readonly load: () => Promise<Venue>;
  /** Nothing is loaded before: a program of this size would hold the gateway's start up. */
  readonly whenServing?: Promise<void>;
}): Venue {
  const { info, clock } = options;
  const made = clock.now();
  let venue: Venue | null = null;
  let loading: Promise<Venue> | null = null;
  let hasBegun = false;
  let isStopped = false;
  const statusListeners = new Set<(status: ConnectorStatus) => void>();
  /** Callers from before the venue was loaded, joined to it afterwards. */
  const joins = new Set<(loaded: Venue) => void>();

  async function load(): Promise<Venue> {
    await options.whenServing;
    if (isStopped) throw new Error('the gateway is stopping');
    hasBegun = true;
    return options.load();
  }

  function use(): Promise<Venue> {
    loading ??= load().then(async (loaded) => {
      await loaded.start();
      venue = loaded;
      if (isStopped) await loaded.stop();
      loaded.onStatus((status) => {
        for (const listener of [...statusListeners]) listener(status);
      });
      for (const join of [...joins]) join(loaded);
      joins.clear();
      for (const listener of [...statusListeners]) listener(loaded.status());
      return loaded;
    });
    // A program that could not be loaded is tried again with the next use.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  }

  function whenLoaded(join: (loaded: Venue) => Unsubscribe): Unsubscribe {
    if (venue !== null) return join(venue);
    let leave: Unsubscribe = () => {};
    const later = (loaded: Venue) => {
      leave = join(loaded);
    };
    joins.add(later);
    return () => {
      joins.delete(later);
      leave();
    };
  }

  const asked = async <T>(work: (loaded: Venue) => Promise<T>, otherwise: T): Promise<T> =>
    venue === null ? otherwise : work(venue);

  return {
    info,
    start: async () => {},
    async stop() {
      isStopped = true;
      if (!hasBegun) return;
      const loaded = await loading?.catch(() => null);
      await loaded?.stop();
    },
    woke: () => venue?.woke?.(),
    status: () =>
      venue?.status() ?? { status: 'DOWN', since: made, ...(loading === null ? UNUSED : LOADING) },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    instruments: () => venue?.instruments() ?? NONE,
    onInstruments: (listener) =>
      whenLoaded((loaded) => {
        // Announces the instruments of the last run, which are there as soon as the program is.
        listener();
        return loaded.onInstruments?.(listener) ?? (() => {});
      }),
    marketStream(listener) {
      if (venue === null) listener(nothing(info.id, clock.now()));
      return whenLoaded((loaded) => loaded.marketStream(listener));
    },
    accountStream: (account: VenueAccount, listener: (event: AccountEvent) => void) =>
      whenLoaded((loaded) => loaded.accountStream(account, listener)),
    checkCredentials: async (access) =>
      (await use()).checkCredentials?.(access) ??
      fail({ kind: 'unsupported', message: 'It takes no credentials' }),
    prepareWallet: async (request) =>
      (await use()).prepareWallet?.(request) ??
      fail({ kind: 'unsupported', message: 'No wallet can make a key' }),
    completeWallet: async (request, approval, signature) =>
      (await use()).completeWallet?.(request, approval, signature) ??
      fail({ kind: 'unsupported', message: 'No wallet can make a key' }),
    ...(info.capabilities.includes('exchange_setup')
      ? {
          setup: async () => {
            const loaded = await use();
            if (loaded.setup === undefined) throw new Error(`${info.id} has no account set-up`);
            return loaded.setup();
          },
        }
      : {}),
    openAccount: async (account, access) => (await use()).openAccount(account, access),
    check: async (target, tell, record, further) => (await use()).check?.(target, tell, record, further),
    feeRates: (account) => venue?.feeRates?.(account) ?? null,
    accountStatus: (account) => venue?.accountStatus?.(account) ?? null,
    onAccountStatus: (listener) => whenLoaded((loaded) => loaded.onAccountStatus?.(listener) ?? (() => {})),
    onRefusedKey: (listener) => whenLoaded((loaded) => loaded.onRefusedKey?.(listener) ?? (() => {})),
    closeAccount: (account) => venue?.closeAccount?.(account),
    setLeverage: (account, setting) =>
      asked((loaded) => loaded.setLeverage(account, setting), fail(NOT_OPEN)),
    changeMargin: (account, change) =>
      asked(
        async (loaded) => (await loaded.changeMargin?.(account, change)) ?? fail(NOT_OPEN),
        fail(NOT_OPEN),
      ),
    placeBatch: (account, orders) =>
      asked(
        (loaded) => loaded.placeBatch(account, orders),
        orders.map(({ clientOrderId }) => ({
          ...{ kind: 'not_sent', clientOrderId, retryAt: clock.now() + 1_000, message: NOT_OPEN.message },
        })),
      ),
    cancel: (account, order) => asked((loaded) => loaded.cancel(account, order), fail(NOT_OPEN)),
    ordersByClientIds: (account, orders) =>
      asked((loaded) => loaded.ordersByClientIds(account, orders), fail(NOT_OPEN)),
    openOrders: (account) => asked((loaded) => loaded.openOrders(account), fail(NOT_OPEN)),
    positions: (account) => asked((loaded) => loaded.positions(account), fail(NOT_OPEN)),
    balances: (account) => asked((loaded) => loaded.balances(account), fail(NOT_OPEN)),
    accountState: (account) => venue?.accountState?.(account) ?? null,
    expectedFills: (orders) =>
      asked(async (loaded) => (await loaded.expectedFills?.(orders)) ?? fail(NOT_OPEN), fail(NOT_OPEN)),
    book: (symbol, levels) =>
      asked(async (loaded) => (await loaded.book?.(symbol, levels)) ?? fail(NOT_OPEN), fail(NOT_OPEN)),
    history: (account, cursor) => asked((loaded) => loaded.history(account, cursor), fail(NOT_OPEN)),
  };
}

const NONE: ReturnType<Venue['instruments']> = [];

function nothing(connector: string, at: number): MarketUpdate {
  return { connector, at, quotes: [] };
}
