/** `POST /sync`: asks the venue at once for an account's history, orders and positions, and reports them. */
import type { TradeAccount } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { type EngineError, venueFailed } from '../../core/errors.ts';
import { venueAccount, venueOf } from '../../execution/ask-venue.ts';
import { type Difference, reconcile } from '../reconcile.ts';
import { attributeReductions } from './attribute-reductions.ts';
import { stillWaiting } from './available-fills.ts';
import type { OutsideDeps } from './position-of-activity.ts';
import { retireLots } from './retire-lots.ts';

export interface AccountSync {
  /** Working orders at the venue. */
  readonly openOrders: number;
  /** Instruments in which the venue holds a position. */
  readonly venuePositions: number;
  /** Open baskets of the gateway. */
  readonly baskets: number;
  /** Fills that wait for a basket or for their confirmation. */
  readonly provisionalFills: number;
  /** null: the venue did not answer, or an execution is running and changes the quantities. */
  readonly differences: readonly Difference[] | null;
}

export async function syncAccount(
  deps: OutsideDeps,
  account: TradeAccount,
): Promise<Result<AccountSync, EngineError>> {
  if (!(await deps.pull())) return venueFailed({ kind: 'unknown', message: 'the history was not told' });
  const differences = await reconcileAndAttribute(deps, account);
  const venue = venueOf(deps, account.connector);
  const orders = await venue.openOrders(venueAccount(account));
  if (!orders.ok) return venueFailed(orders.error);
  const positions = await venue.positions(venueAccount(account));
  if (!positions.ok) return venueFailed(positions.error);
  return ok({
    openOrders: orders.value.length,
    venuePositions: positions.value.filter(({ quantity }) => quantity !== '0').length,
    baskets: deps.state.positions.of(account.id).length,
    provisionalFills: stillWaiting(deps, await deps.store.provisionalFills(account.id)).length,
    differences,
  });
}

/** Differences left after attribution; null: the venue did not answer, or an execution is running. */
export async function reconcileAndAttribute(
  deps: OutsideDeps,
  account: TradeAccount,
): Promise<readonly Difference[] | null> {
  await attributeReductions(deps, account);
  const found = await reconcile(deps, account);
  if (found === null) return found;
  return (await retireLots(deps, account, found)) ? reconcile(deps, account) : found;
}
