/** Figures that move have digits of one width, and words have hyphens of their own width. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { PAIR } from '../../support/trader.ts';

/** Texts of which digits alone have changed since, each with how wide its digits are. */
const WATCH = `(() => {
  const bare = (text) => text.replace(/[\\d.,]/g, '').replace(/[+\\u2212]/g, '');
  window.moved = new Map();
  new MutationObserver((changes) => {
    for (const { target, oldValue } of changes) {
      const { data, parentElement } = target;
      if (!/\\d/.test(data) || data === oldValue || bare(data) !== bare(oldValue) || parentElement === null) continue;
      if (parentElement.closest('.visually-hidden') !== null) continue;
      window.moved.set(data, getComputedStyle(parentElement).fontVariantNumeric);
    }
  }).observe(document.body, { characterData: true, characterDataOldValue: true, subtree: true });
})()`;
const MOVED = '[...window.moved]';

/** Words with a hyphen whose digits have one width. */
const WIDE_HYPHENS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wide = [];
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (/[a-z]-[a-z]/i.test(text.data) && getComputedStyle(text.parentElement).fontVariantNumeric !== 'normal')
      wide.push(text.data);
  return wide;
})()`;

type Moved = readonly (readonly [string, string])[];

describe('widths of figures', function () {
  this.timeout(120_000);
  const suite = screenSuite();

  /** Figures that have moved on the screen. Waits until there are at least 8. */
  async function moved(page: Page): Promise<Moved> {
    await page.evaluate(WATCH);
    return untilPage(page, 'figures move', async () => {
      const found = await page.evaluate<Moved>(MOVED);
      return found.length >= 8 ? found : null;
    });
  }

  for (const [address, table] of [
    ['/trade', null],
    ['/positions', 'Open positions'],
    ['/portfolio', null],
    ['/orders/triggers', 'Triggers'],
    ['/markets/instruments', 'Instruments'],
  ] as const)
    it(`are those of all their digits while they move: ${address}`, async () => {
      const { bot, page } = suite;
      if ((await bot.positions()).length === 0) {
        await bot.open(PAIR);
        const { status, text } = await bot.call('POST', '/triggers/open', {
          legs: PAIR,
          condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' },
        });
        expect(status, text).to.equal(200);
      }
      await suite.goTo(address);
      if (table !== null)
        await page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]').first().waitFor();
      const proportional = (await moved(page)).filter(([, digits]) => digits !== 'tabular-nums');
      expect(proportional).to.deep.equal([]);
      expect(await page.evaluate<readonly string[]>(WIDE_HYPHENS), 'hyphens as wide as digits').to.deep.equal(
        [],
      );
    });
});
