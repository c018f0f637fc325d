/** The frame around every screen: the rail, the bar, the keys, the account. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { scriptMeasures } from '../bench/dashboard/script-sizes.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { SCREENS } from '../support/dashboard-screens.ts';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { usd } from '../support/trader.ts';

describe('the frame of the dashboard', function () {
  this.timeout(120_000);
  const suite = dashboardSuite({ hasCross: true });

  const isLive = (page: Page) => page.getByText('Live data').waitFor();

  it('shows account, mode, equity and the result of the day, and every screen by its name', async () => {
    const { page } = await suite.open('/settings');
    await isLive(page);
    const bar = page.getByRole('banner');
    await bar.getByText('PAPER', { exact: true }).waitFor();
    await bar.getByText('$100,000.00').waitFor();
    expect(await bar.innerText()).to.match(/Equity[\s\S]*Day[\s\S]*Unrealised/);
    const rail = page.getByRole('navigation', { name: 'Screens' });
    expect((await rail.getByRole('link').allInnerTexts()).map((name) => name.trim())).to.deep.equal(
      SCREENS.map(({ name }) => name),
    );
    for (const { name, path } of SCREENS) {
      await rail.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(new RegExp(`/app${path}`));
      await page.waitForFunction(`document.title === 'PAPER · ${name} · Tandem'`);
    }
  });

  it('loads no more script than is allowed, before the first screen and in all', () => {
    for (const { name, value, goal } of scriptMeasures()) expect(value, name).to.be.at.most(goal?.value ?? 0);
  });

  it('lists its keys when asked with ?, but not inside a field @long', async () => {
    const { page } = await suite.open('/settings');
    await isLive(page);
    await page.getByLabel('Current password').focus();
    await page.keyboard.type('?');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await page.getByRole('heading', { name: 'Settings' }).click();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await keys.waitFor();
    expect(await keys.innerText())
      .to.contain('Search and commands')
      .and.contain('Portfolio');
    await expectAccessible(page, 'the keys');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
  });

  itInFreshTab('changes the account by which everything is shown', async () => {
    const { gateway, accessToken } = suite;
    const authorization = `Bearer ${accessToken}`;
    const made = await gateway.request('POST', '/trade-accounts', {
      headers: { authorization },
      body: { alias: 'Hedges', connector: 'paper-cross' },
    });
    const opened = await gateway.request('POST', '/trade/open', {
      headers: { authorization, 'x-trade-account-id': made.json.id },
      body: { type: 'MARKET', legs: [usd('BTC', 'BUY', '2500')] },
    });
    expect(opened.status, opened.text).to.equal(202);
    const { page } = await suite.open('/positions');
    await isLive(page);
    await page.getByRole('combobox', { name: 'Trade account' }).click();
    await page.getByRole('option', { name: /Hedges/ }).waitFor();
    await expectAccessible(page, 'accounts to choose from');
    await page.getByRole('option', { name: /Hedges/ }).click();
    await page.getByRole('table', { name: 'Open positions' }).getByText('BTC').first().waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Open positions' }).getByText('BTC').first().waitFor();
  });
});
