/** Checks of venue rules written independently of the market's own grid: in decimals, from the instrument alone. */
import { Decimal, dec } from '../../../../gateway/domain/decimal.ts';
import type { Instrument } from '../../../../gateway/domain/model.ts';

const CANONICAL = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

/** Null when `price` is a price the instrument admits, else what is wrong with it. */
export function priceFault(instrument: Instrument, price: string): string | null {
  if (!CANONICAL.test(price)) return `${price} is not canonical`;
  const value = dec(price);
  if (!value.gt(0)) return `${price} is not positive`;
  if (!value.mod(dec(instrument.tickSize)).isZero()) return `${price} is off the tick ${instrument.tickSize}`;
  const figures = instrument.maxSignificantFigures;
  if (figures !== null && !value.isInteger() && value.precision() > figures) {
    return `${price} has more than ${figures} significant figures`;
  }
  return null;
}

export function quantityFault(instrument: Instrument, quantity: string): string | null {
  if (!CANONICAL.test(quantity)) return `${quantity} is not canonical`;
  if (!dec(quantity).gt(0)) return `${quantity} is not positive`;
  return dec(quantity).mod(dec(instrument.stepSize)).isZero() ? null : `${quantity} is off the step`;
}

export function usd(levels: readonly { readonly price: string; readonly quantity: string }[]): number {
  return levels
    .reduce((total, level) => total.plus(dec(level.price).mul(level.quantity)), new Decimal(0))
    .toNumber();
}
