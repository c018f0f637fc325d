/**
 * Checks of an order, in the order in which the paper venue makes them, before it looks at the book. Pure.
 */

import type { MinimumWaiver } from '../../../domain/closing-terms.ts';
import { type Decimal, dec } from '../../../domain/decimal.ts';
import type { Instrument } from '../../../domain/model.ts';
import { isValidPrice } from '../../../domain/price-rules.ts';
import type { PlaceOrder, RejectionReason } from '../../../engine/ports/venue.ts';

export interface Refusal {
  readonly reason: RejectionReason;
  readonly message: string;
}

export interface OrderContext {
  /** Arrival of the order, wall clock. */
  readonly at: number;
  readonly instrument: Instrument | undefined;
  readonly mark: Decimal | undefined;
  /** Position before the order, signed base units. */
  readonly held: Decimal;
  readonly minimumWaiver: MinimumWaiver;
}

const PLAIN_DECIMAL = /^\d{1,20}(\.\d{1,18})?$/;
/** Maximum distance of a limit from the mark, as a fraction of the mark; more is taken for a typing error. */
const MAX_DISTANCE = '0.8';

/** Why the order is refused; null: the order passes all checks. */
export function refusalOf(order: PlaceOrder, context: OrderContext): Refusal | null {
  const { instrument, mark, held } = context;
  if (context.at > order.expiresAt) return refuse('expired', 'The order arrived after it had expired');
  if (instrument === undefined || mark === undefined) {
    return refuse('not_tradable', `There is no instrument ${order.symbol}`);
  }
  if (!PLAIN_DECIMAL.test(order.quantity) || !PLAIN_DECIMAL.test(order.limitPrice)) {
    return refuse('other', 'Quantity and limit price must be plain decimals');
  }
  const { status, reason } = instrument.tradeability;
  if (status === 'not_tradable') {
    return refuse('not_tradable', `${instrument.id} is not tradable${reason === null ? '' : `: ${reason}`}`);
  }
  const quantity = dec(order.quantity);
  const limit = dec(order.limitPrice);
  if (quantity.lte(0) || !quantity.mod(instrument.stepSize).isZero()) {
    return refuse('tick', `Quantity must be a positive multiple of ${instrument.stepSize}`);
  }
  if (!isValidPrice(limit, instrument)) {
    const figures = instrument.maxSignificantFigures;
    return refuse(
      'tick',
      `Price must be a positive multiple of ${instrument.tickSize}${figures === null ? '' : ` with at most ${figures} significant figures`}`,
    );
  }
  if (limit.minus(mark).abs().gt(mark.mul(MAX_DISTANCE))) {
    return refuse('price', 'The limit price is more than 80 % away from the mark');
  }
  const delta = order.side === 'BUY' ? quantity : quantity.neg();
  const opposes = !held.isZero() && held.isPositive() !== delta.isPositive();
  if (order.reduceOnly && !opposes) {
    return refuse('reduce_only', 'A reduce-only order would increase the position');
  }
  if (status === 'reduce_only' && !(opposes && (order.reduceOnly || quantity.lte(held.abs())))) {
    return refuse('reduce_only', `${instrument.id} accepts only orders that reduce a position`);
  }
  const lowest = limit.lt(mark) ? limit : mark;
  const isWaived =
    order.reduceOnly &&
    (context.minimumWaiver === 'reduce_only' ||
      (context.minimumWaiver === 'full_close' && quantity.gte(held.abs())));
  if (!isWaived && quantity.mul(lowest).lt(instrument.minNotional)) {
    return refuse('minimum', `The order value must be at least ${instrument.minNotional} USD`);
  }
  return null;
}

function refuse(reason: RejectionReason, message: string): Refusal {
  return { reason, message };
}
