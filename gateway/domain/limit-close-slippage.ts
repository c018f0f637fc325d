/** Slippage of a pending close whose author's mandate was changed meanwhile. */
import { CLOSE_SLIPPAGE } from './close-slippage.ts';
import { Decimal, type DecimalString, dec, text } from './decimal.ts';
import type { Mandate } from './mandate.ts';

/** Reduces the requested slippage to the mandate's present limit for closes: a close must not be lost. */
export function limitCloseSlippage(
  { maxSlippage }: Pick<Mandate, 'maxSlippage'>,
  asked: DecimalString,
): DecimalString {
  if (maxSlippage === null) return asked;
  const most = Decimal.max(maxSlippage, CLOSE_SLIPPAGE);
  return dec(asked).lte(most) ? asked : text(most);
}
