/** History in the browser: lists that load, fail, grow old and come back. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import {
  holdAnswers,
  pathIs,
  REQUEST_ID,
  refuseAnswers,
  switchableStream,
} from '../../support/dashboard-states.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { usd } from '../../support/trader.ts';

describe('the history screen, states', function () {
  this.timeout(90_000);
  const suite = screenSuite((status) => status === 403 || status === 409);
  const { bot, page } = suite;

  for (const [view, path, empty] of [
    ['trades', '/positions/closed', 'No closed trades yet'],
    ['fills', '/fills', 'No fills yet'],
    ['funding', '/funding/payments', 'No funding yet'],
  ] as const)
    it(`loads, fails and recovers: ${view}`, async () => {
      const release = await holdAnswers(page, pathIs(path));
      await suite.goTo(`/history/${view}`);
      await page.locator('[role=status] [class*=bar]').first().waitFor();
      await expectAccessible(page, `${view}, loading`);
      const file = page.getByRole('button', { name: 'Export CSV' });
      expect(await file.isDisabled()).to.equal(true);
      expect(await file.getAttribute('title')).to.equal('The rows are being read');
      await page.unrouteAll();
      await refuseAnswers(page, pathIs(path));
      release();
      await suite.goTo(`/history/${view}`);
      await page.getByText('The account may not be read').waitFor();
      await page.getByText(REQUEST_ID).waitFor();
      await expectAccessible(page, `${view}, error`);
      expect(await file.isDisabled()).to.equal(true);
      expect(await file.getAttribute('title')).to.equal('The rows could not be read');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(empty).waitFor();
      expect(await file.isDisabled()).to.equal(true);
      expect(await file.getAttribute('title')).to.equal('There are no rows to export');
      await expectAccessible(page, `${view}, empty`);
    });

  itInFreshTab('offers no second try of what is not allowed, and says what helps', async () => {
    await refuseAnswers(page, pathIs('/fills'), { status: 403, errorCode: 'FORBIDDEN' });
    await suite.goTo('/history/fills');
    await page.getByText('Not allowed').waitFor();
    await page.getByText(/choose another account, or sign in anew/).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    await expectAccessible(page, 'what is not allowed');
  });

  itInFreshTab('dims while the stream is lost, and then shows what happened meanwhile', async () => {
    const stream = await switchableStream(page);
    await suite.goTo('/history/fills');
    await page.getByText('No fills yet').waitFor();
    await page.getByText('Live data').waitFor();
    await stream.cut();
    await page.locator('.stale').first().waitFor();
    await expectAccessible(page, 'stale');
    // Present figures of the account say of when they are.
    await page.getByRole('link', { name: 'Portfolio' }).first().click();
    await firstSeen(page.getByText(/^as of \d\d:\d\d:\d\d$/));
    expect(await page.locator('main').getByText('now', { exact: true }).count()).to.equal(0);
    await page.goBack();
    await page.getByText('No fills yet').waitFor();
    await bot.open([usd('SOL', 'BUY', '300')]);
    stream.mend();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Fills', exact: true }).locator('tr[data-row]').first().waitFor();
  });
});
