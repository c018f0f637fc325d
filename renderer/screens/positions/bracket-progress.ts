/**
 * How far a position is on its way from its entry to its stop-loss and to its take-profit, as shares: 0 at the entry, 1
 * at the level. For drawing only.
 */
import type { Position } from './use-position-data.ts';

type Bracket = NonNullable<Position['stopLoss']>;

export interface BracketProgress {
  /** Share of the way to the stop-loss, negative: away from it; null: there is none, or its way is not known. */
  readonly stop: number | null;
  readonly target: number | null;
}

/** null: there is nothing to show. */
export function bracketProgress(position: Position): BracketProgress | null {
  const stop = shareOf(position, position.stopLoss, -1);
  const target = shareOf(position, position.takeProfit, 1);
  return stop === null && target === null ? null : { stop, target };
}

function shareOf(position: Position, bracket: Bracket | null, sign: 1 | -1): number | null {
  // A trailing bracket moves its level, and a transform's level is no level of a price.
  if (bracket === null || bracket.trailing !== null || bracket.transform !== undefined) return null;
  const level = Number(bracket.value);
  const way = wayOf(position, bracket.type);
  if (way === null) return null;
  const [from, now] = way;
  const to = bracket.type === 'PERCENTAGE' || bracket.type === 'DOLLAR' ? sign * level : level;
  return to === from ? null : (now - from) / (to - from);
}

/** Value of the measure at the entry and now. */
function wayOf(position: Position, type: Bracket['type']): readonly [number, number] | null {
  const { unrealizedPnl, unrealizedPnlPct, entryPrice, markPrice, entryRatio, markRatio } = position;
  const pair = (from: string | null, now: string | null) =>
    from === null || now === null ? null : ([Number(from), Number(now)] as const);
  switch (type) {
    case 'PERCENTAGE':
      return pair('0', unrealizedPnlPct);
    case 'DOLLAR':
      return pair('0', unrealizedPnl);
    case 'POSITION_VALUE': {
      const entry = position.legs.reduce(
        (sum, leg) => sum + Number(leg.entryPrice) * Number(leg.quantity),
        0,
      );
      return [entry, entry + Number(unrealizedPnl)];
    }
    case 'PRICE':
    case 'PRICE_RATIO':
      return pair(entryPrice, markPrice);
    case 'WEIGHTED_RATIO':
      return pair(entryRatio, markRatio);
  }
}
