/** Sends the orders of a check and waits for their ends. All orders are new, except one sent twice on purpose. */
import { type DecimalString, dec, text } from '../../../domain/decimal.ts';
import type { Instrument, Side } from '../../../domain/model.ts';
import { limitPrice } from '../../../domain/price-rules.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { clientOrderIdOf, ORDER_LIFETIME_MS } from '../../execution/prepare.ts';
import type {
  OrderLookup,
  OrderOutcome,
  PlaceOrder,
  Venue,
  VenueAccount,
  VenueFill,
  VenuePosition,
} from '../../ports/venue.ts';
import { FAR, NEAR, smallestAt } from './checked-instrument.ts';

const LOOK_EVERY_MS = 1_000;
/** Longer than an order's lifetime and the venue's settling time, ms. */
const ENDS_WITHIN_MS = 30_000;
const SHOWS_WITHIN_MS = 10_000;

export interface Wanted {
  readonly side: Side;
  /** Distance from the mark price: close enough to fill, or so far that nobody trades. */
  readonly price: 'near' | 'far';
  /** Base units; `step`: the smallest quantity step. Default: the smallest quantity that the venue accepts. */
  readonly quantity?: DecimalString | 'step';
  readonly expiresInMs?: number;
  /** An earlier order whose client order id is used again. */
  readonly again?: PlaceOrder;
}

export class CheckDesk {
  readonly #deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>;
  readonly #venue: Venue;
  readonly #account: VenueAccount;
  readonly #instrument: Instrument;
  /** Made like an execution's id, so that the venue sees the usual kind of order. */
  readonly #id: string;
  #legs = 0;

  constructor(
    deps: Pick<EngineDeps, 'clock' | 'ids' | 'market'>,
    venue: Venue,
    account: VenueAccount,
    instrument: Instrument,
  ) {
    this.#deps = deps;
    this.#venue = venue;
    this.#account = account;
    this.#instrument = instrument;
    this.#id = deps.ids.next();
  }

  get symbol(): string {
    return this.#instrument.id;
  }

  /** An order with a client order id of its own; not sent. */
  order({ side, price, quantity, expiresInMs, again }: Wanted): PlaceOrder {
    const instrument = this.#instrument;
    const { market, clock } = this.#deps;
    const mark = dec(market.quote(instrument.connector, instrument.id)?.mark ?? '0');
    const away = dec(price === 'near' ? NEAR : FAR);
    // Far means a price at which nobody sells: below the market for a buyer.
    const limit = limitPrice(mark, side, price === 'near' ? away : away.neg(), instrument);
    this.#legs += 1;
    return {
      clientOrderId: again?.clientOrderId ?? clientOrderIdOf(this.#id, this.#legs, 1),
      symbol: instrument.id,
      side,
      quantity: quantity === 'step' ? instrument.stepSize : (quantity ?? smallestAt(instrument, limit)),
      limitPrice: text(limit),
      timeInForce: 'IOC',
      reduceOnly: side === 'SELL',
      expiresAt: clock.now() + (expiresInMs ?? ORDER_LIFETIME_MS),
    };
  }

  async place(wanted: Wanted): Promise<{ readonly order: PlaceOrder; readonly outcome: OrderLookup }> {
    const order = this.order(wanted);
    const [outcome] = await this.#send([order]);
    return { order, outcome: outcome ?? silent(order) };
  }

  /** Places both orders in one batch. */
  async placeBoth(one: Wanted, other: Wanted): Promise<readonly [OrderLookup, OrderLookup]> {
    const orders = [this.order(one), this.order(other)] as const;
    const [first, second] = await this.#send(orders);
    return [first ?? silent(orders[0]), second ?? silent(orders[1])];
  }

  async lookUp(orders: readonly PlaceOrder[]): Promise<readonly OrderLookup[]> {
    const told = await this.#venue.ordersByClientIds(
      this.#account,
      orders.map(({ clientOrderId, symbol, side, quantity, expiresAt }) => ({
        clientOrderId,
        venueOrderId: null,
        sent: { symbol, side, quantity, expiresAt, sentAt: expiresAt - ORDER_LIFETIME_MS },
      })),
    );
    return told.ok ? told.value : orders.map(silent);
  }

  async position(): Promise<VenuePosition | null> {
    return (await this.#positions())?.find(({ symbol }) => symbol === this.symbol) ?? null;
  }

  /** Held quantity, signed base units; null: the venue did not answer. */
  async held(): Promise<DecimalString | null> {
    const positions = await this.#positions();
    if (positions === null) return null;
    return positions.find(({ symbol }) => symbol === this.symbol)?.quantity ?? '0';
  }

  /** Held quantity once the venue shows `expected`, else its value after `SHOWS_WITHIN_MS`. */
  async heldOnce(expected: DecimalString): Promise<DecimalString | null> {
    let held: DecimalString | null = null;
    await this.#until(SHOWS_WITHIN_MS, async () => {
      held = await this.held();
      return held !== null && dec(held).eq(expected);
    });
    return held;
  }

  async setLeverage(leverage: number) {
    const mode = (await this.position())?.marginMode ?? 'cross';
    return this.#venue.setLeverage(this.#account, { symbol: this.symbol, leverage, marginMode: mode });
  }

  showsLeverage(wanted: number): Promise<boolean> {
    return this.#until(SHOWS_WITHIN_MS, async () => (await this.position())?.leverage === wanted);
  }

  /** All fills of these orders; null: the venue does not report them. */
  async fillsOf(orders: readonly PlaceOrder[]): Promise<readonly VenueFill[] | null> {
    let fills: readonly VenueFill[] = [];
    const isWhole = await this.#until(SHOWS_WITHIN_MS, async () => {
      const told = await this.lookUp(orders);
      fills = told.flatMap((one) => (one.kind === 'done' ? one.fills : []));
      return told.every((one) => one.kind === 'done' && one.fills.length > 0);
    });
    return isWhole ? fills : null;
  }

  /** Venue's taker rate for this account; null: unknown. */
  get takerRate(): DecimalString | null {
    return this.#venue.feeRates?.(this.#account)?.taker ?? null;
  }

  async #positions(): Promise<readonly VenuePosition[] | null> {
    const told = await this.#venue.positions(this.#account);
    return told.ok ? told.value : null;
  }

  /** Sends the orders and returns their ends. Orders that the answer leaves open are looked up. */
  async #send(orders: readonly PlaceOrder[]): Promise<readonly OrderLookup[]> {
    const ends: OrderLookup[] = [...(await this.#venue.placeBatch(this.#account, orders))];
    await this.#until(ENDS_WITHIN_MS, async (isFirst) => {
      const open = orders.filter((_, index) => isOpen(ends[index]));
      if (open.length === 0) return true;
      if (isFirst) return false;
      const told = await this.lookUp(open);
      for (const [index, order] of open.entries()) {
        const answer = told[index];
        // A denial counts only long after the order's expiry: some venues deny orders that they are executing.
        if (answer !== undefined && answer.kind !== 'not_found') ends[orders.indexOf(order)] = answer;
      }
      return false;
    });
    return ends;
  }

  async #until(withinMs: number, look: (isFirst: boolean) => Promise<boolean>): Promise<boolean> {
    const { clock } = this.#deps;
    const until = clock.uptime() + withinMs;
    for (let isFirst = true; ; isFirst = false) {
      if (await look(isFirst)) return true;
      if (clock.uptime() >= until) return false;
      await clock.sleep(LOOK_EVERY_MS);
    }
  }
}

function isOpen(outcome: OrderLookup | undefined): boolean {
  return outcome === undefined || ['unknown', 'listed', 'accepted', 'resting'].includes(outcome.kind);
}

function silent({ clientOrderId }: PlaceOrder): OrderOutcome {
  return { kind: 'unknown', clientOrderId, message: 'the venue did not answer for it' };
}
