/**
 * Places of each line's handle and ×: at the line, or in one row at the edge of the picture for a line off the scale.
 * For a line that runs through the readout both are below the readout.
 */

interface PlacedLine {
  readonly id: string;
  /** Position of the line, px from the top; null: not known. */
  readonly y: number | null;
  /** The line gets a row of its own when it is off the scale. */
  readonly hasHandle: boolean;
  readonly hasCancel: boolean;
}

export interface LevelPlace {
  /** Middle of handle and ×, px from the top. */
  readonly y: number;
  /** Direction of a line off the scale, `up` also behind the readout at the top; null: both stand at the line. */
  readonly off: 'up' | 'down' | null;
  /** Number of other × between this one and the price axis. */
  readonly shift: number;
}

export const CANCEL_PX = 18;
const EDGE_PX = 9;
/** Top row of handles and ×, below a readout of one row. */
const TOP_PX = 30;
/** Distance of stacked handles: lines off the same edge are stacked. */
const STACK_PX = 20;

/** Height of the strip at the top in which a line's name would cover the readout, px. @param under as below */
export function readoutStrip(under: number): number {
  return under === 0 ? 0 : under + EDGE_PX;
}

/**
 * Places by line id; a line whose `y` is not known has none.
 * @param under height of the readout from the top, px
 */
export function levelPlaces(
  lines: readonly PlacedLine[],
  height: number,
  under = 0,
): ReadonlyMap<string, LevelPlace> {
  const begin = Math.max(TOP_PX, under + EDGE_PX);
  // The farthest line is next to the edge, at both ends. Lines with only a × share the row after the handles.
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
    // Puts × that would overlap side by side: each stays clickable, and names get the rest of the row.
    const near = hasCancel ? crosses.filter((one) => Math.abs(one.y - y) < CANCEL_PX) : [];
    let shift = 0;
    while (near.some((one) => one.shift === shift)) shift += 1;
    const place = { y, off, shift } as const;
    if (hasCancel) crosses.push(place);
    places.set(id, place);
  }
  return places;
}
