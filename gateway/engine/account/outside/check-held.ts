/** Makes positions only from fills that the venue still holds. */
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import { ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { type EngineError, noop, venueFailed } from '../../core/errors.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';
import { differences } from '../reconcile.ts';
import { allOf, type OutsideFills } from './take-in-fills.ts';

/**
 * Refuses if the records show more in the direction of the fills than the venue now holds. The fills may be from before
 * a reset, or a later trade is not recorded yet.
 */
export async function checkHeld(
  deps: Pick<EngineDeps, 'state' | 'venues'>,
  account: TradeAccount,
  outside: OutsideFills,
): Promise<Result<null, EngineError>> {
  const positions = await venueOf(deps, account.connector).positions(venueAccount(account));
  if (!positions.ok) return venueFailed(positions.error);
  const { state } = deps;
  const found = differences(
    state.positions.of(account.id),
    state.unassigned.ofAccount(account.id),
    positions.value,
  );
  const fills = allOf(outside);
  for (const symbol of new Set(fills.map((fill) => fill.symbol))) {
    const { baskets, unassigned, venue } = found.find((row) => row.symbol === symbol) ?? NONE;
    const ofSymbol = (fill: { readonly symbol: string }) => fill.symbol === symbol;
    const net = sum(fills.filter(ofSymbol).map(signedQuantity));
    const unrecorded = sum(outside.unconfirmed.filter(ofSymbol).map(signedQuantity));
    const gap = dec(venue).minus(baskets).minus(unassigned).minus(unrecorded);
    if (gap.mul(net).lt(0)) {
      const missing = `${text(gap.abs())} of ${symbol}`;
      return noop(`The venue does not hold ${missing} that these fills brought. No position is made of them`);
    }
  }
  return ok(null);
}

/** Baskets, holdings outside baskets and venue agree; nothing of the instrument is outside baskets. */
const NONE = { baskets: '0', unassigned: '0', venue: '0' };
