/**
 * Evidence for a venue's answer that it holds less than the records: the margin that it counts as used has fallen with the
 * position. Where an answer leaves positions out by mistake, the account's money still carries them.
 */
import { Decimal, dec, sum } from '../../domain/decimal.ts';
import type { Instrument, Quote } from '../../domain/model.ts';
import type { VenueBalances, VenuePosition } from '../ports/venue.ts';

export interface Holding {
  /** Signed base units, as the venue says. */
  readonly venue: string;
  /** Signed base units, as the records say. */
  readonly recorded: Decimal;
}

/** Used margin and equity of the account, and the positions that the venue tells beside them. */
export interface AccountView {
  readonly balances: Pick<VenueBalances, 'equity' | 'marginUsed' | 'freeMargin'>;
  readonly positions: readonly Pick<VenuePosition, 'marginUsed'>[];
}

/**
 * True: the venue names a position at least as large as the recorded one, which it does not do by leaving one out; or
 * the used margin has no room for half of what is missing, at the highest leverage of the instrument. False where
 * equity or prices are missing: the answer proves nothing.
 */
export function isConfirmed(
  { venue, recorded }: Holding,
  { balances, positions }: AccountView,
  { instrument, quote }: { readonly instrument: Instrument | undefined; readonly quote: Quote | undefined },
): boolean {
  const missing = recorded.abs().minus(dec(venue).abs());
  if (missing.lte(0)) return true;
  if (instrument === undefined || quote === undefined || dec(balances.equity).lte(0)) return false;
  // Some venues add the margin up from the positions that they tell; then only the free margin shows the truth.
  const used = Decimal.max(balances.marginUsed, dec(balances.equity).minus(balances.freeMargin));
  const told = sum(positions.map(({ marginUsed }) => dec(marginUsed)));
  const least = missing.mul(quote.mark).div(instrument.maxLeverage);
  return used.minus(told).lte(least.div(2));
}
