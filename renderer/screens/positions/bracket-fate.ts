/** What becomes of a position's take-profit and stop-loss when its size changes, as the gateway does it. */
import {
  type Bracket,
  type BracketSide,
  bracketText,
  isPnl,
} from '../../features/brackets-form/bracket-text.ts';
import type { Position } from './use-position-data.ts';

export type SizeChange = 'enlarged' | 'reduced' | 'ended' | 'changed';

type Standing = Bracket & Partial<Pick<NonNullable<Position['takeProfit']>, 'status'>>;

/** `Stop-loss −5 % stays, and covers what is added.` */
export function bracketFate(side: BracketSide, bracket: Standing, change: SizeChange): string {
  const name = `${side === 'takeProfit' ? 'Take-profit' : 'Stop-loss'} ${bracketText(side, bracket)}`;
  if (change === 'ended') return `${name} ends with the position.`;
  if (bracket.status === 'TRIGGERED') return `${name} is closing the position, and closes it as it is then.`;
  return `${name} stays${STAYS[change]}${moved(side, bracket, change)}.`;
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
