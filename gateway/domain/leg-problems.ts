/** Why a sized leg cannot be sent. */
import { Decimal, dec, text } from './decimal.ts';
import { dollars } from './dollars.ts';
import type { Instrument, OrderErrorCode } from './model.ts';

export interface LegProblem {
  readonly code: OrderErrorCode;
  readonly message: string;
}

/** First reason why the venue refuses such an order; null: it accepts it. @param name begins the messages */
export function problemOf(
  name: string,
  instrument: Instrument,
  sized: {
    readonly quantity: Decimal;
    readonly limit: Decimal;
    readonly mark: Decimal;
    readonly shrinks: boolean;
    readonly reduceOnly: boolean;
    readonly leverage: number | undefined;
    readonly resulting: Decimal;
    readonly isOutsideBand: boolean;
  },
): LegProblem | null {
  const { status, reason } = instrument.tradeability;
  if (status === 'not_tradable') {
    return { code: 'NOT_TRADABLE', message: `${name}: not tradable${reason === null ? '' : ` (${reason})`}` };
  }
  if (status === 'reduce_only' && !sized.shrinks) {
    return { code: 'REDUCE_ONLY', message: `${name}: the venue accepts only orders that reduce a position` };
  }
  if (sized.quantity.isZero()) {
    return {
      code: 'ZERO_QUANTITY',
      message: `${name}: the amount is below one quantity step of ${instrument.stepSize}`,
    };
  }
  const size = sizeProblem(name, instrument, sized.quantity);
  if (size !== null) return size;
  if (sized.isOutsideBand) {
    return {
      code: 'PRICE_BAND',
      message: `${name}: mark and index are too far apart, its limit would be more than ${instrument.priceBand} times one of them away, which the venue refuses`,
    };
  }
  if (sized.limit.lte(0)) {
    return { code: 'RISK_LIMIT', message: `${name}: the slippage bound leaves no valid price` };
  }
  const lowest = sized.limit.lt(sized.mark) ? sized.limit : sized.mark;
  // Venues waive their minimum for reduce-only orders, so that a small remainder can always be closed.
  if (!sized.reduceOnly && sized.quantity.mul(lowest).lt(instrument.minNotional)) {
    return {
      code: 'MIN_NOTIONAL',
      message: `${name}: ${belowMinimum(sized.quantity, sized, instrument)}`,
    };
  }
  if (sized.leverage === undefined) {
    return {
      code: 'RISK_LIMIT',
      message: `${name}: a position of ${dollars(sized.resulting)} is larger than the venue allows`,
    };
  }
  return null;
}

/** The order is counted at the lower price, which may be its limit's; rounded up it might read as the minimum itself. */
export function belowMinimum(
  quantity: Decimal,
  { mark, limit }: { readonly mark: Decimal; readonly limit: Decimal },
  { minNotional }: Pick<Instrument, 'minNotional'>,
): string {
  const at = limit.lt(mark) ? ' at its price limit' : '';
  const worth = dollars(quantity.mul(Decimal.min(limit, mark)).toDecimalPlaces(2, Decimal.ROUND_DOWN));
  return `${worth}${at} is below the venue's minimum of ${dollars(dec(minNotional))}`;
}

/** Reason why the venue refuses an order of this quantity (base units), which is not zero; null: it accepts it. */
function sizeProblem(
  name: string,
  { minQuantity, maxQuantity, stepSize }: Pick<Instrument, 'minQuantity' | 'maxQuantity' | 'stepSize'>,
  quantity: Decimal,
): LegProblem | null {
  // Quantities are whole steps, so that one which is not zero is at least a step.
  if (minQuantity !== stepSize && quantity.lt(minQuantity)) {
    return {
      code: 'MIN_QUANTITY',
      message: `${name}: ${text(quantity)} is below the venue's smallest quantity of ${minQuantity}`,
    };
  }
  if (maxQuantity !== null && quantity.gt(maxQuantity)) {
    return {
      code: 'MAX_QUANTITY',
      message: `${name}: ${text(quantity)} is above the venue's largest quantity of one order, ${maxQuantity}`,
    };
  }
  return null;
}
