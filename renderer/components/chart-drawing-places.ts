/** Horizontal positions of times on a chart, also between and beyond candles: a drawing is shown at every interval. */

export interface DrawnPoint {
  /** Epoch seconds. */
  readonly time: number;
  readonly level: number;
}

/** A level has one point, whose time is meaningless; a trend line has two. */
export interface Drawing {
  readonly id: string;
  readonly kind: 'level' | 'trend';
  readonly points: readonly DrawnPoint[];
}

/** The time axis as it is drawn. */
export interface TimeAxis {
  /** Candles, oldest first: epoch seconds. */
  readonly times: readonly number[];
  /** Pixels from candle to candle. */
  readonly spacing: number;
  /** Position of a candle, px; null: it has none. */
  readonly xOf: (time: number) => number | null;
}

/** Seconds of a candle: the newest two are never apart by a gap. */
function stepOf(times: readonly number[]): number {
  const [before, last] = times.slice(-2);
  return before === undefined || last === undefined ? 60 : last - before;
}

/** Pixels from the left; null: the axis has no candle yet. */
export function placeOfTime(time: number, { times, spacing, xOf }: TimeAxis): number | null {
  const at = times.findLastIndex((one) => one <= time);
  const [left, right] = [times[Math.max(0, at)], times[at + 1]];
  const from = left === undefined ? null : xOf(left);
  if (left === undefined || from === null) return null;
  const inside = at >= 0 && right !== undefined;
  const to = inside ? xOf(right) : from + spacing;
  if (to === null) return null;
  const width = inside ? right - left : stepOf(times);
  return from + ((time - left) / width) * (to - from);
}

/** The time of the candle nearest to a place, beyond the candles as if there were more of them. */
export function timeOfPlace(x: number, axis: TimeAxis): number | null {
  const { times, spacing, xOf } = axis;
  const [first, last] = [times[0], times.at(-1)];
  const [begin, end] = [first === undefined ? null : xOf(first), last === undefined ? null : xOf(last)];
  if (first === undefined || last === undefined || begin === null || end === null) return null;
  const step = stepOf(times);
  if (x >= end) return last + Math.round((x - end) / spacing) * step;
  if (x <= begin) return first + Math.round((x - begin) / spacing) * step;
  // Candles are at equal distances, whatever time lies between them.
  return times[Math.round((x - begin) / ((end - begin) / (times.length - 1)))] ?? last;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Box of the picture that a text already takes, px. */
export interface Taken {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const GAP_PX = 4;

/** Right end of a text between two heights: as close to the wanted end as possible without overlapping another text. */
export function textEnd(
  { length, top, bottom }: { readonly length: number; readonly top: number; readonly bottom: number },
  most: number,
  taken: readonly Taken[],
): number {
  return taken
    .filter((one) => one.top < bottom && one.bottom > top)
    .sort((a, b) => b.right - a.right)
    .reduce(
      (end, { left, right }) => (left < end && right + GAP_PX > end - length ? left - GAP_PX : end),
      most,
    );
}

/** Picture area of the candles, and the conversion between its pixels and drawn points. */
export interface DrawingPlane {
  readonly width: number;
  readonly height: number;
  readonly spacing: number;
  readonly taken: readonly Taken[];
  readonly placeOf: (point: DrawnPoint) => Place | null;
  readonly pointAt: (place: Place) => DrawnPoint | null;
}

/** Line between two points as a rotated box: its length, and the angle in radians. */
export function turned(from: Place, to: Place): { readonly length: number; readonly angle: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { length: Math.hypot(dx, dy), angle: Math.atan2(dy, dx) };
}
