/** A line of the chart is let go: how long until its review stands in the picture, the first time in a page and later. */
import type { Page } from 'playwright-core';
import { openWatched } from '../../support/browser.ts';
import { median } from '../statistics.ts';
import { valueMeasure } from '../verdict.ts';
import {
  atMost,
  type DashboardBenchmark,
  offenceMeasure,
  settledUser,
  signIn,
  startBuilt,
} from './dashboard-bench.ts';

const LATER = 4;
const DRAG_PX = 24;

/** From the event to the frame after the one in which the dialog is drawn. */
const WATCH = `globalThis.__review = new Promise((resolve) => {
  addEventListener('pointerup', ({ timeStamp }) => {
    const look = () => {
      const dialog = document.querySelector('[role="dialog"]');
      if (dialog === null || dialog.offsetHeight === 0) requestAnimationFrame(look);
      else requestAnimationFrame((at) => resolve(at - timeStamp));
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
})`;

async function drag(page: Page, name: RegExp): Promise<number> {
  const handle = page.getByRole('slider', { name });
  await handle.waitFor();
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the line is not in the picture');
  const [x, y] = [box.x + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + DRAG_PX / 2, { steps: 4 });
  await page.mouse.move(x, y + DRAG_PX, { steps: 4 });
  // Not waited for here: it is over when the review stands.
  await page.evaluate(`void (${WATCH})`);
  await page.mouse.up();
  const ms = await page.evaluate<number>('globalThis.__review');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return ms;
}

export const dragToReview: DashboardBenchmark = async ({ browser, rounds, say }) => {
  const { dataDir, port } = await settledUser();
  const gateway = await startBuilt(dataDir, port);
  const kinds = {
    // A stop of the position, and a line of the order that is typed.
    'held stop': { first: [] as number[], later: [] as number[] },
    'typed trigger': { first: [] as number[], later: [] as number[] },
  };
  const offences: string[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      say(`drag to review, round ${round} of ${rounds}`);
      for (const [kind, times] of Object.entries(kinds)) {
        const tab = await openWatched(browser, { viewport: { width: 1440, height: 900 } });
        const { page } = tab;
        await signIn(tab, port);
        await page.goto(`http://tandem.localhost:${port}/app/trade?long=BTC-PERP&short=ETH-PERP`);
        const name = kind === 'held stop' ? /^Move SL/ : /^Move Trigger/;
        if (kind === 'typed trigger') {
          const ticket = page.getByRole('form', { name: 'Ticket' });
          await ticket.getByRole('radio', { name: 'Trigger', exact: true }).click();
          await ticket.getByLabel('Notional').fill('500');
          await page.getByRole('slider', { name: /^Move Entry/ }).waitFor();
          await page.getByRole('button', { name: 'Set a level' }).click();
          await page.getByRole('button', { name: 'Order or alert that waits for it' }).click();
        }
        await page.getByRole('slider', { name }).waitFor();
        times.first.push(await drag(page, name));
        for (let nth = 0; nth < LATER; nth += 1) times.later.push(await drag(page, name));
        offences.push(...tab.offences);
        await tab.close();
      }
    }
  } finally {
    await gateway.stop();
  }
  return [
    ...Object.entries(kinds).map(([kind, { first, later }]) =>
      valueMeasure(
        {
          name: `dashboard/drag-to-review/${kind.replace(' ', '-')}`,
          about: `From letting go of the line (${kind}) to its review in the picture, the first drag of a page`,
          goal: atMost(50),
          unit: 'ms',
          figures: {
            'later drags': median(later),
            'slowest later': Math.max(...later),
            rounds: first,
          },
        },
        median(first),
      ),
    ),
    offenceMeasure('dashboard/drag-to-review/offences', offences),
  ];
};
