/** Take-profit and stop-loss in words. */
import type { Row } from '../../../gateway/client/client.ts';
import { transformText } from '../../../gateway/domain/condition-table.ts';
import { shortLevel } from '../../components/format.ts';

type PositionRow = Row<'GET /positions'>;
type PositionBracket = NonNullable<PositionRow['takeProfit']>;
export type Bracket = Pick<PositionBracket, 'type' | 'value' | 'trailing'> &
  Partial<Pick<PositionBracket, 'slippage' | 'transform' | 'lookback'>>;
export type BracketType = Bracket['type'];
export const BRACKET_SIDES = ['takeProfit', 'stopLoss'] as const;
export type BracketSide = (typeof BRACKET_SIDES)[number];

/** Name and unit of each measure; `hint` is the form's explanation. */
export const BRACKET_MEASURES: Readonly<
  Record<BracketType, { readonly name: string; readonly unit: string; readonly hint: string }>
> = {
  PERCENTAGE: { name: 'PnL in percent', unit: '%', hint: 'Of the gross notional at\u00a0entry' },
  DOLLAR: { name: 'PnL in USD', unit: 'USD', hint: 'Size of the gain or of the loss' },
  POSITION_VALUE: { name: 'Position value', unit: 'USD', hint: 'Gross notional at entry plus PnL' },
  PRICE: { name: 'Basket price', unit: '', hint: 'Of its legs, as in the chart' },
  PRICE_RATIO: { name: 'Price ratio', unit: '', hint: 'Long price ÷ short price, of a pair' },
  WEIGHTED_RATIO: { name: 'Weighted ratio', unit: '', hint: 'Prices to the power of their weights' },
};

export const BRACKET_TYPES = Object.keys(BRACKET_MEASURES) as BracketType[];

/** True: the measure is a gain or a loss from the entry. */
export const isPnl = (type: BracketType): boolean => type === 'PERCENTAGE' || type === 'DOLLAR';

/** `+5 %`, `−50 USD`, `Price ratio 31.2`, then `, trailing 2 %`: the distance has the unit of the measure. */
export function bracketText(side: BracketSide, bracket: Bracket): string {
  const { type, transform, trailing } = bracket;
  const value = shortLevel(bracket.value);
  const { name, unit } = BRACKET_MEASURES[type];
  if (transform !== undefined) {
    return `${transformText(bracket, name)} ${value}${transform === 'SPREAD' ? ' %' : ''}`;
  }
  const after = unit === '' ? '' : ` ${unit}`;
  const level = isPnl(type) ? `${side === 'takeProfit' ? '+' : '−'}${value}${after}` : `${name} ${value}`;
  return trailing === null ? level : `${level}, trailing ${shortLevel(trailing.delta)}${after}`;
}

/** State of a position's bracket in words (waiting for its next round, closing, …); null: it only watches. */
export function bracketState({
  status,
  pauseReason,
  rounds,
}: Pick<PositionBracket, 'status' | 'pauseReason' | 'rounds'>): string | null {
  if (status === 'TRIGGERED') return rounds === 0 ? 'closing' : `closing, round ${rounds + 1}`;
  if (status !== 'PAUSED') return null;
  return pauseReason === 'OTHER_BRACKET' ? 'waits for the other' : 'paused';
}

/**
 * True for a bracket that a reversal carries over to the opposite position: one measured from the entry, or a
 * trailing stop-loss.
 */
export function carriesOver(side: BracketSide, { type, trailing }: Bracket): boolean {
  return isPnl(type) || (side === 'stopLoss' && trailing !== null);
}

/** True: the bracket can watch these legs. A price ratio needs one long and one short leg. */
export function canWatch(
  { type }: Pick<Bracket, 'type'>,
  legs: readonly { readonly side: 'BUY' | 'SELL'; readonly quantity: string }[],
): boolean {
  const held = legs.filter(({ quantity }) => Number(quantity) > 0);
  return type !== 'PRICE_RATIO' || (held.length === 2 && held[0]?.side !== held[1]?.side);
}
