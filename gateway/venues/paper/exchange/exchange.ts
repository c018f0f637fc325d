/**
 * The paper exchange: decides what happens to orders and accounts. Synchronous and deterministic: the same market, the
 * same calls in the same order give the same effects. The exchange owns no clock, no file and no timer; `drain` hands
 * over the effects of the last calls, and its caller writes them to the journal before any call is answered.
 */
import { type Decimal, dec, floorTo, text, ZERO } from '../../../domain/decimal.ts';
import type { Instrument, Side } from '../../../domain/model.ts';
import type {
  ConnectorInfo,
  OrderOutcome,
  PlaceOrder,
  RejectionReason,
} from '../../../engine/ports/venue.ts';
import { outcomeOf, type PaperAccount, type PaperOrder } from '../accounts/account-state.ts';
import type { Effect, JournalEntry, Take } from '../accounts/journal-entry.ts';
import { type AccountMargin, accountMargin, type MarginMarket } from '../accounts/margin-view.ts';
import { refusalOf } from '../accounts/order-rules.ts';
import { PaperAccounts } from '../accounts/paper-accounts.ts';
import { PAPER_DEPOSIT } from '../market/connectors.ts';
import type { PaperMarket } from '../market/market-types.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { settleFunding } from './funding-settlement.ts';
import { liquidateWhereDue } from './liquidation.ts';
import { hasMarginFor } from './margin-check.ts';
import { fillEffect } from './trade-effects.ts';

/** Instructions of a fault for one order; empty where none is set. */
export interface OrderDirective {
  readonly reject?: { readonly reason: RejectionReason; readonly message: string };
  /** Share of the quantity that may fill, decimal fraction; the rest is cancelled. */
  readonly fillFraction?: string;
  /** The whole quantity fills at the mark price, beside the book. */
  readonly fillAtMark?: true;
}

export class PaperExchange {
  readonly accounts = new PaperAccounts();
  readonly view: MarginMarket;
  private readonly context: ExchangeContext;
  private readonly market: PaperMarket;
  private readonly instruments: ReadonlyMap<string, Instrument>;
  private readonly marks = new Map<string, { readonly quoted: string; readonly mark: Decimal }>();
  private margin: { readonly account: PaperAccount; readonly margin: AccountMargin } | null = null;
  private effects: Effect[] = [];
  private takes: Take[] = [];
  private lastN = 0;
  /** Market time up to which funding was settled. */
  private settledTo: number;

  constructor(options: {
    readonly info: ConnectorInfo;
    readonly market: PaperMarket;
    readonly wallOf: (marketAt: number) => number;
  }) {
    this.market = options.market;
    this.instruments = new Map(this.market.instruments.map((instrument) => [instrument.id, instrument]));
    this.settledTo = this.market.at;
    this.view = {
      instrument: (id) => this.instruments.get(id),
      mark: (id) => this.mark(id),
    };
    this.context = {
      info: options.info,
      market: this.market,
      view: this.view,
      accounts: this.accounts,
      emit: (effect) => {
        this.margin = null;
        this.accounts.apply(effect);
        this.effects.push(effect);
      },
      wallOf: options.wallOf,
    };
  }

  account(id: string): PaperAccount | undefined {
    return this.accounts.byId.get(id);
  }

  /**
   * Margin at the marks of this moment. Balances and positions are asked for together, and report what was reckoned once: it
   * stands until something happens to the market or to an account.
   */
  marginOf(account: PaperAccount): AccountMargin {
    if (this.margin?.account !== account) {
      this.margin = { account, margin: accountMargin(account, this.view) };
    }
    return this.margin.margin;
  }

  open(account: string): void {
    if (this.accounts.byId.has(account)) return;
    this.context.emit({ kind: 'opened', account, deposit: PAPER_DEPOSIT });
  }

  /** Cancels working orders and drops the positions; history and client order ids stay. @returns `at` */
  reset(account: PaperAccount, at: number): number {
    for (const clientOrderId of [...account.working.keys()]) this.close(account, clientOrderId, 'cancelled');
    this.context.emit({ kind: 'reset', account: account.id, deposit: PAPER_DEPOSIT });
    return at;
  }

  /** Applies a change of leverage or margin that leverage-rules.ts or margin-rules.ts has allowed. */
  change(effect: Extract<Effect, { kind: 'leverage' | 'margin' }>): void {
    this.context.emit(effect);
  }

  /**
   * Executes one order. If its client order id is known already, the first outcome is returned again. An order that has
   * left memory must have been recalled.
   */
  place(account: PaperAccount, order: PlaceOrder, at: number, directive: OrderDirective = {}): OrderOutcome {
    const seen = account.orders.get(order.clientOrderId);
    if (seen !== undefined) return outcomeOf(seen);
    const instrument = this.instruments.get(order.symbol);
    const held = account.positions.get(order.symbol)?.quantity ?? ZERO;
    const refusal =
      directive.reject ??
      refusalOf(order, {
        at,
        instrument,
        mark: this.mark(order.symbol),
        held,
        minimumWaiver: this.context.info.minimumWaiver,
      }) ??
      hasMarginFor(this.context, account, order);
    if (refusal !== null || instrument === undefined) {
      const { reason, message } = refusal ?? { reason: 'other' as const, message: 'No such instrument' };
      this.context.emit({ kind: 'rejected', account: account.id, order, reason, message });
    } else {
      this.execute(account, order, instrument, at, directive);
    }
    const record = account.orders.get(order.clientOrderId);
    if (record === undefined) throw new Error('an order left no trace');
    return outcomeOf(record);
  }

  cancel(account: PaperAccount, clientOrderId: string): void {
    this.close(account, clientOrderId, 'cancelled');
  }

  /**
   * After the market has advanced: resting orders that the quotes crossed fill, funding is settled, and accounts with
   * too little margin are liquidated. @param changed ids of instruments whose quote changed
   */
  tick(changed: readonly string[], at: number): void {
    this.margin = null;
    this.fillCrossed(new Set(changed), at);
    for (const settlement of this.market.settlements(this.settledTo, this.market.at)) {
      settleFunding(this.context, settlement);
    }
    this.settledTo = this.market.at;
    liquidateWhereDue(this.context, at);
  }

  /** The effects since the last call as one entry, null when nothing changed. */
  drain(at: number): JournalEntry | null {
    if (this.effects.length === 0) return null;
    this.lastN += 1;
    const entry = { n: this.lastN, at, marketAt: this.market.at, takes: this.takes, effects: this.effects };
    this.effects = [];
    this.takes = [];
    return entry;
  }

  /**
   * Applies a journaled entry after a restart.
   * @param withMarket false: the market need not be changed, because it is restored to a later point
   */
  replay(entry: JournalEntry, withMarket: boolean): void {
    if (withMarket) {
      if (entry.marketAt > this.market.at) this.market.advanceTo(entry.marketAt);
      for (const [id, side, quantity, limit] of entry.takes) this.market.take(id, side, quantity, limit);
    }
    for (const effect of entry.effects) this.accounts.apply(effect);
    this.continueFrom(entry.n, entry.marketAt);
  }

  continueFrom(n: number, settledTo: number): void {
    this.lastN = n;
    this.settledTo = Math.max(this.settledTo, settledTo);
  }

  get hasPending(): boolean {
    return this.effects.length > 0;
  }

  get fundingSettledTo(): number {
    return this.settledTo;
  }

  private execute(
    account: PaperAccount,
    order: PlaceOrder,
    instrument: Instrument,
    at: number,
    directive: OrderDirective,
  ): void {
    const { clientOrderId } = order;
    const venueOrderId = this.accounts.nextId(this.context.info.id, 'order');
    this.context.emit({ kind: 'accepted', account: account.id, order, venueOrderId });
    let wanted = dec(order.quantity);
    const held = account.positions.get(order.symbol)?.quantity.abs() ?? ZERO;
    if (order.reduceOnly && wanted.gt(held)) wanted = held;
    if (directive.fillFraction !== undefined) {
      wanted = floorTo(wanted.mul(directive.fillFraction), dec(instrument.stepSize));
    }
    if (wanted.gt(0)) {
      const mark = directive.fillAtMark === true ? this.mark(order.symbol) : undefined;
      const trades =
        mark === undefined
          ? this.take(order.symbol, order.side, text(wanted), order.limitPrice)
          : [{ price: text(mark), quantity: text(wanted) }];
      for (const trade of trades) {
        this.context.emit(
          fillEffect(this.context, account.id, { order, venueOrderId, trade, at, maker: false }),
        );
      }
    }
    const record = account.orders.get(clientOrderId);
    if (record?.filled.eq(order.quantity)) this.close(account, clientOrderId, 'filled');
    else if (order.timeInForce === 'IOC' || directive.fillFraction !== undefined) {
      this.close(account, clientOrderId, 'cancelled');
    } else if (order.reduceOnly && !account.positions.has(order.symbol)) {
      this.close(account, clientOrderId, 'cancelled');
    }
  }

  /** A resting order is a maker: it fills at its own limit, for as much as the market offers at that price or better. */
  private fillCrossed(changed: ReadonlySet<string>, at: number): void {
    for (const account of this.accounts.byId.values()) {
      for (const record of [...account.working.values()]) {
        if (changed.has(record.order.symbol)) this.fillResting(account, record, at);
      }
    }
  }

  private fillResting(account: PaperAccount, record: PaperOrder, at: number): void {
    const { order } = record;
    const quote = this.market.quote(order.symbol);
    if (quote === undefined) return;
    const crossed =
      order.side === 'BUY' ? dec(quote.ask).lte(order.limitPrice) : dec(quote.bid).gte(order.limitPrice);
    if (!crossed) return;
    let open = dec(order.quantity).minus(record.filled);
    if (order.reduceOnly) {
      const held = account.positions.get(order.symbol)?.quantity ?? ZERO;
      const opposes = !held.isZero() && held.isPositive() !== (order.side === 'BUY');
      if (!opposes) {
        this.close(account, order.clientOrderId, 'cancelled');
        return;
      }
      if (open.gt(held.abs())) open = held.abs();
    } else if (hasMarginFor(this.context, account, order, record) !== null) {
      // The margin reserved for this order has been lost on other positions. Real venues then cancel the order
      // instead of filling it into a liquidation.
      this.close(account, order.clientOrderId, 'cancelled');
      return;
    }
    const traded = this.take(order.symbol, order.side, text(open), order.limitPrice);
    const quantity = traded.reduce((total, trade) => total.plus(trade.quantity), ZERO);
    if (quantity.isZero()) return;
    const trade = { price: order.limitPrice, quantity: text(quantity) };
    const venueOrderId = record.venueOrderId ?? '';
    this.context.emit(fillEffect(this.context, account.id, { order, venueOrderId, trade, at, maker: true }));
    if (record.filled.eq(order.quantity)) this.close(account, order.clientOrderId, 'filled');
  }

  private take(id: string, side: Side, quantity: string, limit: string) {
    this.margin = null;
    this.takes.push([id, side, quantity, limit]);
    return this.market.take(id, side, quantity, limit);
  }

  private close(account: PaperAccount, clientOrderId: string, state: 'filled' | 'cancelled'): void {
    this.context.emit({ kind: 'closed', account: account.id, clientOrderId, state });
  }

  /** Mark price, parsed once per change of the quote. */
  private mark(id: string): Decimal | undefined {
    const quoted = this.market.quote(id)?.mark;
    if (quoted === undefined) return undefined;
    const known = this.marks.get(id);
    if (known?.quoted === quoted) return known.mark;
    const mark = dec(quoted);
    this.marks.set(id, { quoted, mark });
    return mark;
  }
}
