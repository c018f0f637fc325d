/** Developers: the state of the gateway, and keys whose secret is shown once. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { dashboardSuite } from '../support/dashboard-suite.ts';

describe('developers on the screen', function () {
  this.timeout(120_000);
  const suite = dashboardSuite();

  it('sees where the gateway is and how its parts do @long', async () => {
    const { page } = await suite.open('/developers');
    await page
      .getByRole('table', { name: 'Parts of the gateway' })
      .getByRole('row', { name: /Storage/ })
      .waitFor();
    const said = await page.locator('main').innerText();
    expect(said)
      .to.contain(`http://127.0.0.1:${suite.gateway.port}`)
      .and.contain(`ws://127.0.0.1:${suite.gateway.port}/ws`)
      .and.contain('Store of venue credentials')
      .and.contain('Venue paper');
    // Each part stands whole: lines break after a slash only.
    await page.setViewportSize({ width: 400, height: 800 });
    const parts = page.getByText(`127.0.0.1:${suite.gateway.port}/`, { exact: true });
    for (const part of await parts.all())
      expect(await part.evaluate((one) => one.getClientRects().length)).to.equal(1);
    expect(await parts.count()).to.equal(2);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.getByRole('link', { name: /All routes/ }).getAttribute('href')).to.equal('/docs');
    await expectAccessible(page, 'state of the gateway');
  });

  /** Nothing of the page has it: text, fields, storage, address. */
  const secretsIn = (page: Page) =>
    page.evaluate<boolean>(`(() => {
      const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
      const kept = JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage });
      return /tdm_[\\w-]{43}/.test(document.documentElement.outerHTML + fields.join() + kept + location.href);
    })()`);

  it('makes a key, whose secret is shown once; uses it; revokes it', async () => {
    const { page } = await suite.open('/developers/keys');
    await page.getByText('No API key').waitFor();
    await expectAccessibleWhenLong(page, 'no key');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.waitFor();
    // Errors stand beside their fields, and choices stay.
    expect(await dialog.getByText('venue credentials').count()).to.equal(0);
    await dialog.getByRole('radio', { name: /^Read and trade/ }).click();
    await dialog
      .getByText('It can also read the venue credentials that are stored here, decrypted')
      .waitFor();
    await dialog.getByRole('radio', { name: 'Only these' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Choose at least one account.').waitFor();
    expect(await dialog.getByLabel('Label').getAttribute('aria-invalid')).to.equal('true');
    await expectAccessibleWhenLong(page, 'a form with mistakes');
    expect(await dialog.getByRole('radio', { name: /^Read and trade/ }).isChecked()).to.equal(true);
    await dialog.getByRole('checkbox', { name: 'Paper' }).click();
    await dialog.getByLabel('Label').fill('My bot');
    await dialog.getByLabel('Label').press('Enter');

    const shown = page.getByRole('dialog', { name: 'API key “My bot”' });
    const key = await shown.getByLabel('The API key').inputValue();
    expect(key).to.match(/^tdm_[\w-]{43}$/);
    await expectAccessible(page, 'the key, once');
    // Nobody loses it by a slip of the hand.
    await page.keyboard.press('Escape');
    await shown.getByText('Store it first').waitFor();
    await shown.getByRole('button', { name: 'Close' }).click();
    await shown.getByRole('button', { name: 'Done' }).click({ force: true });
    expect(await shown.isVisible()).to.equal(true);
    await shown.getByRole('checkbox', { name: 'I have stored it' }).click();
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'hidden' });
    expect(await secretsIn(page)).to.equal(false);
    await page.goto(page.url().replace('/keys', '/requests'));
    await page.getByRole('table').waitFor();
    expect(await secretsIn(page)).to.equal(false);

    const use = () => suite.gateway.request('GET', '/trade-accounts', { headers: { 'x-api-key': key } });
    expect((await use()).status).to.equal(200);
    await page.getByRole('tab', { name: 'API keys' }).click();
    const row = page.getByRole('row', { name: /My bot/ });
    expect(await row.innerText())
      .to.contain('Read, trade, see credentials')
      .and.contain(`${key.slice(0, 8)}`)
      .and.contain('Paper');
    await expectAccessibleWhenLong(page, 'a list of keys');
    await page.getByRole('button', { name: 'Revoke My bot' }).click();
    const revoke = page.getByRole('dialog', { name: 'Revoke My bot?' });
    await expectAccessible(page, 'revoke the key?');
    await revoke.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No API key').waitFor();
    expect((await use()).status).to.equal(401);
  });

  it('refuses a last day that is over, in words @long', async () => {
    const { page } = await suite.open('/developers/keys', {
      isExpected: (status, path) => status === 400 && path === '/api-keys',
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Late');
    await dialog.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'Until a date' }).click();
    await dialog.getByLabel('Last day').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('A day from today on').waitFor();
    expect(await dialog.getByLabel('Label').inputValue()).to.equal('Late');
  });
});
