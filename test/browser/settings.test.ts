/** The Settings screen: looks, limits, sessions, password, diagnostics. */

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { expectAccessible } from '../support/dashboard.ts';
import { dashboardSuite, USER } from '../support/dashboard-suite.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { itInFreshTab } from '../support/kept-tab.ts';

describe('settings on the screen', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();

  itInFreshTab('change how everything looks, at once and for good @long', async () => {
    const { page } = await suite.open('/settings');
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    await expectAccessible(page, 'settings');
    const root = page.locator('html');
    await page.getByRole('radio', { name: 'Light' }).click();
    await page.getByRole('radio', { name: 'Comfortable' }).click();
    await page.getByRole('radio', { name: 'UTC' }).click();
    await page.getByRole('combobox', { name: 'Figures and dates' }).click();
    await page.getByRole('option', { name: 'German', exact: true }).click();
    await page.getByText('1.234.567,89').waitFor();
    await page.getByLabel('Largest order').fill('nonsense');
    await page.getByText('An amount such as 25000, or empty. Until then: no limit').waitFor();
    await page.getByLabel('Largest order').fill('25000');
    await page.getByLabel('Largest order').fill('25000 or so');
    await page.getByText('or empty. Until then: 25.000 USD').waitFor();
    await page.getByLabel('Largest order').fill('25000');
    await page.getByLabel('Highest leverage').fill('a lot');
    await page.getByText("or empty. Until then: the venue's").waitFor();
    await page.getByLabel('Highest leverage').fill('');
    await page.getByRole('switch', { name: 'Ask before something is cancelled' }).click();
    await page.reload();
    await page.getByText('1.234.567,89').waitFor();
    expect(await root.getAttribute('data-theme')).to.equal('light');
    expect(await root.getAttribute('data-density')).to.equal('comfortable');
    expect(await page.getByRole('radio', { name: 'UTC' }).isChecked()).to.equal(true);
    expect(await page.getByLabel('Largest order').inputValue()).to.equal('25000');
    expect(
      await page.getByRole('switch', { name: 'Ask before something is cancelled' }).isChecked(),
    ).to.equal(true);
    expect(await page.locator('main').innerText()).to.contain('Only in the desktop app');
  });

  it('list the sessions, and end one and all others @long', async () => {
    const other = await suite.gateway.request('POST', '/auth/login', {
      headers: { 'user-agent': 'other-device/1.0' },
      body: { method: 'email', email: USER, password: PASSWORD },
    });
    const alive = () =>
      suite.gateway.request('GET', '/auth/me', {
        headers: { authorization: `Bearer ${other.json.accessToken}` },
      });
    const { page } = await suite.open('/settings');
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByText('this one').waitFor();
    expect((await alive()).status).to.equal(200);
    await page.getByRole('button', { name: 'Sign out other-device/1.0' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out other-device/1.0?' });
    await expectAccessible(page, 'end a session?');
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await sessions.getByText('other-device/1.0').waitFor({ state: 'detached' });
    expect((await alive()).status).to.equal(401);
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    const others = page.getByRole('dialog', { name: 'Sign out all other sessions?' });
    await others.getByRole('button', { name: 'Sign out all' }).click();
    await others.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'detached' });
    await sessions.getByText('this one').waitFor();
  });

  itInFreshTab('give diagnostics without anything that points to a person @long', async () => {
    const { page } = await suite.open('/settings');
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).to.match(/^tandem-diagnostics-[\dT-]+\.json$/);
    const text = await readFile(await download.path(), 'utf8');
    const report = JSON.parse(text);
    expect(report.ready.checks.map((check: { name: string }) => check.name)).to.include('storage');
    expect(report.calls.length).to.be.greaterThan(3);
    expect(text).to.not.contain(USER).and.not.contain(suite.accountId).and.not.contain(suite.gateway.dataDir);
  });

  it('sends events and messages elsewhere, with a test of each, and shows a secret once @long', async () => {
    const receiver = await HookReceiver.open();
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 400 && path === '/webhooks',
    });
    const hooks = page.getByRole('table', { name: 'Webhooks' });
    await page.getByText('No webhook').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a webhook' });
    await adding.getByLabel('Address').fill('http://example.com/hook');
    await adding.getByRole('button', { name: 'Add webhook' }).click();
    await adding.getByText(/anywhere else needs https/).waitFor();
    await expectAccessible(page, 'a webhook with a wrong address');
    await adding.getByLabel('Address').fill(receiver.url);
    await adding.getByRole('button', { name: 'Add webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'Secret of the webhook' });
    expect(await shown.getByLabel('The secret').inputValue()).to.match(/^whsec_[\w-]{43}$/);
    await shown.getByRole('checkbox', { name: 'I have stored it' }).click();
    await shown.getByRole('button', { name: 'Done' }).click();
    await hooks.getByText(receiver.url).waitFor();
    await page.getByRole('button', { name: /^Send a test to 127/ }).click();
    await hooks.getByText('delivered').waitFor();
    // A line of the address begins with a part of it, and the port stays with its host.
    const host = hooks.getByText(receiver.url.split('/', 3).join('/'), { exact: true }).last();
    expect(await host.evaluate((part) => part.getClientRects().length)).to.equal(1);
    expect(await host.evaluate((part) => part.scrollWidth - part.clientWidth)).to.be.at.most(0);
    // The test's result is not covered by the buttons.
    const cut = await hooks.evaluate(
      ({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0),
    );
    expect(cut).to.be.at.most(0);
    expect(receiver.received.map(({ json }) => json.event)).to.deep.equal(['test']);

    await page.getByRole('button', { name: 'Add channel' }).click();
    const channel = page.getByRole('dialog', { name: 'Add a channel' });
    await channel.getByLabel('Topic').fill('tandem-x1');
    await channel.getByLabel('Server').fill(receiver.url);
    await expectAccessible(page, 'a notification channel');
    await channel.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('button', { name: 'Send a test to ntfy' }).click();
    await page.getByText('The test reached ntfy').waitFor();
    expect(receiver.received.at(-1)?.json).to.deep.include({ topic: 'tandem-x1' });
    for (const name of ['ntfy', /^Remove 127/] as const) {
      await page.getByRole('button', { name: typeof name === 'string' ? `Remove ${name}` : name }).click();
      await page
        .getByRole('alertdialog')
        .or(page.getByRole('dialog'))
        .getByRole('button', { name: 'Remove', exact: true })
        .click();
    }
    await page.getByText('No webhook').waitFor();
    await page.getByText('No channel').waitFor();
    await receiver.close();
  });

  it('change the password: wrong ones are told beside their field, and every other session ends', async () => {
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 400 && path === '/auth/password',
    });
    const fill = async (current: string, next: string, again = next) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByLabel('Repeat password').fill(again);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await fill(PASSWORD, 'battery horse correct', 'something else');
    await page.getByText('Not the same').waitFor();
    await fill(PASSWORD, 'short');
    await page.getByLabel('New password').and(page.locator('[aria-invalid=true]')).waitFor();
    await fill('not the password', 'battery horse correct');
    await page.getByLabel('Current password').and(page.locator('[aria-invalid=true]')).waitFor();
    await expectAccessible(page, 'a wrong password');
    await fill(PASSWORD, 'battery horse correct');
    await page.getByText('The password is changed').waitFor();
    expect(await page.getByLabel('New password').inputValue()).to.equal('');
    const login = (password: string) =>
      suite.gateway.request('POST', '/auth/login', { body: { method: 'email', email: USER, password } });
    expect((await login(PASSWORD)).status).to.equal(401);
    expect((await login('battery horse correct')).status).to.equal(200);
    // For the other tests.
    await fill('battery horse correct', PASSWORD);
    await page.getByText('The password is changed').first().waitFor();
  });
});
