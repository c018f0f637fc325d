/** Accounts while the stream is lost. */
import { expect } from 'chai';
import { switchableStream } from '../../support/dashboard-states.ts';
import { dashboardSuite } from '../../support/dashboard-suite.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';

describe('venues while the stream is lost', function () {
  this.timeout(120_000);
  const suite = dashboardSuite({ hasCross: true });

  itInFreshTab('does not count on how long a venue is up while nobody hears of it', async () => {
    const { page } = await suite.open('/accounts');
    const stream = await switchableStream(page);
    await page.reload();
    const lasts = page
      .getByRole('table', { name: 'Venues' })
      .getByRole('row', { name: /paper-cross/ })
      .locator('[data-name="Status for"]');
    await lasts.waitFor();
    await page.getByText('Live data').waitFor();
    await page.route('**/connectors', (route) => route.abort());
    await stream.cut();
    const stale = page.getByText(/^Stale \d+ s$/).first();
    await stale.waitFor();
    const [said, since] = [await lasts.innerText(), await stale.innerText()];
    await untilPage(page, 'time goes on', async () => (await stale.innerText()) !== since);
    expect(await lasts.innerText()).to.equal(said);
  });
});
