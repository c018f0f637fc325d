/** Lines of a chart that are dragged by the pointer. */
import type { Locator } from 'playwright-core';
import { framesPass, untilPage } from './page-time.ts';

/** Longer than a chart waits before it draws again. */
const STILL_MS = 260;

/**
 * A place of its left end that nothing lies over: its middle, or where a line close by leaves some of it. Candles that come,
 * and the market, move the scale: not before it stands still.
 */
async function placeOf(line: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const page = line.page();
  return untilPage(page, 'the line stands still, with nothing over it', async () => {
    await line.scrollIntoViewIfNeeded();
    const before = await line.boundingBox();
    await framesPass(page, STILL_MS);
    const box = await line.boundingBox();
    if (before === null || box === null || Math.abs(box.y - before.y) > 1) return null;
    const places = [1 / 2, 1 / 5, 4 / 5].map((part) => ({ x: box.x + 40, y: box.y + box.height * part }));
    const free = await line.evaluate(
      (element, all) =>
        all.findIndex(({ x, y }) => element.contains(element.ownerDocument.elementFromPoint(x, y))),
      places,
    );
    return places[free] ?? null;
  });
}

/** @param byPx down from where it is; negative: up */
export async function dragLine(line: Locator, byPx: number): Promise<void> {
  const { x, y } = await placeOf(line);
  const { mouse } = line.page();
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x, y + byPx / 2, { steps: 3 });
  await mouse.move(x, y + byPx, { steps: 3 });
  await mouse.up();
}
