/** A gateway that is slow, or that came back as another version. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { holdAnswers, pathIs } from '../../support/dashboard-states.ts';
import { DOWN, gone, isLive, restartingSuite } from '../../support/restarting-suite.ts';

const OTHER = 'The gateway is of another version:';

describe('a slow or replaced gateway', function () {
  this.timeout(120_000);
  const suite = restartingSuite();

  it('that is slow with the account has figures of when they were read, not of now', async () => {
    const { page, goTo } = suite.tab;
    await goTo('/portfolio');
    await isLive(page);
    const main = page.locator('main');
    await main.getByText('now', { exact: true }).first().waitFor();
    const answer = await holdAnswers(page, pathIs('/portfolio'));
    await firstSeen(main.getByText(/^as of \d\d:\d\d:\d\d$/));
    expect(await main.getByText('now', { exact: true }).count()).to.equal(0);
    answer();
    await main.getByText('now', { exact: true }).first().waitFor();
  });

  it('that came back as another version is named, and a reload is offered, not forced', async () => {
    const { page, goTo } = suite.tab;
    let version: string | null = '99.1.0';
    let isThere = true;
    await goTo('/settings');
    await isLive(page);
    expect(await page.getByText(OTHER).count()).to.equal(0);
    await page.getByLabel('Current password').fill('half a pass');
    await page.route('**/version', (route) => {
      if (!isThere) return route.abort();
      return version === null
        ? route.continue()
        : route.fulfill({ json: { name: 'tandem-gateway', version, apiVersion: '3.0.3', uptimeMs: 1 } });
    });
    isThere = false;
    await suite.stop();
    await page.getByText(DOWN).waitFor();
    isThere = true;
    await suite.startAgain();
    await page.getByText(OTHER).waitFor();
    const notice = page.getByRole('status').filter({ hasText: OTHER });
    expect(await notice.innerText())
      .to.contain('it is 99.1.0, this page is')
      .and.contain('once you have finished what you are typing');
    expect(await page.getByLabel('Current password').inputValue()).to.equal('half a pass');
    await expectAccessible(page, 'another version');

    // Loaded anew it meets a gateway that is older than the page: that one has to be restarted.
    version = '0.0.1';
    await notice.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByText('Restart the gateway, then reload the page.').waitFor();
    expect(await page.getByLabel('Current password').inputValue()).to.equal('');
    // The right one from the reload on: a page that asks before has nothing to offer any more.
    page.on('request', (request) => {
      if (request.isNavigationRequest()) version = null;
    });
    await notice.getByRole('button', { name: 'Reload the page' }).click();
    await isLive(page);
    await gone(page, OTHER);
  });
});
