/** Shared by suites about the Positions screen: the table, its dialogs, and a pair that is open. */
import type { Locator } from 'playwright-core';
import type { Json } from './json.ts';
import { screenSuite } from './screen-suite.ts';
import { PAIR } from './trader.ts';

/** Call it in `describe`. Positions that a test leaves open are closed after it. */
export function positionsSuite() {
  // The browser reports the answer to a refused form as an error.
  const suite = screenSuite((status, path) => status === 400 && path.startsWith('/positions/'));

  const { bot, page } = suite;

  async function openPair(): Promise<Json> {
    await bot.open(PAIR);
    const [position] = await bot.positions();
    return position;
  }
  const table = () => page.getByRole('table', { name: 'Open positions' });
  const rowOf = (text: string): Locator => table().locator('tr[data-row]').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog').last();
  const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  async function fromMenu(row: Locator, item: RegExp): Promise<void> {
    await row.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await dialog().waitFor();
  }

  afterEach(suite.closePositions);
  return { suite, bot, page, openPair, table, rowOf, dialog, button, fromMenu };
}
