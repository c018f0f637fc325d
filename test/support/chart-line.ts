/** Lines of a chart that are dragged by the pointer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/** Longer than a chart waits before it draws again. */
const STILL_MS = 260;

/** The middle of its left end. Candles that come, and the market, move the scale: not before it stands still. */
async function placeOf(line: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const look = async () => {
    const box = await line.boundingBox();
    return box === null ? null : { x: box.x + 40, y: box.y + box.height / 2 };
  };
  return until('the line stands still, with nothing over it', async () => {
    const before = await look();
    await sleep(STILL_MS);
    const place = await look();
    if (before === null || place === null || Math.abs(place.y - before.y) > 1) return null;
    const isOnTop = await line.evaluate(
      (element, { x, y }) => element.contains(element.ownerDocument.elementFromPoint(x, y)),
      place,
    );
    return isOnTop ? place : null;
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
