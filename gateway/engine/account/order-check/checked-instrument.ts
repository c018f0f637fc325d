/** Instrument for the orders of a check: one that the account does not hold, with the smallest risk. */
import { ceilTo, Decimal, type DecimalString, dec, ONE, text } from '../../../domain/decimal.ts';
import type { Instrument, TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { netOfLots } from '../../../domain/unassigned.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, venueFailed } from '../../core/errors.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';

/** Largest order value including slippage, USD. */
const MOST_USD = '12';
/** Factor above the venue's minimum: the later sale has a lower limit, and the mark moves meanwhile. */
const MARGIN = '1.1';
/** Fractions of the mark price: close enough to fill, and so far that nobody trades but venues accept the price. */
export const NEAR = '0.03';
export const FAR = '0.2';
/** Instruments with the deepest books, tried first. */
const FIRST = ['BTC-PERP', 'ETH-PERP', 'SOL-PERP'];

/** Smallest quantity, base units. Venues value an order at its limit. */
export function smallestAt(
  { minNotional, minQuantity, stepSize }: Instrument,
  price: Decimal,
): DecimalString {
  const least = Decimal.max(dec(minNotional).mul(MARGIN).div(price), minQuantity);
  return text(ceilTo(least, dec(stepSize)));
}

/** Instrument for the check; null if there is none. */
export async function checkedInstrument(
  deps: EngineDeps,
  account: TradeAccount,
): Promise<Result<Instrument | null, EngineError>> {
  const venue = venueOf(deps, account.connector);
  const atVenue = venueAccount(account);
  const [positions, open] = await Promise.all([venue.positions(atVenue), venue.openOrders(atVenue)]);
  if (!positions.ok) return venueFailed(positions.error);
  if (!open.ok) return venueFailed(open.error);
  // Open orders do not show their instrument here, so a single one makes every instrument uncertain.
  if (open.value.length > 0) return ok(null);
  const held = new Set([
    ...positions.value.filter(({ quantity }) => !dec(quantity).isZero()).map(({ symbol }) => symbol),
  ]);
  // A purchase and a sale outside Tandem are two lots with a net quantity of zero.
  const isFree = ({ id }: Instrument) =>
    !held.has(id) && netOfLots(deps.state.unassigned.of(account.id, id)).isZero();
  const rank = ({ id }: Instrument) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  const candidates = deps.market
    .instruments(account.connector)
    .filter(({ tradeability }) => tradeability.status === 'tradable')
    .filter(isFree)
    .toSorted((one, other) => rank(one) - rank(other));
  for (const instrument of candidates) {
    const { connector, id } = instrument;
    const quote = deps.market.quote(connector, id);
    if (quote === undefined || deps.market.isStale(connector, id)) continue;
    const isSmall = [ONE.minus(FAR), ONE.plus(NEAR)].every((factor) => {
      const price = factor.mul(quote.mark);
      return dec(smallestAt(instrument, price)).mul(price).lte(MOST_USD);
    });
    if (isSmall) return ok(instrument);
  }
  return ok(null);
}
