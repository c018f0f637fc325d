/** Shared by suites about the Screener: its table and the gateway's answer behind it. */
import type { Page } from 'playwright-core';
import { dashboardSuite } from './dashboard-suite.ts';
import type { Json } from './json.ts';

export const table = (page: Page) => page.getByRole('table', { name: 'Pairs' });
export const firstRow = (page: Page) => table(page).locator('[data-row]').first();
export const cellOf = (page: Page, column: number) =>
  firstRow(page).getByRole('cell').nth(column).innerText();

/** Call it in `describe`. */
export function screenerSuite() {
  const suite = dashboardSuite();
  const screener = async (query: string): Promise<Json> =>
    (await suite.gateway.request('GET', `/analytics/screener?connector=paper&${query}`)).json;

  async function shown(): Promise<Page> {
    const { page } = await suite.open('/screener');
    await firstRow(page).waitFor({ timeout: 180_000 });
    return page;
  }
  return { suite, screener, shown };
}
