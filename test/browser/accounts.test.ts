/** The Accounts screen: accounts are made, renamed, reset and removed; credentials go in and never come out. */
import { expect } from 'chai';
import { systemClock } from '../../gateway/system/clock.ts';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { PAIR } from '../support/trader.ts';

describe('accounts on the screen', function () {
  this.timeout(120_000);
  const suite = dashboardSuite({ hasCross: true, settings: { allowFileVault: true } });

  it('shows accounts with their checks, and the venues @long', async () => {
    const { page } = await suite.open('/accounts');
    const row = page.getByRole('table', { name: 'Trade accounts' }).getByRole('row', { name: /Paper/ });
    await row.waitFor();
    expect(await row.innerText())
      .to.contain('Ready')
      .and.contain('3 of 3 fine')
      .and.contain('PAPER');
    // Its venue is called as among the venues.
    await row.locator('[data-name=Venue]', { hasText: /^Paper$/ }).waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    const checks = page.getByRole('list', { name: 'Checks of Paper' });
    expect(await checks.innerText())
      .to.contain('A paper account needs none')
      .and.contain(suite.accountId);
    const venues = page.getByRole('table', { name: 'Venues' });
    await venues.getByRole('row', { name: /paper-cross/ }).waitFor();
    expect(await venues.innerText())
      .to.contain('Up')
      .and.contain('hourly');
    await expectAccessible(page, 'accounts and venues');
  });

  itInFreshTab('makes one, renames it, resets it, removes it', async () => {
    const { page } = await suite.open('/accounts', {
      isExpected: (status, path) => status === 409 && path.endsWith('/paper/reset'),
    });
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const add = page.getByRole('dialog', { name: 'Add a trade account' });
    await add.getByRole('button', { name: 'Add account' }).click();
    expect(await add.getByLabel('Name').getAttribute('aria-invalid')).to.equal('true');
    await expectAccessibleWhenLong(page, 'add an account');
    await add.getByLabel('Name').fill('Second');
    await add.getByRole('button', { name: 'Add account' }).click();
    await add.waitFor({ state: 'hidden' });
    const actions = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
    await actions('Second').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    await expectAccessibleWhenLong(page, 'the menu of an account');
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename account' });
    await rename.getByLabel('Name').fill('Hedges');
    await expectAccessibleWhenLong(page, 'rename');
    await rename.getByLabel('Name').press('Enter');
    await actions('Hedges').waitFor();

    const authorization = `Bearer ${suite.accessToken}`;
    const listed = await suite.gateway.request('GET', '/trade-accounts', { headers: { authorization } });
    const id: string = listed.json.tradeAccounts.find((one: { alias: string }) => one.alias === 'Hedges').id;
    const headers = { authorization, 'x-trade-account-id': id };
    const trade = (path: string, body: object) => suite.gateway.request('POST', path, { headers, body });
    const { execution } = (await trade('/trade/open', { type: 'MARKET', legs: PAIR })).json;
    let position = '';
    while (position === '') {
      const read = await suite.gateway.request('GET', `/executions/${execution.id}`, { headers });
      if (read.json.execution.status === 'COMPLETED') position = read.json.execution.positionId;
    }

    const begin = async (item: string) => {
      await actions('Hedges').click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await begin('Reset to 100,000 USDC…');
    const reset = page.getByRole('dialog', { name: 'Reset Hedges?' });
    await expectAccessibleWhenLong(page, 'reset?');
    await reset.getByRole('button', { name: 'Reset account' }).click();
    await reset.getByText('409 RESOURCE_BUSY').waitFor();
    const closing = (await trade(`/positions/${position}/close`, { type: 'MARKET' })).json.execution;
    let status = '';
    while (status !== 'COMPLETED') {
      const read = await suite.gateway.request('GET', `/executions/${closing.id}`, { headers });
      status = read.json.execution.status;
    }
    await reset.getByRole('button', { name: 'Reset account' }).click();
    await reset.waitFor({ state: 'hidden' });

    await begin('Remove account…');
    await page
      .getByRole('dialog', { name: 'Remove Hedges?' })
      .getByRole('button', { name: 'Remove account' })
      .click();
    await actions('Hedges').waitFor({ state: 'detached' });
  });

  it('takes the credentials of a live account and never shows them @long', async () => {
    const { page } = await suite.open('/settings', {
      isExpected: (status, path) => status === 400 && path.endsWith('/credentials'),
    });
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    const now = new Date(systemClock.now()).toISOString();
    const live = {
      id: suite.accountId,
      alias: 'Mine',
      mode: 'LIVE',
      connector: 'somewhere',
      status: 'NO_CREDENTIALS',
      exchangeIdentifier: '',
      checks: [{ name: 'credentials', ok: false, detail: 'None stored' }],
      metadata: null,
      createdAt: now,
      updatedAt: now,
    };
    await page.route('**/trade-accounts', (route) => route.fulfill({ json: { tradeAccounts: [live] } }));
    const sent: unknown[] = [];
    await page.route('**/trade-accounts/*/credentials', (route) => {
      sent.push(route.request().method(), route.request().postDataJSON());
      if (sent.length === 2)
        return route.fulfill({
          status: 400,
          json: {
            message: 'Validation failed',
            errorCode: 'VALIDATION_ERROR',
            details: [{ path: 'apiSecret', message: 'The venue does not know this key', code: 'custom' }],
            timestamp: now,
          },
        });
      return route.fulfill({ json: live });
    });
    await page.getByRole('link', { name: 'Accounts' }).click();
    const row = page.getByRole('row', { name: /somewhere/ });
    await row.waitFor();
    expect(await row.innerText())
      .to.contain('Needs credentials')
      .and.contain('LIVE')
      .and.contain('None stored');
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Store credentials…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Credentials of/ });
    await dialog.getByRole('button', { name: 'Check and store' }).click();
    await dialog.getByText('Name and value of at least one field').waitFor();
    await expectAccessible(page, 'credentials with a mistake');
    await dialog.getByLabel('Name of field 1').fill('apiSecret');
    await dialog.getByLabel('Value of field 1').fill('hush-hush');
    expect(await dialog.getByLabel('Value of field 1').getAttribute('type')).to.equal('password');
    await dialog.getByRole('button', { name: 'Check and store' }).click();
    await dialog.getByText('The venue does not know this key').waitFor();
    expect(await dialog.getByLabel('Value of field 1').inputValue()).to.equal('hush-hush');
    await dialog.getByRole('button', { name: 'Check and store' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(sent).to.deep.equal(['PUT', { apiSecret: 'hush-hush' }, 'PUT', { apiSecret: 'hush-hush' }]);
    expect(await page.content()).to.not.contain('hush-hush');
  });
});

describe('connecting an exchange on the screen of a gateway whose vault has no passphrase', function () {
  this.timeout(120_000);
  const suite = dashboardSuite({
    settings: { live: true, hyperliquidUrl: 'http://127.0.0.1:1' },
    overrides: { venues: [paper, hyperliquid] as never },
  });

  it('says what is missing in place of the form @long', async () => {
    const { page } = await suite.open('/accounts');
    await page.getByRole('button', { name: 'Connect an exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect an exchange' });
    await dialog.getByRole('alert').filter({ hasText: 'TANDEM_PASSPHRASE' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Connect', exact: true }).isDisabled()).to.equal(true);
    expect(await dialog.getByRole('textbox').count(), 'nothing to paste a key into').to.equal(0);
    await expectAccessible(page, 'keys are refused');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const add = page.getByRole('dialog', { name: 'Add a trade account' });
    await add.getByRole('combobox', { name: 'Venue' }).click();
    await page
      .getByRole('option', { name: /Hyperliquid/ })
      .first()
      .click();
    await add.getByRole('alert').filter({ hasText: 'TANDEM_PASSPHRASE' }).waitFor();
    expect(await add.getByRole('button', { name: 'Add account' }).isDisabled()).to.equal(true);
  });
});
