/** A table of ten thousand rows: drawn as far as it is seen, walked through with the keys, opened in the middle. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../support/dashboard.ts';
import { dashboardSuite } from '../../support/dashboard-suite.ts';

const ROWS = 10_000;

describe('a long table', function () {
  this.timeout(90_000);
  const suite = dashboardSuite();

  async function open(): Promise<Page> {
    const { page } = await suite.open('/showcase');
    await page.getByRole('button', { name: '10,000 rows' }).click();
    await page.getByRole('button', { name: 'A few rows' }).waitFor();
    return page;
  }
  const table = (page: Page) => page.getByRole('table', { name: 'Sample positions' });
  const row = (page: Page, index: number) =>
    table(page).locator(`tr[data-row="M${String(index).padStart(5, '0')}"]`);

  it('is drawn as far as it is seen, and says how long it is', async () => {
    const page = await open();
    expect(await table(page).getAttribute('aria-rowcount')).to.equal(String(ROWS + 1));
    expect(await table(page).locator('tr[data-row]').count()).to.be.within(8, 60);
    await page.mouse.move(0, 0);
    await row(page, 3).hover();
    await page.mouse.wheel(0, 28 * 5_000);
    await row(page, 5_000).waitFor();
    expect(await row(page, 0).count()).to.equal(0);
    expect(await row(page, 5_000).getAttribute('aria-rowindex')).to.equal('5002');
    expect(await table(page).locator('tr[data-row]').count()).to.be.within(8, 60);
  });

  it('is walked through with the keys, from one end to the other', async () => {
    const page = await open();
    await row(page, 0).focus();
    await page.keyboard.press('End');
    await row(page, ROWS - 1).waitFor();
    await page.locator('tr[data-row="M09999"]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('tr[data-row="M09998"]:focus').waitFor();
    await page.keyboard.press('Home');
    await page.locator('tr[data-row="M00000"]:focus').waitFor();
    for (let step = 1; step <= 14; step += 1) await page.keyboard.press('ArrowDown');
    await page.locator('tr[data-row="M00014"]:focus').waitFor();
    const [inside, frame] = await Promise.all([
      row(page, 14).boundingBox(),
      table(page).locator('..').boundingBox(),
    ]);
    expect((inside?.y ?? 0) + (inside?.height ?? 0)).to.be.at.most(
      (frame?.y ?? 0) + (frame?.height ?? 0) + 1,
    );
  });

  it('keeps its places while rows are open, far from them too', async () => {
    const page = await open();
    for (const index of [0, 1, 2]) await row(page, index).getByRole('button', { name: 'Details' }).click();
    await table(page).getByText('Legs of M00002').waitFor();
    await expectAccessible(page, 'open rows');
    await row(page, 4).focus();
    await page.keyboard.press('End');
    await row(page, ROWS - 1).waitFor();
    await page.keyboard.press('Home');
    await table(page).getByText('Legs of M00000').waitFor();
    await row(page, 0).getByRole('button', { name: 'Details' }).click();
    await table(page).getByText('Legs of M00000').waitFor({ state: 'detached' });
  });
});
