/** Time as a page has it: frames that it draws. On a busy machine they come later, and whoever waits for them waits longer. */
import { systemClock } from '../../gateway/system/clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { until } from './until.ts';

/** Page of Playwright or Puppeteer. */
interface Page {
  evaluate(script: string): Promise<unknown>;
}

const FRAME_MS = 1_000 / 60;

/** Resolves when the page has drawn as many frames as it draws in `ms` on an idle machine. */
export async function framesPass(page: Page, ms: number): Promise<void> {
  await page.evaluate(
    `new Promise((resolve) => {
      let left = ${Math.ceil(ms / FRAME_MS)};
      const drawn = () => (left-- > 0 ? requestAnimationFrame(drawn) : resolve());
      drawn();
    })`,
  );
}

/** For `until`, where a page and its gateway go on by themselves. */
const pageClock = (page: Page): Pick<FakeClock, 'advance'> => ({
  advance: (ms) => framesPass(page, ms),
});

/** `until`, where a page and its gateway go on by themselves. */
export const untilPage = <T>(
  page: Page,
  what: string,
  look: Parameters<typeof until<T>>[2],
  withinMs?: number,
) => until(pageClock(page), what, look, withinMs);

/** For `until`, where a gateway runs on the machine's clock and no page is open. */
export const machineClock: Pick<FakeClock, 'advance'> = { advance: systemClock.sleep };
