/** Pure: folds fills made outside Tandem into a basket. */
import type { BasketLeg } from '../../../domain/basket.ts';
import { dec } from '../../../domain/decimal.ts';
import type { Fill, Position } from '../../../domain/model.ts';
import { applyFills, newPosition, weightsOf } from '../../../domain/position.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { lotOf, type UnassignedLot } from '../../../domain/unassigned.ts';
import { confirmedFill } from '../../execution/fill-row.ts';
import type { FillChange } from '../../ports/unit-of-work.ts';
import type { PartOfFill } from './available-fills.ts';

export interface TakenIn {
  readonly position: Position;
  /** Changes of fills that were already stored; giving them to a basket also confirms them. */
  readonly changes: readonly FillChange[];
  /** Fills that were not stored yet. */
  readonly fills: readonly Fill[];
  /** Lots of the stored fills, with nothing left outside baskets. */
  readonly takenLots: readonly UnassignedLot[];
}

export interface OutsideFills {
  /** Fills that are stored whole in no basket. */
  readonly stored: readonly Fill[];
  /** Rests of stored fills of which baskets took a part. */
  readonly parts: readonly PartOfFill[];
  /** Fills known only from the order itself: provisional until the venue's history has them. */
  readonly unconfirmed: readonly Fill[];
}

export type TakeInRefusal =
  /** The fills would turn the leg to the other side: they reduce it by more than the basket holds. */
  { readonly kind: 'exceeds_leg'; readonly symbol: string };

/**
 * Adds the fills to `current`; null: makes a position that began with its first fill. The gateway's become MIXED.
 * @param identity of the position that is made if `current` is null
 */
export function takeInFills(
  current: Position | null,
  identity: Parameters<typeof newPosition>[0],
  legs: readonly BasketLeg[],
  outside: OutsideFills,
  now: number,
): Result<TakenIn, TakeInRefusal> {
  const fills = allOf(outside).sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
  const base = current ?? madeOf(identity, legs, fills, now);
  const applied = applyFills(base, fills, now);
  if (!applied.ok) return fail({ kind: 'exceeds_leg', symbol: refusedSymbol(applied.error, legs) });
  const { position, realized } = applied.value;
  const realizedOf = new Map(fills.map(({ id }, index) => [id, realized[index] ?? '0']));
  const owned = (fill: Fill, isProvisional: boolean): Fill => ({
    ...fill,
    positionId: position.id,
    realizedPnl: realizedOf.get(fill.id) ?? '0',
    isProvisional,
  });
  return ok({
    position: {
      ...position,
      origin: current === null || current.origin === 'EXTERNAL' ? 'EXTERNAL' : 'MIXED',
      // The position ended with its last fill, not with the request.
      closedAt: position.closedAt === null ? null : (fills.at(-1)?.timestamp ?? now),
    },
    changes: [
      ...outside.stored.map((fill) => ({ fill: owned(fill, false), realizedBefore: fill.realizedPnl })),
      ...outside.parts.map(({ fill }) => confirmedFill(fill)),
    ],
    fills: [
      ...outside.unconfirmed.map((fill) => owned(fill, true)),
      ...outside.parts.flatMap(({ taken, counter }) => [owned(taken, false), counter]),
    ],
    takenLots: [...outside.stored, ...outside.parts.map(({ fill }) => fill)].map(lotWithNothingLeft),
  });
}

function lotWithNothingLeft(fill: Fill): UnassignedLot {
  return { ...lotOf(fill, 'OUTSIDE'), quantity: '0' };
}

/** All fills that go into the basket. */
export function allOf(outside: OutsideFills): Fill[] {
  return [...outside.stored, ...outside.parts.map(({ taken }) => taken), ...outside.unconfirmed];
}

function madeOf(
  identity: Parameters<typeof newPosition>[0],
  legs: readonly BasketLeg[],
  fills: readonly Fill[],
  now: number,
): Position {
  const weights = weightsOf(
    legs.map((leg) =>
      fills
        .filter(({ symbol, side }) => symbol === leg.symbol && side === leg.side)
        .reduce((total, fill) => total.plus(fill.notional), dec(0)),
    ),
  );
  const made = newPosition(
    identity,
    legs.map((leg, index) => ({ ...leg, targetWeight: weights[index] ?? '0' })),
    now,
  );
  return { ...made, createdAt: fills[0]?.timestamp ?? now };
}

function refusedSymbol(
  refusal: { readonly kind: string; readonly symbol?: string },
  legs: readonly BasketLeg[],
) {
  return refusal.symbol ?? legs[0]?.symbol ?? '';
}
