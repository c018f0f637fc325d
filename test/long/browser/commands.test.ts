/** The commands and keys of the dashboard, and the page that shows its design. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../support/dashboard.ts';
import { SCREENS } from '../../support/dashboard-screens.ts';
import { dashboardSuite } from '../../support/dashboard-suite.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { usd } from '../../support/trader.ts';

describe('commands of the dashboard', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();

  const isLive = (page: Page) => page.getByText('Live data').waitFor();
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' });
  const command = async (page: Page, words: string) => {
    // A dialog that is on its way out gives the focus back when it is gone; two may be on their way.
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const field = palette(page).getByRole('combobox', { name: 'Commands' });
    await field.fill(words);
    // Baskets and positions come when they are read.
    await palette(page).getByRole('option').first().waitFor();
    await field.press('Enter');
    await palette(page).waitFor({ state: 'detached' });
  };

  it('goes from the keyboard to every screen, and past the rail', async () => {
    const { page } = await suite.open('/settings');
    await isLive(page);
    for (const { path, key } of SCREENS) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(new RegExp(`/app${path}`));
    }
    for (const { name, path } of SCREENS) {
      await command(page, name);
      await page.waitForURL(new RegExp(`/app${path}`));
    }
    await page.reload();
    await isLive(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction("document.activeElement.id === 'main'");
  });

  itInFreshTab('does by command what the screens do', async () => {
    const { page } = await suite.open('/portfolio');
    await isLive(page);
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    await expectAccessible(page, 'commands');
    await page.keyboard.type('nothing is called this');
    await palette(page).getByText('Nothing matches').waitFor();
    await expectAccessible(page, 'no command');
    await page.keyboard.press('Escape');

    await command(page, 'add a trade account');
    const add = page.getByRole('dialog', { name: 'Add a trade account' });
    await add.waitFor();
    await add.getByRole('button', { name: 'Back' }).click();
    await add.waitFor({ state: 'detached' });
    await command(page, 'create an api key');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    // The word that opened it is gone from the address.
    expect(new URL(page.url()).search).to.equal('');
    await command(page, 'keyboard');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await command(page, 'comfortable');
    await page.waitForFunction("document.documentElement.dataset.density === 'comfortable'");
    await command(page, 'light theme');
    await page.waitForFunction("document.documentElement.dataset.theme === 'light'");
    await command(page, 'revoke all');
    await page.getByRole('dialog', { name: 'Revoke all agents?' }).waitFor();
    await page.keyboard.press('Escape');
    await command(page, 'SOL-PERP');
    await page.waitForURL(/\/app\/trade\?long=SOL-PERP/);
    await command(page, 'closed trades');
    await page.waitForURL(/\/app\/history\/trades/);
  });

  it('finds pairs, positions and saved baskets by what a trader types', async () => {
    const { page } = await suite.open('/settings');
    await isLive(page);
    for (const typed of ['SOL/ETH', 'sol eth']) {
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('combobox').fill(typed);
      await palette(page).getByRole('option', { name: 'SOL / ETH' }).click();
      await page.waitForURL(/trade/);
      await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
      await page.getByRole('list', { name: 'Short legs' }).getByText('ETH', { exact: true }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('s');
      await page.waitForURL(/settings/);
    }
    const headers = { authorization: `Bearer ${suite.accessToken}`, 'x-trade-account-id': suite.accountId };
    const legs = [usd('LINK', 'BUY', '300'), usd('AVAX', 'SELL', '300')];
    await suite.gateway.request('POST', '/trade/open', { headers, body: { type: 'MARKET', legs } });
    await suite.gateway.request('POST', '/saved-baskets', {
      headers,
      body: { name: 'Old majors', legs: [{ symbol: 'LTC-PERP', side: 'BUY', weight: 1 }] },
    });
    await page.reload();
    await isLive(page);
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').fill('link/avax');
    await palette(page).getByRole('option', { name: 'LINK / AVAX position' }).click();
    await page.waitForURL(/positions\/[0-9a-f-]{36}/);
    await page.getByRole('dialog').first().waitFor();
    await page.keyboard.press('Escape');
    await command(page, 'old majors');
    await page.waitForURL(/trade/);
    await page.getByRole('list', { name: 'Long legs' }).getByText('LTC', { exact: true }).waitFor();
  });

  it('shows every part of its design in both themes without a fault', async () => {
    const { page } = await suite.open('/showcase');
    await page.getByRole('heading', { name: 'Showcase' }).waitFor();
    await page.getByText('No positions').first().waitFor();
    await expectAccessible(page, 'showcase');
    for (const name of ['Dialog', 'Drawer', 'Confirm', 'Hold']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page, name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: '10,000 rows' }).click();
    const table = page.getByRole('table', { name: 'Sample positions' });
    await table.locator('[data-row="M00000"]').focus();
    await page.keyboard.press('End');
    await table.locator('[data-row="M09999"]').waitFor();
    expect(await table.locator('[data-row]').count()).to.be.lessThan(60);
  });
});
