/** Widths of positions' names in a row, and of the chips of their orders beside them. */
import { labelPx, type NamedLeg } from '../basket-name/basket-name.ts';
import type { Work, WorkedOn } from './work.ts';

export type Legs = readonly (Pick<NamedLeg, 'side'> & { readonly ticker: string })[];

/** Margin for names in wide letters, px. */
const SLACK = 8;

/** Largest width of the name of these legs, px. */
export function ownPx(legs: Legs): number {
  return labelPx({ legs }) + SLACK;
}

/** px: a letter of a chip, its padding, the chip with the number of further orders, the gap before the first chip. */
const LETTER = 6;
const AROUND = 18;
const MORE = 32;
const BEFORE = 4;

/**
 * Approximate width of a row's chips, px. A TWAP counts with its final progress, so that no column moves with it.
 * Market orders do not count because they are over in a moment: a name may be cut for them.
 */
export function workPx(work: readonly Work[]): number {
  const [first, ...more] = work.filter(({ where }) => where !== 'executions');
  if (first === undefined) return 0;
  const text = first.brief.replace(/\d+\/(\d+)/, '$1/$1');
  return BEFORE + text.length * LETTER + AROUND + (more.length > 0 ? MORE : 0);
}

/**
 * Smallest width that names and chips of these rows need, px.
 * @param most width of a name at which it is cut
 * @param besidePx width of further content that is never cut
 */
export function leastPx<Row extends WorkedOn & { readonly legs: Legs }>(
  rows: readonly Row[],
  workOn: (row: Row) => readonly Work[],
  most: number,
  besidePx: (row: Row) => number = () => 0,
): number {
  const widths = rows.map((row) => Math.min(most, ownPx(row.legs)) + besidePx(row) + workPx(workOn(row)));
  return Math.max(0, ...widths);
}
