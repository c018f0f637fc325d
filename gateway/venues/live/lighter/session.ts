/**
 * One account at Lighter: its key, its stream's data, and the outcomes of its sent orders. Orders and trades carry our
 * number of the order, which is turned back into the engine's id.
 */
import { dec, sum } from '../../../domain/decimal.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { AccountEvent, OrderOutcome, VenueFill } from '../../../engine/ports/venue.ts';
import { LiveSession } from '../kit/live-session.ts';
import { SharedReading } from '../kit/shared-reading.ts';
import type { Keys } from './access.ts';
import { AccountBooks } from './account-books.ts';
import { fillOf, outcomeOf, paymentOf, sidesOf } from './answers.ts';
import type { ClientIds } from './client-ids.ts';
import type { Walks } from './history.ts';
import { isUnlisted, type Listing } from './listing.ts';
import type { Signer } from './signer.ts';
import { endOf, type TxEnd } from './tx-end.ts';
import type * as wire from './wire.ts';

/** Number of orders whose ends and fills are remembered; older ones are looked up. */
const MOST_ORDERS = 5_000;
const MOST_TRADES = 20_000;
const MOST_TXS = 500;
/** Time between two subscriptions after gaps of the stream: an account has 60 requests a minute. */
const APART_MS = 15_000;

/** Known state of a sent order. */
export type SentState =
  /** The venue may have it. */
  | { readonly kind: 'sent' }
  /** The venue does not have it: it may be sent again. */
  | { readonly kind: 'free' }
  /** Refused for good. */
  | { readonly kind: 'refused'; readonly outcome: OrderOutcome };

export interface SessionOptions {
  readonly signer: Signer;
  readonly ids: ClientIds;
  readonly listing: () => Listing;
  readonly clock: Clock;
  /** A trade or payment is of a market that is not listed here yet. */
  readonly onUnlisted: () => void;
}

export class Session extends LiveSession {
  readonly signer: Signer;
  readonly ids: ClientIds;
  /** Balances and positions from the stream. */
  readonly books = new AccountBooks();
  /** A reading of the trades or payments that has not come to its cursor yet. */
  readonly walks: Walks = {};
  readonly #rejoins: SharedReading<void>;
  #rejoin = () => {};
  readonly #options: SessionOptions;
  readonly #sent = new Map<string, SentState>();
  /** Latest state of orders from the stream, by id. */
  readonly #orders = new Map<string, OrderOutcome>();
  readonly #fills = new Map<string, VenueFill[]>();
  readonly #told = new Map<string, true>();
  /** Orders without an end yet, each with the latest time to wait for it, epoch ms. */
  readonly #inFlight = new Map<string, number>();
  /** Orders of transactions on their way, by hash. */
  readonly #txs = new Map<string, string>();
  readonly #txWaiters = new Map<string, (end: TxEnd) => void>();
  /** The stream may be faster than the answer to the request. */
  readonly #txEnds = new Map<string, TxEnd>();
  /** News wait here while an earlier one is looked up on disk. */
  #pending: Promise<void> | null = null;

  constructor(options: SessionOptions) {
    super(options.clock, options.onUnlisted);
    this.#options = options;
    this.signer = options.signer;
    this.ids = options.ids;
    this.#rejoins = new SharedReading(
      options.clock,
      () => APART_MS,
      async () => this.#rejoin(),
    );
  }

  /** Forgets the stream's positions. @param again subscribes again soon */
  rejoin(again: () => void): void {
    this.books.forget();
    this.#rejoin = again;
    void this.#rejoins.now();
  }

  get version(): number {
    return this.books.version;
  }

  get accountIndex(): number {
    return this.signer.accountIndex;
  }

  /** True: these keys are the session's own, and the venue has not refused them. */
  serves({ accountIndex, apiKeyIndex, key }: Keys): boolean {
    if (this.isClosed || this.refusal !== null || accountIndex !== this.accountIndex) return false;
    return apiKeyIndex === this.signer.apiKeyIndex && key.equals(this.signer.key);
  }

  protected touch({ kind }: AccountEvent): void {
    this.books.touch(kind === 'fill');
  }

  protected wipe(): void {
    this.signer.key.wipe();
  }

  /** Call before orders leave. @param until epoch ms by which the stream has reported them */
  sending(clientOrderIds: readonly string[], until: number): void {
    for (const id of clientOrderIds) {
      this.note(id, { kind: 'sent' });
      this.#inFlight.set(id, until);
    }
  }

  /** The venue does not have the order. */
  notSent(clientOrderId: string): void {
    this.#inFlight.delete(clientOrderId);
  }

  /** True: present values may change at any moment. */
  hasOrdersInFlight(now: number): boolean {
    for (const [id, until] of this.#inFlight) if (until < now) this.#inFlight.delete(id);
    return this.#inFlight.size > 0;
  }

  #land(clientOrderId: string): void {
    const known = this.#orders.get(clientOrderId);
    const isTold =
      known?.kind === 'rejected' ||
      ((known?.kind === 'done' || known?.kind === 'resting') &&
        this.completeFills(clientOrderId, known.filledQuantity) !== null);
    if (isTold) this.#inFlight.delete(clientOrderId);
  }

  stateOf(clientOrderId: string): SentState | undefined {
    return this.#sent.get(clientOrderId);
  }

  note(clientOrderId: string, state: SentState): void {
    put(this.#sent, clientOrderId, state, MOST_ORDERS);
  }

  /** Stream's report on the order; undefined: none. */
  outcomeOf(clientOrderId: string): OrderOutcome | undefined {
    return this.#orders.get(clientOrderId);
  }

  fillsOf(clientOrderId: string): readonly VenueFill[] {
    return this.#fills.get(clientOrderId) ?? [];
  }

  /** Notes the order of a transaction, for a refusal by the sequencer. */
  watchTx(hash: string, clientOrderId: string): void {
    const name = hash.toLowerCase();
    const end = this.#txEnds.get(name);
    if (end === undefined) put(this.#txs, name, clientOrderId, MOST_ORDERS);
    else this.#endOrder(clientOrderId, end);
  }

  /** Calls `done` once when the stream reports, or has reported, the result of the transaction. */
  whenTx(hash: string, done: (end: TxEnd) => void): Unsubscribe {
    const name = hash.toLowerCase();
    const end = this.#txEnds.get(name);
    if (end === undefined) this.#txWaiters.set(name, done);
    else done(end);
    return () => this.#txWaiters.delete(name);
  }

  takeOrders(orders: readonly wire.WireOrder[]): void {
    const indexes = orders.map((order) => order.client_order_index);
    this.#inOrder(indexes, () => {
      for (const order of orders) this.#takeOrder(order);
    });
  }

  #takeOrder(order: wire.WireOrder): void {
    const clientOrderId = this.ids.known(order.client_order_index) ?? null;
    if (clientOrderId === null) {
      this.books.touch();
      return;
    }
    const outcome = outcomeOf(this.#options.listing(), order, clientOrderId);
    if (outcome.kind === 'listed' || this.#isOlder(outcome)) return;
    if (this.#learn(outcome)) this.#tellOutcome(outcome);
  }

  /** An order that has ended does not rest again, and does not lose its fills. */
  #isOlder(outcome: OrderOutcome): boolean {
    const known = this.#orders.get(outcome.clientOrderId);
    if (known === undefined) return false;
    if (hasEnded(known)) return true;
    return (
      known.kind === 'resting' &&
      (outcome.kind === 'accepted' ||
        (outcome.kind === 'resting' && dec(outcome.filledQuantity).lt(known.filledQuantity)))
    );
  }

  /** @return false: it contains no news */
  #learn(outcome: OrderOutcome): boolean {
    const known = this.#orders.get(outcome.clientOrderId);
    put(this.#orders, outcome.clientOrderId, outcome, MOST_ORDERS);
    if (outcome.kind === 'rejected') this.note(outcome.clientOrderId, { kind: 'refused', outcome });
    this.#land(outcome.clientOrderId);
    return JSON.stringify(known) !== JSON.stringify(outcome);
  }

  /** Takes an answer to a request, because the stream may be silent. */
  learn(outcome: OrderOutcome): void {
    if (outcome.kind === 'listed' || this.#isOlder(outcome)) return;
    if (this.#learn(outcome)) this.books.touch();
  }

  #tellOutcome(outcome: OrderOutcome): void {
    if (outcome.kind === 'accepted') return;
    this.tell({ kind: 'order', outcome });
  }

  /**
   * @param arePast they may be of any time: the history has them too, and of an account's years only outcomes of this
   * run's orders are news
   */
  takeTrades(trades: readonly wire.WireTrade[], arePast = false): void {
    const sides = trades.flatMap((trade) => sidesOf(trade, this.accountIndex));
    this.#inOrder(
      sides.map(({ clientIndex }) => clientIndex),
      () => {
        for (const fill of this.fillsIn(trades, (index) => this.ids.known(index) ?? null)) {
          if (this.#told.has(fill.tradeId)) continue;
          const id = fill.clientOrderId;
          if (arePast && (id === null || this.stateOf(id) === undefined)) continue;
          put(this.#told, fill.tradeId, true, MOST_TRADES);
          this.tell({ kind: 'fill', fill });
        }
        if (!arePast && trades.some((one) => isUnlisted(this.#options.listing(), one.market_id)))
          this.missedUnlisted();
      },
    );
  }

  /** The account's fills among trades, oldest first; each is remembered with its order. */
  fillsIn(
    trades: readonly wire.WireTrade[],
    nameOf: (clientIndex: number) => string | null,
  ): readonly VenueFill[] {
    const fills = trades.flatMap((trade) =>
      sidesOf(trade, this.accountIndex).flatMap(
        (side) => fillOf(this.#options.listing(), trade, side, nameOf(side.clientIndex)) ?? [],
      ),
    );
    for (const fill of fills) {
      if (fill.clientOrderId === null) continue;
      const known = this.#fills.get(fill.clientOrderId) ?? [];
      if (known.some(({ tradeId }) => tradeId === fill.tradeId)) continue;
      put(this.#fills, fill.clientOrderId, [...known, fill].toSorted(byAge), MOST_ORDERS);
      this.#land(fill.clientOrderId);
    }
    return fills.toSorted(byAge);
  }

  /** Fills of an order, if all of its filled quantity is known. */
  completeFills(clientOrderId: string, filledQuantity: string): readonly VenueFill[] | null {
    const fills = this.fillsOf(clientOrderId);
    return sum(fills.map(({ quantity }) => dec(quantity))).eq(filledQuantity) ? fills : null;
  }

  takePayments(payments: readonly wire.WirePayment[]): void {
    this.#inOrder([], () => {
      for (const payment of payments) {
        const funding = paymentOf(this.#options.listing(), payment);
        if (funding === null || this.#told.has(funding.venueId)) continue;
        put(this.#told, funding.venueId, true, MOST_TRADES);
        this.tell({ kind: 'funding', funding });
      }
      if (payments.some((one) => isUnlisted(this.#options.listing(), one.market_id))) this.missedUnlisted();
    });
  }

  takeTxs(txs: readonly wire.WireTx[]): void {
    this.#inOrder([], () => {
      for (const tx of txs) this.#takeTx(tx);
    });
  }

  #takeTx(tx: wire.WireTx): void {
    const end = endOf(tx);
    if (end === null) return;
    const hash = tx.hash.toLowerCase();
    put(this.#txEnds, hash, end, MOST_TXS);
    const waiter = this.#txWaiters.get(hash);
    this.#txWaiters.delete(hash);
    waiter?.(end);
    // Some of the sequencer's refusals leave the nonce as it was.
    if (end.kind === 'refused') this.signer.nonces.doubt();
    const clientOrderId = this.#txs.get(hash);
    this.#txs.delete(hash);
    if (clientOrderId !== undefined) this.#endOrder(clientOrderId, end);
  }

  #endOrder(clientOrderId: string, end: TxEnd): void {
    if (end.kind === 'executed' || this.#orders.has(clientOrderId)) return;
    const { reason, message } = end.refusal;
    const outcome: OrderOutcome = { kind: 'rejected', clientOrderId, reason, message };
    if (this.#learn(outcome)) this.tell({ kind: 'order', outcome });
  }

  /** Runs at once, or after earlier work that waits for numbers from the disk. */
  #inOrder(indexes: readonly number[], run: () => void): void {
    const missing = indexes.filter((index) => this.ids.known(index) === undefined);
    if (this.#pending === null && missing.length === 0) {
      run();
      return;
    }
    const before = this.#pending ?? Promise.resolve();
    const turn = before
      .then(() => Promise.all(missing.map((index) => this.ids.nameOf(index))))
      .then(run)
      .finally(() => {
        if (this.#pending === turn) this.#pending = null;
      });
    this.#pending = turn;
  }
}

function byAge(a: VenueFill, b: VenueFill): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  return idOf(a) < idOf(b) ? -1 : 1;
}

function idOf({ tradeId }: VenueFill): bigint {
  return BigInt(/^\d{1,20}/.exec(tradeId)?.[0] ?? '0');
}

function hasEnded(outcome: OrderOutcome): boolean {
  return outcome.kind === 'done' || outcome.kind === 'rejected';
}

function put<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > most ? map.keys().next() : null;
  if (oldest?.done === false) map.delete(oldest.value);
}
