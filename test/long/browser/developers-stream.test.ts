/** Developers: calls of the page as programs, and frames of the stream. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { dashboardSuite } from '../../support/dashboard-suite.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';

describe('calls and frames for developers', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();

  itInFreshTab('reads its own calls, without their secrets, as programs that make the same', async () => {
    const { page } = await suite.open('/settings');
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('a much longer secret');
    await page.getByLabel('Repeat password').fill('a much longer secret');
    const asked = page.waitForResponse((response) => response.url().endsWith('/auth/password'));
    await page.route('**/auth/password', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('button', { name: 'Change password' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByLabel('Search the calls').fill('/auth/password');
    const row = page.getByRole('row', { name: /\/auth\/password/ });
    expect(await row.innerText())
      .to.contain('POST')
      .and.contain('204');
    await row.getByRole('button', { name: 'Details' }).click();
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await page.getByRole('radio', { name: language }).click();
      const sample = await page.getByLabel(`The call in ${language}`).inputValue();
      expect(sample)
        .to.contain('TANDEM_API_KEY')
        .and.contain('not kept')
        .and.contain('Only a signed-in session');
      expect(sample).to.not.contain('secret').and.not.contain('not the password');
    }
    await expectAccessible(page, 'a call with its samples');
    await page.getByLabel('Search the calls').fill('no such call');
    await page.getByText('No call matches').waitFor();
    await expectAccessible(page, 'no call');
  });

  it('sees the frames of the stream as they are', async () => {
    const { page } = await suite.open('/developers/stream');
    await page.getByText('Not connected').waitFor();
    await expectAccessible(page, 'no stream');
    await page.getByLabel('Others').fill(`user:${suite.accountId}`);
    await page.getByRole('checkbox', { name: /^Prices, Paper prices:paper$/ }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const frames = page.getByRole('table', { name: 'Frames' });
    await frames.getByText('prices:paper update').first().waitFor();
    await firstSeen(frames.getByText(/^\{"channel":"prices:paper".*…$/));
    await page.getByRole('checkbox', { name: 'Hold' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Details' }).first().click();
    const frame = JSON.parse(await page.getByLabel('The frame', { exact: true }).inputValue());
    expect(frame).to.include.keys('channel', 'event', 'data');
    await expectAccessible(page, 'a frame');
  });

  it('says why a channel cannot be had', async () => {
    const { page } = await suite.open('/developers/stream');
    await page.getByLabel('Others').fill('prices paper <x>');
    await page.getByText('A channel looks like prices:paper').waitFor();
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).isDisabled()).to.equal(true);
    await page.getByLabel('Others').fill('prices:nowhere');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page, 'a refused channel');
  });
});
