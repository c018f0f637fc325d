/**
 * Reductions that reconciliation may attribute by itself: an instrument was sold (or bought back) outside, one basket
 * alone holds it, and the fills explain the difference to the last digit. Then that basket is the one reduced. Any
 * other fill waits for the trader, who names the basket with `POST /sync/positions`.
 */
import { dec, sum } from '../../../domain/decimal.ts';
import { isForced } from '../../../domain/forced-fill.ts';
import type { Fill, Position, TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import type { Difference } from '../reconcile.ts';
import { availableFills } from './available-fills.ts';
import { commitTakenIn, type OutsideDeps } from './position-of-activity.ts';
import { checkSettled, oldEnoughAt } from './safe-to-attribute.ts';

/** True when a fill was attributed. */
export async function attributeReductions(
  deps: OutsideDeps,
  account: TradeAccount,
  differences: readonly Difference[],
): Promise<boolean> {
  if (differences.length === 0) return false;
  const provisional = (await deps.store.provisionalFills(account.id)).filter(isOutside);
  // Only fills with no part taken yet: a fill partly taken by a closing basket may concern more than one basket.
  const waiting = availableFills(deps, provisional).whole;
  if (waiting.length === 0 || !(await checkSettled(deps, account)).ok) return false;
  let isChanged = false;
  for (const difference of differences) {
    const fills = waiting.filter(({ symbol }) => symbol === difference.symbol);
    const position = reducedBasket(deps.state.positions.of(account.id), difference, fills);
    if (position === null || deps.clock.now() < oldEnoughAt(fills)) continue;
    const outside = { stored: fills, parts: [], unconfirmed: [] };
    const taken = await commitTakenIn(deps, account, position, outside, null);
    if (!taken.ok) continue;
    isChanged = true;
    deps.logger.info(
      { tradeAccountId: account.id, positionId: position.id, symbol: difference.symbol },
      'A basket was reduced outside Tandem',
    );
  }
  return isChanged;
}

function isOutside(fill: Fill): boolean {
  return fill.positionId === null && fill.executionId === null && !isForced(fill);
}

/** The only basket that the fills can have reduced; null: the basket is not certain. */
function reducedBasket(
  open: readonly Position[],
  difference: Difference,
  fills: readonly Fill[],
): Position | null {
  const net = sum(fills.map(signedQuantity));
  if (fills.length === 0 || !dec(difference.baskets).plus(net).eq(difference.venue)) return null;
  const holders = open.flatMap((position) =>
    position.legs
      .filter(({ symbol, quantity }) => symbol === difference.symbol && quantity !== '0')
      .map((leg) => ({ position, leg })),
  );
  const [only] = holders;
  if (only === undefined || holders.length > 1) return null;
  const { position, leg } = only;
  // Fills from before the basket was created cannot have been meant for it.
  const isAgainst = fills.every(
    ({ side, timestamp }) => side !== leg.side && timestamp >= position.createdAt,
  );
  return isAgainst && net.abs().lte(leg.quantity) ? position : null;
}
