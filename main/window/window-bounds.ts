/** Remembered place of the window, as far as the connected screens show it. */
import * as z from 'zod/mini';
import type { Rectangle } from '../electron-parts.ts';

export const windowPlace = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
  isMaximized: z.boolean(),
});
export type WindowPlace = z.infer<typeof windowPlace>;

export const LEAST_WIDTH = 960;
export const LEAST_HEIGHT = 640;
const FIRST_SIZE = { width: 1440, height: 900 };

/**
 * The remembered place, moved and shrunk so that all of it lies in the work area of the screen that shows most of it;
 * without a place, or when its screen is gone, the window is centred on the first screen. Device-independent pixels.
 */
export function clampToScreens(place: WindowPlace | null, workAreas: readonly Rectangle[]): Rectangle {
  const best = place === null ? undefined : mostCovered(place, workAreas);
  const area = best ?? workAreas[0] ?? { x: 0, y: 0, ...FIRST_SIZE };
  const size = place ?? FIRST_SIZE;
  const width = Math.min(Math.max(size.width, LEAST_WIDTH), area.width);
  const height = Math.min(Math.max(size.height, LEAST_HEIGHT), area.height);
  if (place === null || best === undefined) {
    const x = area.x + Math.round((area.width - width) / 2);
    return { x, y: area.y + Math.round((area.height - height) / 2), width, height };
  }
  return {
    x: Math.min(Math.max(place.x, area.x), area.x + area.width - width),
    y: Math.min(Math.max(place.y, area.y), area.y + area.height - height),
    width,
    height,
  };
}

function mostCovered(place: Rectangle, areas: readonly Rectangle[]): Rectangle | undefined {
  const [first] = areas
    .map((area) => ({ area, covered: overlap(place, area) }))
    .filter(({ covered }) => covered > 0)
    .sort((a, b) => b.covered - a.covered);
  return first?.area;
}

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
