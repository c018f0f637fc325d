/**
 * Voids holdings outside baskets that an account no longer has: its paper account was reset, or it became another
 * account at the venue.
 */
import { dec, text } from '../../../domain/decimal.ts';
import { CARRIED_OVER } from '../../../domain/portfolio.ts';
import { costOfLots, isHeld, type UnassignedLot } from '../../../domain/unassigned.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { commitDurably, type StopSignal } from '../../core/durable.ts';
import type { Store } from '../../ports/store.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';

/** Cursor kind: time of the paper account's last reset by the venue's clock, epoch ms. */
const RESET_AT = 'paper-reset';

/** Fills up to this time are void, epoch ms: the venue no longer holds them. */
export async function resetAtOf(store: Pick<Store, 'cursor'>, tradeAccountId: string): Promise<number> {
  return Number((await store.cursor(tradeAccountId, RESET_AT)) ?? Number.NEGATIVE_INFINITY);
}

/** @param resetAt epoch ms; null: the account was replaced, not reset */
export async function voidEveryLot(
  deps: EngineDeps,
  tradeAccountId: string,
  resetAt: number | null,
  signal: StopSignal,
): Promise<void> {
  const { unassigned } = deps.state;
  const symbols = unassigned.everyLot(tradeAccountId).map(({ symbol }) => symbol);
  await unassigned.alone(tradeAccountId, symbols, async () => {
    const { unassignedLots, cursors } = await voided(
      deps.store,
      tradeAccountId,
      unassigned.everyLot(tradeAccountId),
    );
    const reset = resetAt === null ? [] : [{ tradeAccountId, kind: RESET_AT, value: resetAt.toString() }];
    await commitDurably(deps, { unassignedLots, cursors: [...cursors, ...reset] }, signal);
    unassigned.put(unassignedLots);
  });
}

/**
 * Lots with quantity 0. The venue returns their cost with its starting balance and books no loss, so the account's
 * records must not book one either.
 */
export async function voided(
  store: Pick<Store, 'cursor'>,
  tradeAccountId: string,
  lots: readonly UnassignedLot[],
): Promise<Required<Pick<UnitOfWork, 'unassignedLots' | 'cursors'>>> {
  const unassignedLots = lots.map((lot) => ({ ...lot, quantity: '0' }));
  const cost = costOfLots(lots.filter(isHeld));
  if (cost.isZero()) return { unassignedLots, cursors: [] };
  const carried = dec((await store.cursor(tradeAccountId, CARRIED_OVER)) ?? '0').minus(cost);
  return { unassignedLots, cursors: [{ tradeAccountId, kind: CARRIED_OVER, value: text(carried) }] };
}
