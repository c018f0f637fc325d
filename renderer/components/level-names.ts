/** Layout of line names that would overlap: one name for lines in a shared row, others side by side. */
import type { Taken } from './chart-drawing-places.ts';
import type { LevelPlace } from './level-places.ts';

/** Names closer to each other than this overlap. */
const HEIGHT_PX = 18;
const GAP_PX = 4;

interface NamedLine {
  readonly id: string;
  readonly label: string;
  readonly isMovable?: boolean | undefined;
  readonly isCancellable?: boolean | undefined;
  readonly oneOf?: string | undefined;
}

type Places = ReadonlyMap<string, LevelPlace>;
type Elements = ReadonlyMap<string, HTMLElement>;

/**
 * Gives lines of a group that are off the scale one shared row: the nearest shows all names, `Rung 1 … Rung 4`. A line
 * off the scale that can neither be moved nor cancelled has no name there.
 */
export function nameShared(lines: readonly NamedLine[], places: Places, elements: Elements): void {
  const still = new Map(lines.filter(({ isMovable }) => isMovable !== true).map((line) => [line.id, line]));
  const rows = { up: [] as NamedLine[], down: [] as NamedLine[] };
  for (const [id, { off }] of places) {
    const line = still.get(id);
    const element = elements.get(id);
    if (line === undefined || element === undefined) continue;
    const isNamed = off === null || line.isCancellable === true;
    element.style.display = isNamed ? '' : 'none';
    delete element.dataset['many'];
    if (off !== null && isNamed && line.oneOf !== undefined) rows[off].push(line);
  }
  // Places are sorted from the top down.
  for (const [nearest, ...others] of [rows.up.reverse(), rows.down]) {
    const element = elements.get(nearest?.id ?? '');
    const last = others.at(-1);
    if (nearest === undefined || element === undefined || last === undefined) continue;
    for (const { id } of others) hide(elements.get(id));
    element.dataset['many'] = '';
    const words = element.querySelector('[data-names]');
    if (words !== null) words.textContent = `${nearest.label} … ${last.label}`;
  }
}

/** True: a line's name can be read in the picture. */
export function isNamed(element: HTMLElement | undefined): boolean {
  return (
    element !== undefined && element.style.display !== 'none' && element.dataset['crowded'] === undefined
  );
}

function hide(element: HTMLElement | undefined): void {
  if (element !== undefined) element.style.display = 'none';
}

/** Least width of a shortened name: less would be unreadable. */
const LEAST_PX = 60;
/** Left margin of a name. */
const MARGIN_PX = 6;

interface Span {
  readonly left: number;
  readonly right: number;
}

/**
 * Leftmost free place of a name: for the whole name, or else for a readable part of it.
 * @param taken by other names at its height
 * @param end right limit, px
 * @returns null: there is no place
 */
export function namePlace(taken: readonly Span[], width: number, end: number): Span | null {
  const starts = [MARGIN_PX, ...taken.map(({ right }) => right + GAP_PX)].sort((a, b) => a - b);
  const free = starts
    .filter((left) => taken.every((one) => one.right + GAP_PX <= left || one.left > left))
    .map((left) => {
      const next = Math.min(end, ...taken.filter((one) => one.left > left).map((one) => one.left - GAP_PX));
      return { left, right: Math.min(left + width, next), isWhole: left + width <= next };
    });
  const best =
    free.find(({ isWhole }) => isWhole) ?? free.find(({ left, right }) => right - left >= LEAST_PX);
  return best === undefined ? null : { left: best.left, right: best.right };
}

/**
 * Puts names of close lines side by side, none under a × or over an amount. A name without enough space ends in dots;
 * one without a place is hidden until its line is hovered, focused or moved.
 */
export function moveApart(
  places: Places,
  elements: Elements,
  crosses: Elements,
  amounts: readonly Taken[],
): void {
  const taken = [...crosses].flatMap(([id, { offsetLeft }]) => {
    const place = places.get(id);
    return place === undefined ? [] : [{ y: place.y, left: offsetLeft }];
  });
  const standing: (Span & { readonly y: number })[] = [];
  for (const [id, { y }] of places) {
    const element = elements.get(id);
    const grip = element?.firstElementChild;
    if (element === undefined || !(grip instanceof HTMLElement) || element.style.display === 'none') continue;
    const isBeside = (one: { readonly y: number }) => Math.abs(one.y - y) < HEIGHT_PX;
    const end = Math.min(element.clientWidth, ...taken.filter(isBeside).map((cross) => cross.left - GAP_PX));
    grip.style.maxWidth = '';
    const isOver = ({ top, bottom }: Taken) => top < y + HEIGHT_PX / 2 && bottom > y - HEIGHT_PX / 2;
    const beside = [...standing.filter(isBeside), ...amounts.filter(isOver)];
    delete element.dataset['brief'];
    let width = grip.offsetWidth;
    let place = namePlace(beside, width, end);
    // Drops the further text before the name is cut, or reaches over half of the picture.
    const hasMore = grip.querySelector('[data-more]') !== null;
    if (hasMore && (place === null || place.right - place.left < width || width > end / 2)) {
      element.dataset['brief'] = '';
      width = grip.offsetWidth;
      place = namePlace(beside, width, end);
    }
    if (place === null) {
      element.dataset['crowded'] = '';
      grip.style.marginLeft = '';
      continue;
    }
    delete element.dataset['crowded'];
    grip.style.marginLeft = `${place.left}px`;
    // A moved line shows its whole text, over its × if need be: nobody cancels a line while moving it.
    const isCut = place.right - place.left < width && element.dataset['moved'] === undefined;
    if (isCut) grip.style.maxWidth = `${place.right - place.left}px`;
    standing.push({ y, left: place.left, right: place.left + grip.offsetWidth });
  }
}
