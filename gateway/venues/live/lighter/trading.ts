/**
 * Orders, cancels and settings at Lighter. One basket is one batch of signed transactions, which the venue refuses once
 * it has expired. Acceptance says nothing about their end: the account's stream reports it, or a lookup does. No
 * integrator and no third party's fee is ever part of them.
 */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type {
  OrderLookup,
  OrderOutcome,
  OrderRef,
  PlaceOrder,
  VenueError,
} from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import {
  byExpiry,
  firstOutcome,
  NO_SUCH_ORDER,
  nonceWaitMs,
  outcomesOf,
  unfit,
  wasTooEarly,
} from '../kit/orders.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { Client } from './client.ts';
import { MOST_IN_BATCH } from './client.ts';
import { whenExecuted } from './executed.ts';
import type { Asset, Listing } from './listing.ts';
import { lookUpOrders, OrderQuestions } from './lookups.ts';
import type { Refusal } from './refusals.ts';
import type { Session } from './session.ts';
import type { SignedAnswer, UnsignedTx } from './signer.ts';
import * as wire from './wire.ts';

const ACTION_PATIENCE_MS = 5_000;
/** The last second of an order is for the way and the answer. */
const WAY_MS = 1_000;
/** The venue lets an order rest for 30 days at most. */
const REST_MS = 28 * 86_400_000;
const MOST_UNITS = 2 ** 48 - 1;
const MOST_PRICE = 2 ** 32 - 1;
const SOON_MS = 250;
const AT_ONCE_MS = 100;
/** Time after its expiry within which the stream may still report an order. */
const TOLD_AFTER_MS = 10_000;
const THROTTLED_MS = 10_000;

interface Leg {
  readonly order: PlaceOrder;
  readonly asset: Asset;
  readonly price: number;
  readonly size: number;
}

interface SendableLeg extends Leg {
  readonly index: number;
}

export interface TradingDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly listing: () => Listing;
  /** The venue refuses the account's key. */
  readonly onAuth: (session: Session, message: string) => void;
}

type Outcomes = Map<string, OrderOutcome>;

export class Trading {
  readonly #deps: TradingDeps;
  readonly #questions = new WeakMap<Session, OrderQuestions>();

  constructor(deps: TradingDeps) {
    this.#deps = deps;
  }

  async place(session: Session, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]> {
    const outcomes: Outcomes = new Map();
    const legs: Leg[] = [];
    // The first of two orders with one id counts.
    for (const order of new Map(orders.toReversed().map((one) => [one.clientOrderId, one])).values()) {
      const known = session.stateOf(order.clientOrderId);
      const leg = this.#legOf(order);
      if (known?.kind === 'refused') outcomes.set(order.clientOrderId, known.outcome);
      // An id that was sent before has its outcome already, even if the order differs now.
      else if (
        'kind' in leg &&
        known === undefined &&
        (await session.ids.indexOf(order.clientOrderId)) === null
      )
        outcomes.set(order.clientOrderId, leg);
      else if ('kind' in leg) outcomes.set(order.clientOrderId, await this.#firstOutcome(session, order));
      else legs.unshift(leg);
    }
    const sendable = await this.#numbered(session, legs, outcomes);
    const chunks = [...byExpiry(sendable).values()].flatMap((group) => chunksOf(group, MOST_IN_BATCH));
    await Promise.all(chunks.map((chunk) => this.#send(session, chunk, outcomes)));
    for (const [clientOrderId, outcome] of outcomes) noteOutcome(session, clientOrderId, outcome);
    return outcomesOf(orders, outcomes);
  }

  /** The order as the venue takes it, or why it cannot take it. */
  #legOf(order: PlaceOrder): Leg | OrderOutcome {
    const asset = this.#deps.listing().bySymbol(order.symbol);
    if (asset === undefined) return unfit(order, 'symbol');
    const { units } = asset.listed;
    const price = scaled(units.priceToVenue(order.limitPrice), asset.priceDecimals, MOST_PRICE);
    const quantity = units.quantityToVenue(order.quantity);
    const size = quantity === null ? null : scaled(quantity, asset.sizeDecimals, MOST_UNITS);
    if (price === null) return unfit(order, 'price');
    if (size === null) return unfit(order, 'quantity');
    return { order, asset, price, size };
  }

  /** The legs that may leave, each with its number, which is on disk by then. */
  async #numbered(
    session: Session,
    legs: readonly Leg[],
    outcomes: Outcomes,
  ): Promise<readonly SendableLeg[]> {
    if (legs.length === 0) return [];
    const assigned = await session.ids.assign(legs.map(({ order }) => order.clientOrderId));
    const sendable: SendableLeg[] = [];
    for (const leg of legs) {
      const { clientOrderId } = leg.order;
      const number = assigned?.get(clientOrderId);
      if (assigned === null) {
        const retryAt = this.#deps.clock.now() + SOON_MS;
        const message = 'its number at the venue could not be kept';
        outcomes.set(clientOrderId, { kind: 'not_sent', clientOrderId, retryAt, message });
      } else if (number === undefined) {
        const message = 'the venue cannot take an order of this id';
        outcomes.set(clientOrderId, { kind: 'rejected', clientOrderId, reason: 'other', message });
      } else if (!number.isNew && session.stateOf(clientOrderId)?.kind !== 'free')
        outcomes.set(clientOrderId, await this.#firstOutcome(session, leg.order));
      else sendable.push({ ...leg, index: number.index });
    }
    return sendable;
  }

  async #send(session: Session, legs: readonly SendableLeg[], outcomes: Outcomes): Promise<void> {
    const [first] = legs;
    if (first === undefined) return;
    const { expiresAt } = first.order;
    const lane: Lane = legs.every(({ order }) => order.reduceOnly) ? 'close' : 'open';
    const sentExpiry = this.#deps.venueClock.toVenue(expiresAt);
    const transactions = legs.map((leg) => this.#orderOf(leg, sentExpiry));
    const ids = legs.map(({ order }) => order.clientOrderId);
    session.sending(ids, expiresAt + TOLD_AFTER_MS);
    // An order with less time left is sent at once: the venue decides whether it is too late.
    const until = Math.max(expiresAt - WAY_MS, this.#deps.clock.now() + AT_ONCE_MS);
    const answer = await session.signer.send(lane, until, transactions);
    if (answer.kind === 'taken') {
      session.refusedNonces = 0;
      for (const [at, { order }] of legs.entries()) {
        const { clientOrderId } = order;
        session.watchTx(answer.hashes[at] ?? '', clientOrderId);
        outcomes.set(
          clientOrderId,
          session.outcomeOf(clientOrderId) ?? { kind: 'accepted', clientOrderId, venueOrderId: null },
        );
      }
      return;
    }
    if (answer.kind === 'refused' && legs.length > 1 && isOfOneLeg(answer.refusal))
      return this.#sendEach(session, legs, outcomes, answer);
    for (const { order } of legs)
      outcomes.set(order.clientOrderId, await this.#outcomeOf(session, order, answer, sentExpiry));
    if (answer.kind === 'unknown') session.signer.nonces.doubt();
  }

  /**
   * The venue takes a batch whole or not at all, and one leg of this one is wrong. The others leave alone, if it is certain
   * that none has left yet: the next nonce is still the first one of the batch.
   */
  async #sendEach(
    session: Session,
    legs: readonly SendableLeg[],
    outcomes: Outcomes,
    { firstNonce }: SignedAnswer,
  ): Promise<void> {
    const next = await session.signer.nonces.ask('close');
    if (next === null || next !== firstNonce) {
      for (const { order } of legs) {
        const { clientOrderId } = order;
        const message = 'the venue refused it among others, and may have taken a part of them';
        outcomes.set(clientOrderId, { kind: 'unknown', clientOrderId, message });
      }
      return;
    }
    await Promise.all(legs.map((leg) => this.#send(session, [leg], outcomes)));
  }

  #orderOf({ order, asset, price, size, index }: SendableLeg, expiredAt: number): UnsignedTx {
    const { venueClock } = this.#deps;
    const rests = order.timeInForce === 'GTC';
    return {
      kind: 'createOrder',
      marketIndex: asset.index,
      clientOrderIndex: index,
      baseAmount: size,
      price,
      isAsk: order.side === 'SELL',
      type: 'limit',
      timeInForce: rests ? 'goodTillTime' : 'ioc',
      reduceOnly: order.reduceOnly,
      triggerPrice: 0,
      orderExpiry: rests ? Math.floor(venueClock.now()) + REST_MS : 0,
      expiredAt,
    };
  }

  async #outcomeOf(
    session: Session,
    order: PlaceOrder,
    answer: Exclude<SignedAnswer, { kind: 'taken' }>,
    sentExpiry: number,
  ): Promise<OrderOutcome> {
    const { clock } = this.#deps;
    const { clientOrderId } = order;
    if (answer.kind === 'unknown') return { kind: 'unknown', clientOrderId, message: answer.message };
    if (answer.kind === 'not_sent') {
      const { retryAt, message } = answer;
      return { kind: 'not_sent', clientOrderId, retryAt, message };
    }
    const { kind, message, reason } = answer.refusal;
    if (kind === 'duplicate') return this.#firstOutcome(session, order);
    if (kind === 'nonce') {
      const retryAt = clock.now() + nonceWaitMs(session);
      return { kind: 'not_sent', clientOrderId, retryAt, message };
    }
    if (kind === 'throttled') {
      const retryAt = answer.retryAt ?? clock.now() + THROTTLED_MS;
      return { kind: 'not_sent', clientOrderId, retryAt, message };
    }
    if (kind === 'key') this.#deps.onAuth(session, message);
    if (
      reason === 'expired' &&
      (await wasTooEarly(this.#deps, { expiresAt: order.expiresAt, sent: sentExpiry }))
    )
      return { kind: 'not_sent', clientOrderId, retryAt: clock.now(), message };
    return { kind: 'rejected', clientOrderId, reason, message };
  }

  #firstOutcome(session: Session, order: PlaceOrder): Promise<OrderOutcome> {
    return firstOutcome(order, async (ref) => {
      const found = await this.lookUp(session, [ref]);
      return found.ok ? found.value[0] : undefined;
    });
  }

  /** One answer per order. Filled quantities come with their fills as far as the venue's history has them. */
  lookUp(session: Session, refs: readonly OrderRef[]): Promise<Result<readonly OrderLookup[], VenueError>> {
    const questions = this.#questions.get(session) ?? new OrderQuestions(session);
    this.#questions.set(session, questions);
    return lookUpOrders({ listing: this.#deps.listing }, questions, refs);
  }

  async cancel(session: Session, ref: OrderRef): Promise<Result<void, VenueError>> {
    const index = await session.ids.indexOf(ref.clientOrderId);
    if (index === null) return NO_SUCH_ORDER;
    const symbol = ref.sent?.symbol ?? null;
    const known = session.outcomeOf(ref.clientOrderId);
    let asset = symbol === null ? undefined : this.#deps.listing().bySymbol(symbol);
    if (asset === undefined || known?.kind !== 'resting') {
      const query = { account_index: session.accountIndex, client_order_indexes: index };
      const told = await session.signer.get(
        { lane: 'close', path: '/api/v1/accountOrders', query },
        wire.orders,
      );
      if (!told.ok) return told;
      const found = told.value.orders.find((one) => one.client_order_index === index);
      if (found?.status !== 'open' && found?.status !== 'pending' && found?.status !== 'in-progress')
        return NO_SUCH_ORDER;
      asset = this.#deps.listing().byIndex(found.market_index);
    }
    if (asset === undefined) return NO_SUCH_ORDER;
    return this.set(session, { kind: 'cancelOrder', marketIndex: asset.index, index }, 'close');
  }

  /** Sends one transaction and waits for its result. */
  async set(
    session: Session,
    transaction: DistributiveOmit<UnsignedTx, 'expiredAt'>,
    lane: Lane = 'open',
  ): Promise<Result<void, VenueError>> {
    const { clock, venueClock } = this.#deps;
    const until = clock.now() + ACTION_PATIENCE_MS;
    const expiredAt = venueClock.toVenue(until);
    const answer = await session.signer.send(lane, until, [{ ...transaction, expiredAt }]);
    if (answer.kind === 'not_sent')
      return fail({ kind: 'throttled', message: answer.message, retryAt: answer.retryAt });
    if (answer.kind === 'unknown') return fail({ kind: 'unknown', message: answer.message });
    if (answer.kind === 'refused') {
      const { kind, message } = answer.refusal;
      if (kind === 'throttled')
        return fail({ kind, message, retryAt: answer.retryAt ?? clock.now() + THROTTLED_MS });
      if (kind === 'nonce')
        return fail({ kind: 'throttled', message, retryAt: clock.now() + nonceWaitMs(session) });
      if (kind !== 'key') return fail({ kind: 'rejected', message });
      this.#deps.onAuth(session, message);
      return fail({ kind: 'auth', message });
    }
    session.refusedNonces = 0;
    const end = await whenExecuted(this.#deps, session, answer.hashes[0] ?? '', until);
    if (end === null) return fail({ kind: 'unknown', message: 'the venue does not say what became of it' });
    return end.kind === 'executed' ? ok(undefined) : fail({ kind: 'rejected', message: end.refusal.message });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A batch was refused because of one of its legs; another leg may be right. */
function isOfOneLeg({ kind }: Refusal): boolean {
  return kind === 'order' || kind === 'other' || kind === 'duplicate';
}

function noteOutcome(session: Session, clientOrderId: string, outcome: OrderOutcome): void {
  if (outcome.kind === 'not_sent' || outcome.kind === 'rejected') session.notSent(clientOrderId);
  if (outcome.kind === 'not_sent') session.note(clientOrderId, { kind: 'free' });
  if (outcome.kind === 'rejected' && session.stateOf(clientOrderId)?.kind === 'sent')
    session.note(clientOrderId, { kind: 'refused', outcome });
}

/** The venue's integer of an amount; null: it does not fit. */
function scaled(amount: string, decimals: number, most: number): number | null {
  const units = dec(amount).mul(dec(10).pow(decimals));
  const exact = Number(text(units));
  return units.isInteger() && units.gte(1) && units.lte(most) ? exact : null;
}

function chunksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size));
  return chunks;
}
