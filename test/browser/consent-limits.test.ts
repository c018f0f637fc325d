/** Limits on the consent page: what is offered, what it says in words, and that only what was said is allowed. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { systemClock } from '../../gateway/system/clock.ts';
import { axeFindings } from '../support/axe.ts';
import {
  AGENT_NAME,
  type AskOptions,
  allowButton,
  type ConsentDesk,
  denyButton,
  seeAgent,
  seeHeading,
  signIn,
  writeBox,
} from '../support/consent-desk.ts';
import { consentSuite } from '../support/consent-suite.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';

describe('limits on the consent page', function () {
  this.timeout(60_000);
  const suite = consentSuite();
  let session: Record<string, string>;
  let paperId: string;

  before(() => {
    session = { authorization: `Bearer ${suite.user.accessToken}` };
    paperId = suite.user.tradeAccount.id;
  });
  afterEach(async () => {
    for (const { id } of await agents()) {
      await suite.gateway.request('DELETE', `/oauth2/grants/${id}`, { headers: session });
    }
  });

  const agents = async (): Promise<Json[]> =>
    (await suite.gateway.request('GET', '/agents', { headers: session })).json.agents;

  const sentences = (page: Page) =>
    page.getByRole('list', { name: 'What this allows' }).getByRole('listitem');
  const enabled = (page: Page) => allowButton(page).and(page.locator(':enabled'));

  /** The decision, with trading ticked. */
  async function decide(options: AskOptions = {}): Promise<Page> {
    const { page } = await openAsk(options);
    await writeBox(page).check();
    await sentences(page).first().waitFor();
    return page;
  }

  /** Allows once it can be. */
  async function allow(page: Page): Promise<void> {
    await enabled(page).waitFor();
    await allowButton(page).click();
    await seeAgent(page, suite.desk);
    expect(suite.desk.agent.visits.at(-1)?.has('code')).to.equal(true);
  }

  async function connected(ask: Awaited<ReturnType<ConsentDesk['ask']>>): Promise<Json> {
    expect((await suite.desk.redeem(ask)).status).to.equal(200);
    return (await agents())[0];
  }

  async function openAsk(
    options: AskOptions = {},
  ): Promise<{ page: Page; ask: Awaited<ReturnType<ConsentDesk['ask']>> }> {
    const ask = await suite.desk.ask(options);
    const { page } = await suite.desk.browse({}, (status, path) => status === 400 && path.endsWith('/terms'));
    await page.goto(ask.address);
    await signIn(page);
    await seeHeading(page, new RegExp(AGENT_NAME));
    return { page, ask };
  }

  it('are not there until trading is ticked, then play money on paper accounts; Deny has the focus', async () => {
    const { page, ask } = await openAsk();
    expect(await page.evaluate('document.activeElement.id')).to.equal('deny');
    expect(await writeBox(page).isChecked()).to.equal(false);
    expect(await page.getByRole('radio').count()).to.equal(0);
    await writeBox(page).check();
    await sentences(page).first().waitFor();
    expect(await page.getByRole('radio', { name: 'Play money' }).isChecked()).to.equal(true);
    expect(await page.getByRole('checkbox', { name: /^Paper/ }).isChecked()).to.equal(true);
    const said = (await sentences(page).allInnerTexts()).join(' ');
    expect(said)
      .to.contain('It may trade on Paper (play money).')
      .and.contain('It can lose at most about 5,000\u00a0USD a day before it is stopped.')
      .and.contain('It may not read your decrypted venue credentials');
    await allow(page);
    const { mandate, state } = await connected(ask);
    expect(state).to.equal('TRADES');
    expect(mandate.terms.accounts).to.deep.equal([paperId]);
    expect(Object.values(mandate.terms.rights)).to.deep.equal([false, false, false, false, false]);
  });

  it('are what stands there in words: nothing can be allowed that was not said, and looked at', async () => {
    const { page, ask } = await openAsk();
    // This timer runs on the machine's clock. The page's clock, installed next, does not stop it.
    await enabled(page).waitFor();
    // Stands still: how long the machine takes decides nothing.
    await page.clock.install();
    await page.clock.pauseAt(systemClock.now() + 5_000);
    await writeBox(page).check();
    await page.clock.runFor(10);
    await sentences(page).first().waitFor();
    await page.clock.runFor(700);
    await enabled(page).waitFor();
    await page.getByRole('radio', { name: 'My own numbers' }).check();
    expect(await allowButton(page).isEnabled(), 'at once').to.equal(false);
    await page.clock.runFor(10);
    await sentences(page).filter({ hasText: 'up to 500 USD' }).waitFor();
    await page.clock.runFor(700);
    await enabled(page).waitFor();
    await page.getByText('More limits').click();
    await page.getByLabel('Refusals in an hour that stop it').fill('5');
    await page.getByLabel('Reopenings in 10 minutes that stop it').fill('');
    await page.getByLabel('Fees in an hour that stop it').fill('12.50');
    await page.getByLabel('Ask before the same order again within a minute').uncheck();
    await page.getByLabel('One order, at most').fill('123.40');
    expect(await allowButton(page).isEnabled(), 'while typing').to.equal(false);
    await page.clock.runFor(200);
    await sentences(page).filter({ hasText: 'up to 123.40 USD' }).waitFor();
    expect(await allowButton(page).isEnabled(), 'not looked at yet').to.equal(false);
    await page.clock.runFor(700);
    await allow(page);
    const { terms } = (await connected(ask)).mandate;
    expect(terms).to.deep.include({
      ...{ maxOrderUsd: '123.4', maxOpenedUsd24h: '2000' },
      runaway: { refusals: 5, reopenings: null, feesUsd: '12.5' },
    });
    expect(terms.approval).to.include({ when: 'above', aboveUsd: '250', duplicates: 'allow' });
  });

  it('name what is wrong with a number beside it, and take what is empty as no limit @long', async () => {
    const page = await decide();
    await page.getByRole('radio', { name: 'My own numbers' }).check();
    const field = page.getByLabel('One order, at most');
    await field.fill('1e9');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).to.match(/^One order, at most: Expected a decimal/);
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    expect(await allowButton(page).isEnabled()).to.equal(false);
    await page.getByText('More limits').click();
    const fees = page.getByLabel('Fees in an hour that stop it');
    await fees.fill('none');
    await alert.filter({ hasText: 'Fees in an hour that stop it: Expected a decimal' }).waitFor();
    expect(await fees.getAttribute('aria-invalid')).to.equal('true');
    await fees.fill('');
    await field.fill('');
    await sentences(page).filter({ hasText: 'One order may be of any size' }).waitFor();
    expect(await alert.count()).to.equal(0);
    expect(await field.getAttribute('aria-invalid')).to.equal(null);
    await denyButton(page).click();
    await seeAgent(page, suite.desk);
    expect((await agents()).filter(({ kind }) => kind === 'oauth_grant')).to.deep.equal([]);
  });

  it('may be what the agent proposes, or less, never more; the presets stay', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
    const lossStop = { usd: '20', then: 'SUSPEND' };
    const proposal = { maxOrderUsd: '75', lossStop, kinds: ['now'] };
    const { page, ask } = await openAsk({ proposal });
    await writeBox(page).check();
    await page.getByRole('radio', { name: 'What it asks for' }).check();
    await sentences(page).filter({ hasText: 'up to 75 USD' }).waitFor();
    await page.getByLabel('One order, at most').fill('76');
    await page.getByRole('alert').filter({ hasText: 'More than the agent asked for' }).waitFor();
    expect(await allowButton(page).isEnabled()).to.equal(false);
    await page.getByLabel('One order, at most').fill('50');
    await sentences(page).filter({ hasText: 'up to 50 USD' }).waitFor();
    expect(
      await page.getByRole('radio', { name: 'Small orders, asks before larger ones' }).isVisible(),
    ).to.equal(true);
    await allow(page);
    const { terms } = (await connected(ask)).mandate;
    expect(terms).to.deep.include({ maxOrderUsd: '50', lossStop, kinds: ['now'] });
  });

  it('of a tenth agent too many: one of the others goes in the same step @long', async () => {
    const others = oauthClient(suite.gateway);
    for (let count = 0; count < 10; count += 1)
      await others.connect(consentVisitor(suite.gateway), ['mcp:read']);
    const before = (await agents()).filter(({ kind }) => kind === 'oauth_grant');
    const { page, ask } = await openAsk();
    const select = page.getByLabel('Disconnect in its place');
    expect(await select.locator('option').count()).to.equal(11);
    expect(await select.locator('option').nth(1).innerText()).to.match(
      /^Test agent, connected .*, unused since$|last seen/,
    );
    await select.selectOption({ index: 10 });
    await allow(page);
    await connected(ask);
    const now = (await agents()).filter(({ kind }) => kind === 'oauth_grant').map(({ id }) => id);
    expect(now).to.have.length(10);
    expect(now).to.not.include(before.at(-1).id);
    await page.close();
  });

  it('continue the budget of earlier agents of this name, unless told otherwise @long', async () => {
    const earlier = await oauthClient(suite.gateway).connect(consentVisitor(suite.gateway));
    expect(earlier.access_token).to.be.a('string');
    const [first] = await agents();
    const again = await openAsk();
    await writeBox(again.page).check();
    const box = again.page.getByRole('checkbox', { name: /^Count what earlier agents/ });
    expect(await box.isChecked()).to.equal(true);
    await allow(again.page);
    const second = await connected(again.ask);
    expect(second.continues).to.include(first.id);
    const fresh = await openAsk();
    await writeBox(fresh.page).check();
    await fresh.page.getByRole('checkbox', { name: /^Count what earlier agents/ }).uncheck();
    await allow(fresh.page);
    expect((await connected(fresh.ask)).continues).to.deep.equal([]);
  });

  const KINDS = ['Play money', 'Small orders, asks before larger ones', 'What it asks for', 'My own numbers'];

  it('can be read by everybody, at 320 px', () => canBeRead(['My own numbers'], [320]));
  it('can be read by everybody, of every kind, down to 320 px @long', () =>
    canBeRead(KINDS, [320, 400, 1280]));

  async function canBeRead(names: readonly string[], widths: readonly number[]): Promise<void> {
    const page = await decide({ proposal: { maxOrderUsd: '75' } });
    for (const name of names) {
      await page.getByRole('radio', { name }).check();
      await sentences(page).first().waitFor();
      if (name === 'My own numbers') await page.getByText('More limits').click();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const found = await axeFindings(page, colorScheme === 'light' ? 'everything' : 'colours');
          expect(found, `${name}, ${width} px, ${colorScheme}`).to.deep.equal([]);
        }
        expect(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          `${name} ${width}`,
        ).to.equal(true);
      }
    }
  }
});
