/** Room that the names of positions take in a row, and what works on them beside them. */
import { labelPx, type NamedLeg } from '../basket-name/basket-name.ts';
import type { Work, WorkedOn } from './work.ts';

export type Legs = readonly (Pick<NamedLeg, 'side'> & { readonly ticker: string })[];

/** Of a name in wide letters, px. */
const SLACK = 8;

/** As wide as the name of these legs may become, px. */
export function ownPx(legs: Legs): number {
  return labelPx({ legs }) + SLACK;
}

/** px: a letter of a chip, what is around it, the chip that says how many more there are, what is before the first. */
const LETTER = 6;
const AROUND = 18;
const MORE = 32;
const BEFORE = 4;

/**
 * About as wide as the chips of a row are, px: a TWAP's as at its end, so that no column moves with its progress, and without
 * what is under way, which is over in a moment: a name may be cut for it.
 */
export function workPx(work: readonly Work[]): number {
  const [first, ...more] = work.filter(({ where }) => where !== 'executions');
  if (first === undefined) return 0;
  const text = first.brief.replace(/\d+\/(\d+)/, '$1/$1');
  return BEFORE + text.length * LETTER + AROUND + (more.length > 0 ? MORE : 0);
}

/**
 * The least that names and chips of these rows take, px.
 * @param most of a name, where it is cut
 * @param besidePx what else stands beside it and is never cut
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
