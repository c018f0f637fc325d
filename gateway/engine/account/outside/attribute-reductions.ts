/**
 * Reductions that reconciliation may attribute by itself: an instrument was sold (or bought back) outside, one basket
 * alone holds it, and the fills explain the difference to the last digit. Then that basket is the one reduced. Any
 * other fill waits for the trader, who names the basket with `POST /sync/positions`.
 */
import { dec, sum } from '../../../domain/decimal.ts';
import { isForced } from '../../../domain/forced-fill.ts';
import type { Fill, Position, TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import { type Difference, quietDifferences } from '../reconcile.ts';
import { availableFills } from './available-fills.ts';
import { commitTakenIn, type OutsideDeps } from './position-of-activity.ts';
import { certainAt, latestExecutions } from './safe-to-attribute.ts';

/** Looks again at fills that only time stands against (`lookAgainAt`). */
export async function attributeReductions(deps: OutsideDeps, account: TradeAccount): Promise<void> {
  const provisional = (await deps.store.provisionalFills(account.id)).filter(isOutside);
  if (provisional.length === 0) return;
  const executions = await latestExecutions(deps, account);
  // Only fills with no part taken yet: a fill partly taken by a closing basket may concern more than one basket.
  const { whole } = availableFills(deps, provisional);
  const ready = new Map<string, Readonly<Record<'waiting' | 'certain', readonly Fill[]>>>();
  for (const symbol of new Set(whole.map((fill) => fill.symbol))) {
    const waiting = whole.filter((fill) => fill.symbol === symbol);
    if (reducedBasket(deps, account, symbol, waiting) === null) continue;
    const certain = certainFills(deps, waiting, executions);
    if (certain.length > 0) ready.set(symbol, { waiting, certain });
  }
  if (ready.size === 0) return;
  const found = await quietDifferences(deps, account, [...ready.keys()]);
  if (found === null) return;
  for (const [symbol, { waiting, certain }] of ready) {
    const difference = found.get(symbol);
    if (difference === undefined) deps.lookAgainAt(deps.clock.now());
    else if (explains(waiting, difference)) await reduce(deps, account, symbol, certain);
  }
}

/** The fills that can no longer turn out to be an execution's, oldest first. */
function certainFills(
  deps: OutsideDeps,
  fills: readonly Fill[],
  executions: Parameters<typeof certainAt>[1],
): readonly Fill[] {
  const certain: Fill[] = [];
  for (const fill of fills.toSorted((a, b) => a.timestamp - b.timestamp)) {
    const at = certainAt(fill, executions);
    if (at === null || at > deps.clock.now()) {
      deps.lookAgainAt(at ?? deps.clock.now());
      break;
    }
    certain.push(fill);
  }
  return certain;
}

async function reduce(
  deps: OutsideDeps,
  account: TradeAccount,
  symbol: string,
  fills: readonly Fill[],
): Promise<void> {
  const position = reducedBasket(deps, account, symbol, fills);
  if (position === null) return;
  const outside = { stored: fills, parts: [], unconfirmed: [] };
  const taken = await commitTakenIn(deps, account, position, outside, null);
  if (!taken.ok) {
    if (taken.error.code === 'SYNC_CREATE_EXECUTION_IN_FLIGHT') deps.lookAgainAt(deps.clock.now());
    return;
  }
  deps.logger.info(
    { tradeAccountId: account.id, positionId: position.id, symbol },
    'A basket was reduced outside Tandem',
  );
}

function isOutside(fill: Fill): boolean {
  return fill.positionId === null && fill.executionId === null && !isForced(fill);
}

function explains(fills: readonly Fill[], { baskets, venue }: Difference): boolean {
  return dec(baskets)
    .plus(sum(fills.map(signedQuantity)))
    .eq(venue);
}

/** The only basket that the fills can have reduced; null: the basket is not certain. */
function reducedBasket(
  { state }: OutsideDeps,
  account: TradeAccount,
  symbol: string,
  fills: readonly Fill[],
): Position | null {
  const holders = state.positions
    .of(account.id)
    .flatMap((position) =>
      position.legs
        .filter((leg) => leg.symbol === symbol && leg.quantity !== '0')
        .map((leg) => ({ position, leg })),
    );
  const [only] = holders;
  if (only === undefined || holders.length > 1) return null;
  const { position, leg } = only;
  // Fills from before the basket was created cannot have been meant for it.
  const isAgainst = fills.every(
    ({ side, timestamp }) => side !== leg.side && timestamp >= position.createdAt,
  );
  return isAgainst && sum(fills.map(signedQuantity)).abs().lte(leg.quantity) ? position : null;
}
