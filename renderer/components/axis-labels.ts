/**
 * Finds labels of levels that have no place on the price axis. Where labels would overlap, the library pushes them away
 * from the label of the last value: beside lines of other labels, even over the end. The same is computed here.
 */

const LABEL_PX = 15.6;
const HALF_PX = LABEL_PX / 2;
/** Margin of a label's background without a digit in it, px. */
const SLACK_PX = 1;
/** Largest distance at which a label is still beside its own line and no other, px. */
const BESIDE_PX = HALF_PX;

interface AxisLabel {
  readonly id: string;
  /** Position of the level, px from the top; null: not known. */
  readonly y: number | null;
}
type Placed = AxisLabel & { readonly y: number };

/** @param centre position of the last value's label, px from the top; null: there is none */
export function cutLabels(
  labels: readonly AxisLabel[],
  centre: number | null,
  height: number,
): ReadonlySet<string> {
  const shown = labels.flatMap(({ id, y }): readonly Placed[] =>
    y === null || y <= -HALF_PX || y >= height + HALF_PX ? [] : [{ id, y }],
  );
  const middle = centre ?? height / 2;
  const last: readonly Placed[] = centre === null ? [] : [{ id: '', y: centre }];
  const mirrored = (label: Placed) => ({ ...label, y: height - label.y });
  const down = [...last, ...shown.filter(({ y }) => y > middle)];
  const up = [...last, ...shown.filter(({ y }) => y <= middle)].map(mirrored);
  return new Set([...overTheEnd(down, height), ...overTheEnd(up, height)]);
}

/**
 * Labels without a place from the middle down to the end. Each label is pushed beyond the one before, and a group back
 * as far as there is free space. A label that would leave its line is left out and pushes no other.
 */
function overTheEnd(labels: readonly Placed[], height: number): readonly string[] {
  const all = [...labels].sort((a, b) => a.y - b.y);
  const left: string[] = [];
  const sorted: Placed[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const label of all) {
    const own = Math.min(height - HALF_PX, label.y);
    if (own < least - BESIDE_PX) {
      left.push(label.id);
      continue;
    }
    sorted.push(label);
    least = Math.max(own, least) + LABEL_PX;
  }
  const at = sorted.map(({ y }) => Math.min(height - HALF_PX, y));
  let begin = 0;
  let room = Math.max(0, (at[0] ?? 0) - HALF_PX - height / 2);
  for (let index = 1; index < at.length; index += 1) {
    const next = (at[index - 1] ?? 0) + LABEL_PX;
    const own = at[index] ?? 0;
    if (own >= next) {
      begin = index;
      room = own - next;
      continue;
    }
    at[index] = next;
    const back = Math.min(room, Math.max(0, next + HALF_PX - height));
    for (let one = begin; one < at.length; one += 1) at[one] = (at[one] ?? 0) - back;
    room -= back;
  }
  return [
    ...left,
    ...sorted.flatMap(({ id }, index) => ((at[index] ?? 0) + HALF_PX > height + SLACK_PX ? [id] : [])),
  ];
}

interface OneOfMany {
  readonly id: string;
  /** Id of the group that the line belongs to, such as a ladder. */
  readonly oneOf?: string | undefined;
}

/** Ids of the first and the last line of each group. */
export function endsOfMany(lines: readonly OneOfMany[]): ReadonlySet<string> {
  const ends = new Map<string, { readonly first: string; last: string }>();
  for (const { id, oneOf } of lines) {
    if (oneOf === undefined) continue;
    const known = ends.get(oneOf);
    if (known === undefined) ends.set(oneOf, { first: id, last: id });
    else known.last = id;
  }
  return new Set([...ends.values()].flatMap(({ first, last }) => [first, last]));
}

/** Inner lines of groups whose labels would overlap the first or last label, which shows how far the group reaches. */
export function besideEnds(lines: readonly OneOfMany[], labels: readonly AxisLabel[]): ReadonlySet<string> {
  const ends = endsOfMany(lines);
  const taken = labels.flatMap(({ id, y }) => (ends.has(id) && y !== null ? [y] : []));
  const between = new Set(
    lines.flatMap(({ id, oneOf }) => (oneOf !== undefined && !ends.has(id) ? [id] : [])),
  );
  return new Set(
    labels.flatMap(({ id, y }) =>
      y !== null && between.has(id) && taken.some((end) => Math.abs(end - y) < LABEL_PX) ? [id] : [],
    ),
  );
}
