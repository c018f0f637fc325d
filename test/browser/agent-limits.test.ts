/** Limits of agents on the dashboard: read, changed with the difference shown, paused and resumed, over all of them. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consentVisitor } from '../support/consent-visitor.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { dashboardSuite } from '../support/dashboard-suite.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { smallMandate } from '../support/small-mandate.ts';

describe('limits of agents on the screen', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();

  async function connect(name: string, consent: object = {}): Promise<string> {
    const client = oauthClient(suite.gateway);
    const clientId = await client.register({ client_name: name });
    const code = await client.authorize(consentVisitor(suite.gateway), undefined, { clientId, consent });
    return (await client.redeem(code)).json.access_token;
  }
  const me = async (token: string): Promise<Json> =>
    (await suite.gateway.request('GET', '/agents/me', { headers: { authorization: `Bearer ${token}` } }))
      .json;
  const details = async (page: Page, name: string) => {
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('button', { name: 'Details' })
      .click();
  };

  it('are read in sentences, lowered without and raised with the password, the difference shown', async () => {
    const token = await connect('Limited', { mandate: smallMandate(suite.accountId) });
    const { page } = await suite.open('/agents', {
      isExpected: (status, path) => status === 400 && path.endsWith('/mandate'),
    });
    await page.getByRole('row', { name: /Limited.*Trades, asks you/ }).waitFor();
    await details(page, 'Limited');
    const sentences = page.getByRole('list', { name: 'Limits of Limited' });
    await sentences.getByText('It can lose at most about 200 USD a day before it is stopped.').waitFor();
    await page.getByText('0 USD of 2,000 USD').first().waitFor();
    await expectAccessible(page, 'limits');
    // Longer than the window: the page scrolls, and no panel cuts off what does not fit.
    const cut = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('main section > div')]
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'auto')
      .map((one) => one.textContent.slice(0, 80))`);
    expect(cut, 'cut off below').to.deep.equal([]);

    await page.getByRole('button', { name: 'Edit limits…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Limits of Limited' });
    const order = dialog.getByLabel('One order, at most');
    await order.fill('100');
    const changes = dialog.getByRole('list', { name: 'What changes' });
    expect(await changes.getByRole('listitem').allInnerTexts()).to.deep.equal([
      'Not any more: One order may be worth up to 500\u00a0USD, and it may open up to 2,000\u00a0USD in any 24 hours.',
      'Then: One order may be worth up to 100\u00a0USD, and it may open up to 2,000\u00a0USD in any 24 hours.',
    ]);
    await expectAccessibleWhenLong(page, 'edit limits');
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await me(token)).mandate).to.deep.include({ version: 2 });
    await sentences.getByText('up to 100 USD').waitFor();

    await page.getByRole('button', { name: 'Edit limits…' }).first().click();
    await order.fill('600');
    expect(await dialog.getByLabel('Your password').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await me(token)).mandate.terms.maxOrderUsd).to.equal('600');
  });

  it('a pause is on disk before it is shown, and the agent goes on when it is resumed @long', async () => {
    const token = await connect('Paused', { mandate: smallMandate(suite.accountId) });
    const { page } = await suite.open('/agents');
    await details(page, 'Paused');
    await page.getByRole('button', { name: 'Pause Paused' }).click();
    await page.getByText('Paused by you').waitFor();
    expect((await me(token)).suspended).to.include({ by: 'USER' });
    await page.getByRole('button', { name: 'Resume Paused' }).click();
    await page.getByRole('button', { name: 'Pause Paused' }).waitFor();
    expect((await me(token)).suspended).to.equal(null);
  });

  it('an agent without limits says so, gets some, and all are paused at once @long', async () => {
    const token = await connect('Boundless');
    const { page } = await suite.open('/agents');
    await page.getByRole('row', { name: /Boundless.*No limits/ }).waitFor();
    await details(page, 'Boundless');
    await page.getByRole('button', { name: 'Set limits…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set limits' }).click();
    await page.getByRole('row', { name: /Boundless.*Trades, asks you/ }).waitFor();
    expect((await me(token)).mandate.terms.accounts).to.deep.equal([suite.accountId]);
    await page.getByRole('button', { name: 'Pause all agents…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause all' }).click();
    await page.getByRole('row', { name: /Boundless.*Paused/ }).waitFor();
    expect((await me(token)).suspended).to.include({ reason: 'All agents were paused by you' });
    await expectAccessible(page, 'all paused');
  });

  it('over all of them together @long', async () => {
    const { page } = await suite.open('/agents');
    const list = page.getByRole('list', { name: 'Limits over all agents' });
    await list.getByText('No limit binds all of them together.').waitFor();
    const panel = page.locator('section').filter({ hasText: 'Limits over all agents' });
    await panel.getByRole('button', { name: 'Edit limits…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Limits over all agents' });
    await dialog.getByLabel('Opened in 24 hours, at most').fill('5000');
    await expectAccessible(page, 'limits over all');
    await dialog.getByRole('button', { name: 'Set limits' }).click();
    await list.getByText('They may open up to 5,000 USD in any 24 hours.').waitFor();
  });
});
