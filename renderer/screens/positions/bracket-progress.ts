/**
 * Place of a position between its active stop-loss and take-profit, on a line from 0 (left, the losing side) to 1. For
 * drawing only.
 */
import { type Bracket, gainSign, standingLevel } from '../../features/brackets-form/bracket-standing.ts';
import type { Position } from './use-position-data.ts';

export interface BracketProgress {
  /** Places on the line; null: there is no such bracket, or its level is not known. */
  readonly stop: number | null;
  readonly target: number | null;
  readonly entry: number;
  readonly now: number;
  readonly words: string;
}

/** A level and the present value as gains since the entry, in one unit. */
interface Way {
  readonly unit: string;
  readonly level: number;
  readonly now: number;
}

/** null: there is nothing to show. */
export function bracketProgress(position: Position): BracketProgress | null {
  const stop = wayOf(position, 'stopLoss');
  const target = wayOf(position, 'takeProfit');
  const either = stop ?? target;
  if (either === null) return null;
  const words = wordsOf(stop, target);
  const isOneUnit = stop === null || target === null || stop.unit === target.unit;
  // Levels in different units have no common scale: the entry is in the middle, and each side has its own scale.
  if (!isOneUnit) {
    const share = shareOf(target) >= 0 ? shareOf(target) : -shareOf(stop);
    return { stop: 0, target: 1, entry: 0.5, now: within((share + 1) / 2), words };
  }
  const low = Math.min(0, stop?.level ?? -Math.abs(target?.level ?? 0));
  // Without a target the line reaches the present value: a stop that trails past the entry lies behind that value.
  const high = Math.max(
    0,
    target?.level ?? Math.max(Math.abs(stop?.level ?? 0), either.now),
    stop?.level ?? 0,
  );
  const at = (gain: number) => (high > low ? within((gain - low) / (high - low)) : 0.5);
  return {
    stop: stop === null ? null : at(stop.level),
    target: target === null ? null : at(target.level),
    entry: at(0),
    now: at(either.now),
    words,
  };
}

const within = (place: number) => Math.max(0, Math.min(1, place));

/** Share of the way from the entry to the level; below 0: away from it. */
const shareOf = (way: Way | null): number => (way === null || way.level === 0 ? 0 : way.now / way.level);

function wordsOf(stop: Way | null, target: Way | null): string {
  const percent = (share: number) => `${Math.min(100, Math.round(share * 100))} %`;
  if (target !== null && target.level > 0 && target.now >= 0)
    return `${percent(shareOf(target))} of the way to the take-profit`;
  if (stop !== null && stop.level >= 0) return 'the stop-loss stands past the entry';
  if (stop !== null && stop.now < 0) return `${percent(shareOf(stop))} of the way to the stop-loss`;
  return stop === null ? 'away from the take-profit' : 'away from the stop-loss';
}

function wayOf(position: Position, side: 'stopLoss' | 'takeProfit'): Way | null {
  const bracket = position[side];
  if (bracket === null) return null;
  const standing = standingLevel(side, bracket, position.legs)?.toNumber();
  const measured = standing === undefined ? null : gainsOf(position, bracket.type, standing);
  return measured;
}

/** Gains of the level and of the present value since the entry. A PnL of any measure is in USD. */
function gainsOf(position: Position, type: Bracket['type'], level: number): Way | null {
  const { entryPrice, markPrice, entryRatio, markRatio } = position;
  const pnl = Number(position.unrealizedPnl);
  const gross = position.legs.reduce((sum, leg) => sum + Number(leg.entryPrice) * Number(leg.quantity), 0);
  const ratio = (from: string | null, now: string | null): Way | null => {
    if (from === null || now === null) return null;
    const sign = gainSign(type, position.legs);
    return { unit: type, level: (level - Number(from)) * sign, now: (Number(now) - Number(from)) * sign };
  };
  switch (type) {
    case 'PERCENTAGE':
      return { unit: 'USD', level: (level / 100) * gross, now: pnl };
    case 'DOLLAR':
      return { unit: 'USD', level, now: pnl };
    case 'POSITION_VALUE':
      return { unit: 'USD', level: level - gross, now: pnl };
    case 'PRICE':
    case 'PRICE_RATIO':
      return ratio(entryPrice, markPrice);
    case 'WEIGHTED_RATIO':
      return ratio(entryRatio, markRatio);
  }
}
