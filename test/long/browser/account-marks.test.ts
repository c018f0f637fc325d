/** The marks LIVE, TESTNET and PAPER on the screens: wherever an account is shown, chosen, acted on or told of. */
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { launchChromium } from '../../support/browser.ts';
import { expectAccessible, openDashboard } from '../../support/dashboard.ts';
import type { Json } from '../../support/json.ts';
import { ALIAS, LiveDesk } from '../../support/live-desk.ts';
import { openForEachTest } from '../../support/open-for-tests.ts';
import { untilPage } from '../../support/page-time.ts';
import { type TestLeg, type Trader, traderOn, usd } from '../../support/trader.ts';

const EMAIL = 'ada@example.test';
const LIVE_PAIR = [usd('AAA', 'BUY', '40'), usd('BBB', 'SELL', '40')];
const PAPER_PAIR = [usd('BTC', 'BUY', '900'), usd('ETH', 'SELL', '900')];

interface Marked {
  readonly word: 'LIVE' | 'TESTNET' | 'PAPER';
  readonly alias: string;
  readonly on: Trader;
  readonly legs: readonly TestLeg[];
}

describe('the mark of an account on the screens', function () {
  this.timeout(180_000);
  let browser: Browser;
  let desk: LiveDesk;
  let accounts: readonly Marked[];
  let stopPulse = () => {};
  const tab = openForEachTest(() => openDashboard(browser, desk.gateway, { email: EMAIL }));
  let page: Page;

  before(async function () {
    browser = await launchChromium(this);
    desk = await LiveDesk.open({ testnet: true, clock: null });
    // Marks stay as they are, and are never too old to trade on.
    const beat = () => {
      desk.move({});
      stopPulse = systemClock.after(500, beat);
    };
    beat();
    const on = (accountId: string) => traderOn(desk.gateway, { ...desk.bot, accountId });
    accounts = [
      { word: 'LIVE', alias: ALIAS, on: desk.bot, legs: LIVE_PAIR },
      { word: 'TESTNET', alias: 'Rehearsal', on: on(desk.testnetAccountId), legs: LIVE_PAIR },
      { word: 'PAPER', alias: 'Paper', on: on(desk.paperAccountId), legs: PAPER_PAIR },
    ];
    for (const { word, alias, on: trader } of accounts) {
      if (word === 'PAPER') continue;
      const body = { alias, perOrderUsd: '100', totalUsd: '500', allow: { apiKeys: true } };
      await desk.user.call('PUT', `/trade-accounts/${trader.accountId}/arming`, body);
    }
    for (const { on: trader, legs } of accounts) {
      desk.move({});
      await trader.open(legs);
      const condition = {
        ...{ type: 'PRICE', direction: 'MORE_THAN', value: '99000000' },
        symbol: legs[0]?.symbol,
      };
      await trader.call('POST', '/triggers/open', { legs, condition });
    }
  });
  after(async () => {
    stopPulse();
    await browser?.close();
    await desk?.close();
  });
  beforeEach(async () => {
    page = tab.page;
  });

  const banner = () => page.getByRole('banner').first();
  const marked = (place: Locator, { word, alias }: Pick<Marked, 'word' | 'alias'>) =>
    place.filter({ hasText: word }).filter({ hasText: alias }).first().waitFor();
  const titled = (title: string) =>
    untilPage(page, `the title ${title}`, async () => ((await page.title()) === title ? true : null));
  async function choose({ alias }: Pick<Marked, 'alias'>): Promise<void> {
    await page.getByRole('combobox', { name: 'Trade account' }).click();
    await page.getByRole('option', { name: alias }).click();
  }

  it('a page that was just opened shows paper, and the list of accounts tells them apart by word and by shape', async () => {
    await tab.goTo('/trade');
    await titled('PAPER · Trade · Tandem');
    await banner().getByText('PAPER', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Trade account' }).click();
    for (const { word, alias } of accounts)
      await page.getByRole('option', { name: alias }).getByText(word, { exact: true }).waitFor();
    const shapes = await page.evaluate<
      readonly string[]
    >(`[...document.querySelectorAll('[role="option"] span')]
      .filter(({ textContent }) => /^(LIVE|TESTNET|PAPER)$/.test(textContent))
      .map((mark) => {
        const { borderStyle, borderWidth } = getComputedStyle(mark);
        return [borderStyle, borderWidth, getComputedStyle(mark, '::before').content].join();
      })`);
    expect(new Set(shapes), shapes.join(' | ')).to.have.property('size', 3);
  });

  it('stands in the title, the bar, the ticket, the review, the positions and the question of each account', async () => {
    for (const account of accounts) {
      const { word, legs } = account;
      await tab.goTo('/positions');
      await choose(account);
      await titled(`${word} · Positions · Tandem`);
      await banner().getByText(word, { exact: true }).waitFor();
      await marked(page.getByRole('main').locator('header'), account);
      const held = page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]').first();
      await held.getByRole('button', { name: /^Close (?!half)/ }).click();
      await marked(page.getByRole('dialog', { name: /^Close / }), account);
      await expectAccessible(page, `closing on ${word}`);
      await page.keyboard.press('Escape');

      const [long, short] = legs;
      await tab.goTo(`/trade?long=${long?.symbol}&short=${short?.symbol}`);
      await marked(page.getByRole('form', { name: 'Ticket' }), account);
      await page.getByLabel(/^Notional/).fill('60');
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await marked(page.getByRole('dialog', { name: 'Review the order' }), account);
      await expectAccessible(page, `the review on ${word}`);
      await page.keyboard.press('Escape');
    }
  });

  it('stands on the news of what was done, also where another account is shown by then', async () => {
    for (const account of accounts) {
      await tab.goTo('/orders/triggers');
      await choose(account);
      await titled(`${account.word} · Orders · Tandem`);
      await page.getByRole('button', { name: 'Cancel all', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Cancel all triggers?' });
      await marked(question, account);
      await question.getByRole('button', { name: 'Cancel all triggers' }).click();
      // Shown another account, the page still says whose triggers they were.
      const other = accounts.find((one) => one !== account) ?? account;
      await choose(other);
      const news = page.getByRole('region', { name: 'News' }).getByRole('status');
      await marked(news.filter({ hasText: 'All triggers that could be cancelled' }), account);
      await expectAccessible(page, `news of ${account.word}`);
    }
  });

  it('stands on each notification, whichever account is shown, and on what leaves the page', async () => {
    await page.addInitScript(`
      globalThis.shown = [];
      globalThis.Notification = class extends EventTarget {
        static permission = 'granted';
        constructor(title) { super(); globalThis.shown.push(title); }
      };
      localStorage.setItem('tandem.os-notifications', JSON.stringify({ isOn: true, categories: ['TRIGGER_EXECUTED'] }));
    `);
    for (const account of accounts) {
      await tab.goTo('/notifications');
      await choose(account);
      await titled(`${account.word} · Notifications · Tandem`);
      await page.getByText('Live data').waitFor();
      const { legs, on } = account;
      const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: legs[0]?.symbol };
      await on.expect('POST', '/triggers/open', { legs, condition, allowImmediate: true });
      const title = `${account.word} ${account.alias}: Trigger executed`;
      await untilPage(page, title, async () => {
        const shown = await page.evaluate<readonly string[]>('globalThis.shown');
        return shown.includes(title) ? true : null;
      });
    }
    const list = page.getByRole('table', { name: 'Notifications' });
    for (const account of accounts)
      await marked(list.getByRole('row').filter({ hasText: 'Trigger executed' }), account);
    await expectAccessible(page, 'notifications of three accounts');
  });

  it('stands on every account that is about to be closed, real money first', async () => {
    await tab.goTo('/settings');
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: /^Close everything/ }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Close everything?' });
    const items = question.getByRole('list').getByRole('listitem');
    await items.nth(accounts.length - 1).waitFor();
    const lines = await items.allInnerTexts();
    expect(lines).to.have.length(accounts.length);
    // The account's open positions may stand behind its name by then.
    for (const [place, { word, alias }] of accounts.entries())
      expect(lines[place]?.replace(/\s+/g, ' ').trim()).to.match(
        new RegExp(`^${word} ${alias}( nothing open| \\d+ positions?, \\$.*)?$`),
      );
    await expectAccessible(page, 'close everything?');
  });

  it('a person without paper is shown no account before choosing one', async () => {
    // The answer of a gateway whose user has removed the paper account.
    const { tradeAccounts } = (await desk.user.call('GET', '/trade-accounts')).json;
    const json = { tradeAccounts: tradeAccounts.filter(({ mode }: Json) => mode !== 'PAPER') };
    await page.route('**/trade-accounts', (route) => route.fulfill({ json }));
    await tab.goTo('/trade');
    await page.getByText('Choose a trade account').waitFor();
    expect(await page.title()).to.equal('Trade · Tandem');
    expect(await page.getByRole('form', { name: 'Ticket' }).count()).to.equal(0);
    await expectAccessible(page, 'no account is chosen');
    await page.getByRole('main').getByRole('button', { name: ALIAS }).click();
    await titled('LIVE · Trade · Tandem');
    await page.reload();
    await titled('LIVE · Trade · Tandem');
  });
});
