/**
 * Leaves columns out of a table that is wider than its place, the least important ones first. The browser says how narrow
 * a column can be: in a table of no width, each is as narrow as its cells allow.
 */
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Column } from './table-column.ts';

interface Fit {
  /** Ids of the columns that are not drawn. */
  readonly omitted: readonly string[];
  /** True: the table is too wide even without the columns that may go, so names are cut. */
  readonly isTight: boolean;
}

const ALL_DRAWN: Fit = { omitted: [], isTight: false };
/** Stands for the column of the arrows that expand rows, which has no id. */
const EXPANDER = '';
/** Spare room for a column to come back, px: none comes and goes with a digit of a figure. */
const SPARE_PX = 16;

/**
 * @param frame the scrolling element around the table
 * @param sizes widths of the frame and the table; when one changes, the columns are fitted again
 * @param rowCount with another number of rows, all columns are laid out again
 */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  frame: RefObject<HTMLElement | null>,
  sizes: { readonly frame: number; readonly table: number },
  rowCount: number,
) {
  const key = `${rowCount} ${columns.map(({ id, priority = 0 }) => `${id} ${priority}`).join()}`;
  const [kept, setKept] = useState({ key, fit: ALL_DRAWN });
  const fit = kept.key === key ? kept.fit : ALL_DRAWN;
  const widths = useRef(new Map<string, number>());
  const refit = useEffectEvent(() => {
    const place = frame.current;
    const table = place?.querySelector('table');
    if (place == null || table == null || place.clientWidth === 0) return;
    const isCards = getComputedStyle(table).display === 'block';
    const fits = fit === ALL_DRAWN && table.offsetWidth <= place.clientWidth;
    if (!isCards && !fits) measure(place, table, widths.current);
    const next = isCards || fits ? ALL_DRAWN : fitOf(columns, widths.current, place.clientWidth, fit);
    if (next.isTight !== fit.isTight || next.omitted.join() !== fit.omitted.join())
      setKept({ key, fit: next });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of one of them is the reason to fit again
  useLayoutEffect(() => refit(), [key, sizes.frame, sizes.table]);
  // Narrower content leaves the width of the table as it is, but not those of its columns.
  useEffect(() => {
    if (fit === ALL_DRAWN) return undefined;
    const observer = new ResizeObserver(() => refit());
    for (const head of headsOf(frame.current)) observer.observe(head);
    return () => observer.disconnect();
  }, [fit, frame]);
  const { omitted, isTight } = fit;
  const drawn = useMemo(
    () => (omitted.length === 0 ? columns : columns.filter(({ id }) => !omitted.includes(id))),
    [columns, omitted],
  );
  return { columns: drawn, isTight };
}

function headsOf(place: HTMLElement | null): readonly HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(':scope > table > thead > tr > *') ?? [])];
}

/** Notes the least widths of the drawn columns with whole names, px. */
function measure(place: HTMLElement, table: HTMLElement, widths: Map<string, number>): void {
  const isTight = place.hasAttribute('data-tight');
  place.removeAttribute('data-tight');
  table.style.width = '0';
  widths.delete(EXPANDER);
  for (const head of headsOf(place)) widths.set(head.dataset['column'] ?? EXPANDER, head.offsetWidth);
  table.style.width = '';
  place.toggleAttribute('data-tight', isTight);
}

function fitOf<Row>(
  columns: readonly Column<Row>[],
  widths: ReadonlyMap<string, number>,
  room: number,
  before: Fit,
): Fit {
  const widthOf = (id: string) => widths.get(id) ?? 0;
  let needed = columns.reduce((sum, { id }) => sum + widthOf(id), widthOf(EXPANDER));
  const leastFirst = columns
    .filter(({ priority }) => priority !== undefined)
    .toReversed()
    .toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const omitted: string[] = [];
  for (const { id } of leastFirst) {
    if (needed + (before.omitted.includes(id) ? SPARE_PX : 0) <= room) break;
    omitted.push(id);
    needed -= widthOf(id);
  }
  const isTight = needed > room;
  return omitted.length === 0 && !isTight ? ALL_DRAWN : { omitted, isTight };
}
