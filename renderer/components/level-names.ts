/** Names of lines that would lie over each other: one for those in a shared row, the others side by side. */
import type { LevelPlace } from './level-places.ts';

/** Names nearer to each other than that overlap. */
const HEIGHT_PX = 18;
const GAP_PX = 4;

interface NamedLine {
  readonly id: string;
  readonly label: string;
  readonly isMovable?: boolean | undefined;
  readonly isCancellable?: boolean | undefined;
  readonly isOneOfMany?: boolean | undefined;
}

type Places = ReadonlyMap<string, LevelPlace>;
type Elements = ReadonlyMap<string, HTMLElement>;

/**
 * Off the scale, lines that are one of many share a row: the nearest has the name of all, `Rung 1 … Rung 4`. A line off the
 * scale that can neither be moved nor cancelled has no name there.
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
    if (off !== null && isNamed && line.isOneOfMany === true) rows[off].push(line);
  }
  // Places are from the top down.
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

function hide(element: HTMLElement | undefined): void {
  if (element !== undefined) element.style.display = 'none';
}

/** Of a name that is not whole, less says nothing. */
const LEAST_PX = 60;
/** Of a name that stands alone. */
const MARGIN_PX = 6;

/**
 * Names of lines close to each other stand side by side, where there is room for it, and none of them under a ×: one that
 * is not whole ends in dots.
 */
export function moveApart(places: Places, elements: Elements, crosses: Elements): void {
  const taken = [...crosses].flatMap(([id, { offsetLeft }]) => {
    const place = places.get(id);
    return place === undefined ? [] : [{ y: place.y, left: offsetLeft }];
  });
  const standing: { readonly y: number; readonly grip: HTMLElement }[] = [];
  for (const [id, { y }] of places) {
    const element = elements.get(id);
    const grip = element?.firstElementChild;
    if (element === undefined || !(grip instanceof HTMLElement) || element.style.display === 'none') continue;
    const isBeside = (one: { readonly y: number }) => Math.abs(one.y - y) < HEIGHT_PX;
    const left = Math.max(
      0,
      ...standing.filter(isBeside).map((one) => one.grip.offsetLeft + one.grip.offsetWidth + GAP_PX),
    );
    const end = Math.min(element.clientWidth, ...taken.filter(isBeside).map((cross) => cross.left - GAP_PX));
    grip.style.maxWidth = '';
    const isWhole = left + grip.offsetWidth <= end;
    // A name of many gives way: each × says of which it is.
    if (left > 0 && !isWhole && element.dataset['many'] !== undefined) {
      element.style.display = 'none';
      continue;
    }
    const begin = left > 0 && (isWhole || left + LEAST_PX <= end) ? left : 0;
    grip.style.marginLeft = begin > 0 ? `${begin}px` : '';
    // Where a line is moved to is said whole: its × is not meant then.
    if (element.dataset['moved'] === undefined)
      grip.style.maxWidth = `${Math.max(LEAST_PX, end - Math.max(begin, MARGIN_PX))}px`;
    standing.push({ y, grip });
  }
}
