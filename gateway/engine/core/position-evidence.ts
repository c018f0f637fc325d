/**
 * Evidence that a venue truly holds less than the records: its used margin has fallen with the position. If an answer
 * omits positions by mistake, the account's margin still includes them.
 */
import { Decimal, dec, sum } from '../../domain/decimal.ts';
import type { Instrument, Quote } from '../../domain/model.ts';
import type { VenueBalances, VenuePosition } from '../ports/venue.ts';

export interface Holding {
  /** Signed base units in the venue's answer. */
  readonly venue: string;
  /** Signed base units in the records. */
  readonly recorded: Decimal;
}

/** Used margin and equity of the account, with the positions in the same answer. */
export interface AccountView {
  readonly balances: Pick<VenueBalances, 'equity' | 'marginUsed' | 'freeMargin'>;
  readonly positions: readonly Pick<VenuePosition, 'marginUsed'>[];
}

/**
 * True: the venue reports a position at least as large as the recorded one, so it did not omit it; or the used margin
 * cannot cover half of the missing quantity at the instrument's highest leverage. False without equity or prices: the
 * answer proves nothing.
 */
export function isConfirmed(
  { venue, recorded }: Holding,
  { balances, positions }: AccountView,
  { instrument, quote }: { readonly instrument: Instrument | undefined; readonly quote: Quote | undefined },
): boolean {
  const missing = recorded.abs().minus(dec(venue).abs());
  if (missing.lte(0)) return true;
  if (instrument === undefined || quote === undefined || dec(balances.equity).lte(0)) return false;
  // Some venues sum the margin over the reported positions; then only the free margin shows the truth.
  const used = Decimal.max(balances.marginUsed, dec(balances.equity).minus(balances.freeMargin));
  const told = sum(positions.map(({ marginUsed }) => dec(marginUsed)));
  const least = missing.mul(quote.mark).div(instrument.maxLeverage);
  return used.minus(told).lte(least.div(2));
}
