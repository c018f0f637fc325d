/** Slippage of a close that waited while the mandate of whoever placed it was changed. */
import { CLOSE_SLIPPAGE } from './close-slippage.ts';
import { Decimal, type DecimalString, dec, text } from './decimal.ts';
import type { Mandate } from './mandate.ts';

/** The slippage that was asked for, brought down to what the mandate allows closes now: a close must not be lost. */
export function limitCloseSlippage(
  { maxSlippage }: Pick<Mandate, 'maxSlippage'>,
  asked: DecimalString,
): DecimalString {
  if (maxSlippage === null) return asked;
  const most = Decimal.max(maxSlippage, CLOSE_SLIPPAGE);
  return dec(asked).lte(most) ? asked : text(most);
}
