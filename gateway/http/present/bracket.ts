import type { z } from 'zod';
import type {
  askedBracket,
  openingBrackets,
  positionBracket,
  positionBrackets,
  reversalBrackets,
} from '../../contract/brackets.ts';
import type { OpeningBrackets, ReversalBrackets } from '../../domain/bracket-fate.ts';
import { bracketSlippage, roundsOf } from '../../domain/bracket-rounds.ts';
import { pausedBy } from '../../domain/pause.ts';
import { shownLevel, shownTrailing } from '../../domain/trailing.ts';
import type { Bracket, BracketKind } from '../../domain/trigger.ts';
import type { BracketTrigger, PositionBrackets } from '../../engine/resting/triggers/bracket-service.ts';
import type { NamePlaced } from './authority.ts';
import { iso, isoOrNull } from './time.ts';

export function presentBracket(kind: BracketKind, bracket: Bracket): z.input<typeof askedBracket> {
  const { type, value, transform, lookback, trailing } = bracket;
  return {
    type,
    value,
    ...(transform === undefined ? {} : { transform, lookback }),
    trailing: trailing === null ? null : { delta: trailing.delta, activation: trailing.activation },
    slippage: bracketSlippage(kind, bracket),
  };
}

export function presentBracketOrNull(
  kind: BracketKind,
  bracket: Bracket | null,
): z.input<typeof askedBracket> | null {
  return bracket === null ? null : presentBracket(kind, bracket);
}

/** Wire form of a position's bracket; null: the position has none, or its trigger has ended. */
export function presentPositionBracket(
  trigger: BracketTrigger | null,
): z.input<typeof positionBracket> | null {
  if (trigger === null) return null;
  const { status } = trigger;
  if (status !== 'ACTIVE' && status !== 'PAUSED' && status !== 'TRIGGERED') return null;
  return {
    ...presentBracket(trigger.bracketType, trigger.armed.bracket),
    triggerId: trigger.id,
    status,
    peak: trigger.armed.peak,
    standIn: trigger.armed.standIn ?? null,
    level: shownLevel(trigger.bracketType, trigger.armed),
    trailingNow: shownTrailing(trigger.bracketType, trigger.armed),
    pauseReason: trigger.pauseReason,
    pausedBy: pausedBy(trigger),
    ...presentRounds(trigger),
    error: trigger.error,
    createdAt: iso(trigger.createdAt),
    updatedAt: iso(trigger.updatedAt),
  };
}

export function presentPositionBrackets(
  positionId: string,
  { takeProfit, stopLoss }: PositionBrackets,
): z.input<typeof positionBrackets> {
  return {
    positionId,
    takeProfit: presentPositionBracket(takeProfit),
    stopLoss: presentPositionBracket(stopLoss),
  };
}

/** `brackets` in the answer to an order that sets brackets. */
export function presentOpeningBrackets(
  value: OpeningBrackets,
  name: NamePlaced,
): z.input<typeof openingBrackets> {
  const named = (one: BracketTrigger) => ({ ...presentNamedBracket(one), authority: name(one) });
  return {
    kept: value.kept.map(named),
    replaced: value.replaced.map(named),
    set: value.set.map(({ kind, bracket }) => ({ ...presentBracket(kind, bracket), bracketType: kind })),
  };
}

/** `brackets` of the answer to a reversal. */
export function presentReversalBrackets(value: ReversalBrackets): z.input<typeof reversalBrackets> {
  return {
    carried: value.carried.map(({ from, to }) => presentNamedBracket(from, to)),
    dropped: value.dropped.map(({ from, reason }) => ({ ...presentNamedBracket(from), reason })),
  };
}

export function presentNamedBracket(trigger: BracketTrigger, bracket: Bracket = trigger.armed.bracket) {
  const { id, bracketType } = trigger;
  return { ...presentBracket(bracketType, bracket), bracketType, triggerId: id };
}

export function presentRounds(trigger: Pick<BracketTrigger, 'armed'>) {
  return { rounds: roundsOf(trigger), nextRoundAt: isoOrNull(trigger.armed.work?.nextRoundAt ?? null) };
}
