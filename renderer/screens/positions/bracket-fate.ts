/** What becomes of a position's take-profit and stop-loss when its size changes, as the gateway does it. */
import Big from 'big.js';
import {
  type Bracket,
  type BracketSide,
  bracketText,
  isPnl,
} from '../../features/brackets-form/bracket-text.ts';
import type { Position } from './use-position-data.ts';

export type SizeChange = 'enlarged' | 'reduced' | 'ended' | 'changed';

type Standing = Bracket & Partial<Pick<NonNullable<Position['takeProfit']>, 'status'>>;

/** What the change makes of the legs. */
export interface LegChange {
  readonly change: SizeChange;
  /** Legs of the position. */
  readonly legs: number;
  /** The legs do not change by the same share. */
  readonly isUneven: boolean;
}

/** Steps round what is asked for evenly. */
const ROUNDED = 0.01;

/** Whether legs change by different shares, as far as that is no rounding. @param legs base units now and of the change */
export function isUneven(legs: readonly { readonly now: string; readonly change: string }[]): boolean {
  const shares = legs
    .filter(({ now }) => Number(now) > 0)
    .map(({ now, change }) => new Big(change).div(now).toNumber());
  return Math.max(...shares) - Math.min(...shares) > ROUNDED;
}

/** `Stop-loss −5 % stays, and covers what is added.` */
export function bracketFate(side: BracketSide, bracket: Standing, of: LegChange): string {
  const { change } = of;
  const name = `${side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} ${bracketText(side, bracket)}`;
  if (change === 'ended') return `${name} ends with the position.`;
  if (bracket.status === 'TRIGGERED') return `${name} is closing the position, and closes it as it is then.`;
  return `${name} stays${STAYS[change]}${jumped(bracket, of) ?? moved(side, bracket, change)}.`;
}

const STAYS = {
  enlarged: ', and covers what is added',
  reduced: ' for the rest',
  changed: ', for the position as it is then',
} as const satisfies Readonly<Record<Exclude<SizeChange, 'ended'>, string>>;

/** What a bracket is measured by may change with the size, although no price has moved. */
function moved(side: BracketSide, { type, trailing }: Bracket, change: SizeChange): string {
  if (type === 'POSITION_VALUE') {
    if (change === 'changed') return '; the value that it watches changes with the size';
    const mayFire = (side === 'takeProfit') === (change === 'enlarged');
    const how = change === 'enlarged' ? 'grows by what is added' : 'falls by what is closed';
    return `; the value that it watches ${how}${mayFire ? ', which may fire it at once' : ''}`;
  }
  if (change === 'reduced') return '';
  if (isPnl(type) && trailing !== null) return '; it keeps the distance that it trails by';
  if (type === 'PERCENTAGE') return ', from the new entry';
  return type === 'DOLLAR' ? '; its amount is of the whole' : '';
}

/**
 * The gateway measures a bracket on the legs that are open, by what they were opened for: where their shares shift, the figure
 * jumps and its level does not. A trailing level follows the jump. null: nothing jumps.
 */
function jumped(
  { type, trailing }: Bracket,
  { change, legs, isUneven: isShifted }: LegChange,
): string | null {
  if (legs < 2 || trailing !== null) return null;
  switch (type) {
    case 'PERCENTAGE':
    case 'DOLLAR':
      // What is added has no profit or loss yet.
      return change !== 'enlarged' && isShifted
        ? '; the PnL that it watches is of the legs that stay, jumps with this, and may fire it at once'
        : null;
    case 'PRICE':
    case 'WEIGHTED_RATIO':
      // What is added is bought at other prices: the weights shift even where the quantities do not.
      return change === 'enlarged' || isShifted
        ? '; the figure that it watches jumps with the weights of the legs, and may fire it at once or be far from it'
        : null;
    default:
      return null;
  }
}
