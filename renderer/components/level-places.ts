/**
 * Where the handle and the × of each line stand: at its line, or, of one that is off the scale, at the edge of the
 * picture, both in one row. Of a line that runs through the readout they stand below it.
 */

interface PlacedLine {
  readonly id: string;
  /** Of its line, px from the top; null: not known. */
  readonly y: number | null;
  /** It has a row of its own off the scale. */
  readonly hasHandle: boolean;
  readonly hasCancel: boolean;
}

export interface LevelPlace {
  /** Middle of handle and ×, px from the top. */
  readonly y: number;
  /** The edge that the line lies beyond, or the readout at the top that it runs through; null: it stands at its line. */
  readonly off: 'up' | 'down' | null;
  /** Places for other × between this one and the price axis. */
  readonly shift: number;
}

export const CANCEL_PX = 18;
const EDGE_PX = 9;
/** Below a readout of one row, which stands at the top. */
const TOP_PX = 30;
/** Handles of lines that are off the same edge stand one under the other. */
const STACK_PX = 20;

/** How far down, px, a line's name would lie over the readout. @param under as below */
export function readoutStrip(under: number): number {
  return under === 0 ? 0 : under + EDGE_PX;
}

/**
 * Places by the lines' ids; of a line whose `y` is not known there is none.
 * @param under px from the top that the readout takes
 */
export function levelPlaces(
  lines: readonly PlacedLine[],
  height: number,
  under = 0,
): ReadonlyMap<string, LevelPlace> {
  const begin = Math.max(TOP_PX, under + EDGE_PX);
  // The farthest is nearest to the edge, above as below. Lines that have a × alone share the row after the handles'.
  const byHeight = lines
    .flatMap((line) => (line.y === null ? [] : [{ ...line, y: line.y }]))
    .sort((a, b) => a.y - b.y);
  const strip = readoutStrip(under);
  const handles = byHeight.filter(({ hasHandle }) => hasHandle);
  const above = handles.filter(({ y }) => y < strip).map(({ id }) => id);
  const below = handles
    .filter(({ y }) => y > height)
    .map(({ id }) => id)
    .reverse();
  const rowIn = (stack: readonly string[], id: string) =>
    stack.includes(id) ? stack.indexOf(id) : stack.length;
  const places = new Map<string, LevelPlace>();
  const crosses: LevelPlace[] = [];
  for (const { id, y: at, hasCancel } of byHeight) {
    const off = at < strip ? 'up' : at > height ? 'down' : null;
    const y =
      off === 'up'
        ? begin + rowIn(above, id) * STACK_PX
        : off === 'down'
          ? height - EDGE_PX - rowIn(below, id) * STACK_PX
          : Math.min(height - EDGE_PX, Math.max(EDGE_PX, at));
    // Of × that lie close together the next one stands beside: each can be pressed, and names have the rest of the row.
    const near = hasCancel ? crosses.filter((one) => Math.abs(one.y - y) < CANCEL_PX) : [];
    let shift = 0;
    while (near.some((one) => one.shift === shift)) shift += 1;
    const place = { y, off, shift } as const;
    if (hasCancel) crosses.push(place);
    places.set(id, place);
  }
  return places;
}
