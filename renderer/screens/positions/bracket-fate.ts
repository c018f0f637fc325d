/** Effect of a change of size on a position's take-profit and stop-loss, by the gateway's rules. */
import Big from 'big.js';
import {
  type Bracket,
  type BracketSide,
  bracketText,
  canWatch,
  isPnl,
} from '../../features/brackets-form/bracket-text.ts';
import type { Position } from './use-position-data.ts';

export type SizeChange = 'enlarged' | 'reduced' | 'ended' | 'changed';

type Standing = Bracket & Partial<Pick<NonNullable<Position['takeProfit']>, 'status'>>;

/** A leg of the position before and after the change, base units. */
export interface ChangedLeg {
  readonly side: 'BUY' | 'SELL';
  readonly before: string;
  readonly after: string;
}

export interface LegChange {
  readonly change: SizeChange;
  /** All legs of the position, unchanged ones included. */
  readonly legs: readonly ChangedLeg[];
}

/** Tolerance for even changes, since quantities are rounded to steps. */
const ROUNDED = 0.01;

const isHeld = (quantity: string) => Number(quantity) > 0;

/** True: the legs change by different shares, beyond rounding. */
export function isUneven(legs: readonly ChangedLeg[]): boolean {
  const held = legs.filter(({ before }) => isHeld(before));
  if (held.length < legs.filter(({ after }) => isHeld(after)).length) return true;
  const shares = held.map(({ before, after }) => new Big(after).div(before).toNumber());
  return Math.max(...shares) - Math.min(...shares) > ROUNDED;
}

/** `Stop-loss −5 % stays, and covers what is added.` */
export function bracketFate(side: BracketSide, bracket: Standing, of: LegChange): string {
  const { change, legs } = of;
  const name = `${side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} ${bracketText(side, bracket)}`;
  if (change === 'ended') return `${name} ends with the position.`;
  if (bracket.status === 'TRIGGERED') return `${name} is closing the position, and closes it as it is then.`;
  const isWatched = canWatch(
    bracket,
    legs.map((leg) => ({ side: leg.side, quantity: leg.after })),
  );
  if (!isWatched)
    return `${name} stays, and is not watched then: its ratio needs one long and one short leg.`;
  return `${name} stays${STAYS[change]}${jumped(bracket, of) ?? moved(bracket, of)}.`;
}

const STAYS = {
  enlarged: ', and covers what is added',
  reduced: ' for the rest',
  changed: ', for the position as it is then',
} as const satisfies Readonly<Record<Exclude<SizeChange, 'ended'>, string>>;

/** Effect of the size on a level although no price has moved. */
function moved({ type, trailing }: Bracket, { change, legs }: LegChange): string {
  if (type === 'POSITION_VALUE') {
    if (change === 'changed') return '; its level moves with the size';
    return `; its level ${change === 'enlarged' ? 'grows' : 'falls'} with the size`;
  }
  const realises = change !== 'enlarged' && (type === 'DOLLAR' || (type === 'PERCENTAGE' && isUneven(legs)));
  if (realises && trailing === null) return '; PnL that this realises counts on';
  if (change === 'reduced') return '';
  if (isPnl(type) && trailing !== null) return '; it keeps the distance that it trails by';
  if (type === 'PERCENTAGE') return ', from the new entry';
  return type === 'DOLLAR' ? '; its amount is of the whole' : '';
}

/**
 * The gateway measures a ratio or price on the open legs, weighted by their opening amounts. If their shares shift, the
 * figure jumps and its level does not. A trailing level follows the jump. null: nothing jumps.
 */
function jumped({ type, trailing }: Bracket, { change, legs }: LegChange): string | null {
  if (trailing !== null) return null;
  const isShifted = isUneven(legs);
  // Added amounts trade at other prices, so the weights shift even where the quantities do not.
  const isReweighed = change === 'enlarged' || isShifted;
  const many = (held: readonly ChangedLeg[]) => held.length > 1;
  switch (type) {
    case 'WEIGHTED_RATIO':
      return isReweighed && many(legs) ? JUMPS : null;
    case 'PRICE': {
      // Each side is checked by itself: the size of a side's only leg does not matter.
      const comesOrGoes = legs.some(({ before, after }) => isHeld(before) !== isHeld(after));
      const hasWeights = (['BUY', 'SELL'] as const).some((side) =>
        many(legs.filter((leg) => leg.side === side)),
      );
      return comesOrGoes || (isReweighed && hasWeights) ? JUMPS : null;
    }
    default:
      return null;
  }
}

const JUMPS =
  '; the figure that it watches jumps with the weights of the legs, and may fire it at once or be far from it';
