/**
 * Calls of the port about one account, alike at every live venue: the account is looked up, requests that the venue
 * cannot accept are refused without asking it, and the venue's own part does the rest.
 */
import { dec } from '../../../domain/decimal.ts';
import type { Instrument } from '../../../domain/model.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type {
  AccountEvent,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  Venue,
  VenueAccount,
  VenueBalances,
  VenueError,
  VenuePosition,
} from '../../../engine/ports/venue.ts';

const NOT_OPEN = 'the account is not connected to the venue';
/** Retry delay of orders that could not leave because the account is not open yet. */
const AGAIN_MS = 1_000;
const MICRO = 1_000_000;

/** Money and positions of an account, as the venue reports them. */
export interface Reading {
  readonly balances: VenueBalances;
  readonly positions: readonly VenuePosition[];
}

interface Asset {
  /** Venue's index of the asset. */
  readonly index: number;
  readonly instrument: Instrument;
}

type Answer<Method extends 'ordersByClientIds' | 'openOrders' | 'history'> = ReturnType<Venue[Method]>;

export interface AccountParts<Session, Open extends { readonly session: Session }> {
  readonly clock: Clock;
  readonly listing: () => { bySymbol(symbol: string): Asset | undefined };
  readonly accounts: {
    get(account: VenueAccount): Open | null;
    readNow(one: Open): Promise<Result<Reading, VenueError>>;
    fresh(one: Open): Reading | null;
    streamed(one: Open): Reading | null;
  };
  /** True: the stream is complete. */
  readonly isStreaming: () => boolean;
  readonly trading: {
    place(session: Session, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]>;
    cancel(session: Session, ref: OrderRef): Promise<Result<void, VenueError>>;
  };
  lookUp(session: Session, refs: readonly OrderRef[]): Answer<'ordersByClientIds'>;
  openOrders(session: Session): Answer<'openOrders'>;
  history(session: Session, cursor: string | null): Answer<'history'>;
  /** @param leverage whole, and within the instrument's maximum */
  setLeverage(
    session: Session,
    asset: number,
    setting: { readonly leverage: number; readonly marginMode: 'cross' | 'isolated' },
  ): ReturnType<Venue['setLeverage']>;
  /** @param millionths of a USD, not 0; negative: back */
  changeMargin(session: Session, asset: number, millionths: number): Promise<Result<void, VenueError>>;
}

type AccountCalls = Required<
  Pick<
    Venue,
    | 'setLeverage'
    | 'changeMargin'
    | 'placeBatch'
    | 'cancel'
    | 'ordersByClientIds'
    | 'openOrders'
    | 'positions'
    | 'balances'
    | 'accountState'
    | 'history'
  >
>;

const notOpen = fail<VenueError>({ kind: 'not_ready', message: NOT_OPEN });
const rejected = (message: string) => fail<VenueError>({ kind: 'rejected', message });

export function accountCalls<Session, Open extends { readonly session: Session }>(
  parts: AccountParts<Session, Open>,
): AccountCalls {
  const { accounts, trading, clock, listing } = parts;

  async function about<T>(
    account: VenueAccount,
    ask: (one: Open) => Promise<Result<T, VenueError>>,
  ): Promise<Result<T, VenueError>> {
    const one = accounts.get(account);
    return one === null ? notOpen : ask(one);
  }
  const read = <T>(account: VenueAccount, part: (reading: Reading) => T) =>
    about(account, async (one) => {
      const told = await accounts.readNow(one);
      return told.ok ? ok(part(told.value)) : told;
    });

  return {
    setLeverage: (account, { symbol, leverage, marginMode }) =>
      about(account, async ({ session }) => {
        const asset = listing().bySymbol(symbol);
        if (asset === undefined) return rejected(`The venue does not list ${symbol}`);
        const { maxLeverage, marginModes } = asset.instrument;
        if (!marginModes.includes(marginMode))
          return rejected(`${symbol} has no ${marginMode} margin at the venue`);
        if (!Number.isInteger(leverage) || leverage < 1 || leverage > maxLeverage)
          return rejected(`${symbol} has leverages from 1 to ${maxLeverage} at the venue`);
        return parts.setLeverage(session, asset.index, { leverage, marginMode });
      }),
    changeMargin: (account, { symbol, amount }) =>
      about(account, async ({ session }) => {
        const asset = listing().bySymbol(symbol);
        const micro = dec(amount).mul(MICRO);
        const millionths = micro.toNumber();
        const isWhole = micro.isInteger() && Number.isSafeInteger(millionths);
        if (asset === undefined || !isWhole || millionths === 0)
          return rejected('The venue takes no such amount');
        return parts.changeMargin(session, asset.index, millionths);
      }),
    async placeBatch(account, orders) {
      const one = accounts.get(account);
      if (one !== null) return trading.place(one.session, orders);
      return orders.map(({ clientOrderId }) => ({
        ...{ kind: 'not_sent', clientOrderId, retryAt: clock.now() + AGAIN_MS, message: NOT_OPEN },
      }));
    },
    cancel: (account, ref) => about(account, ({ session }) => trading.cancel(session, ref)),
    ordersByClientIds: (account, refs) => about(account, ({ session }) => parts.lookUp(session, refs)),
    openOrders: (account) => about(account, ({ session }) => parts.openOrders(session)),
    positions: (account) => read(account, ({ positions }) => positions),
    async balances(account) {
      const one = accounts.get(account);
      // The data of a stream costs no request.
      const streamed = one !== null && parts.isStreaming() ? accounts.streamed(one) : null;
      return streamed === null ? read(account, ({ balances }) => balances) : ok(streamed.balances);
    },
    accountState(account) {
      const one = accounts.get(account);
      return one === null || !parts.isStreaming() ? null : accounts.fresh(one);
    },
    history: (account, cursor) => about(account, ({ session }) => parts.history(session, cursor)),
  };
}

/** Listeners of each account, whether it is open yet or not. */
export class AccountListeners {
  readonly #listeners = new Map<string, Set<(event: AccountEvent) => void>>();

  follow({ tradeAccountId }: VenueAccount, listener: (event: AccountEvent) => void): Unsubscribe {
    const listeners = this.#listeners.get(tradeAccountId) ?? new Set();
    this.#listeners.set(tradeAccountId, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  tell({ tradeAccountId }: VenueAccount, event: AccountEvent): void {
    for (const listener of [...(this.#listeners.get(tradeAccountId) ?? [])]) listener(event);
  }
}
