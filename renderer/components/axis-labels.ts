/**
 * Which labels of levels have no place on the price axis. The library pushes labels that would lie over each other away from
 * that of the last value, beside lines that are not theirs and as far as over the end; here the same is reckoned.
 */

const LABEL_PX = 15.6;
const HALF_PX = LABEL_PX / 2;
/** Of the label's ground, without a digit in it. */
const SLACK_PX = 1;
/** So far from its line a label is still beside it, and beside no other one. */
const BESIDE_PX = HALF_PX;

interface AxisLabel {
  readonly id: string;
  /** Of its level, px from the top; null: not known. */
  readonly y: number | null;
}
type Placed = AxisLabel & { readonly y: number };

/** @param centre of the last value's label; null: there is none */
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
 * Of those from the middle down to the end: each is pushed beyond the one before, and a group back as far as it has room. One
 * that would be pushed away from its line is left out, and pushes no other.
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
  /** What it is one of many of: a ladder. */
  readonly oneOf?: string | undefined;
}

/** Of each many the first and the last, by their ids. */
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

/** Those between the ends of many that would take the room of an end's label: it is the ends that say how far they go. */
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
