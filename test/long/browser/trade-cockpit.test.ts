/**
 * Trade as a cockpit: what a pair is worth knowing for, sizes by margin and risk, weights by one press, books, and the account
 * under the chart. Journeys are counted in actions: a press, a key held until it is right.
 */
import { expect } from 'chai';
import { systemClock } from '../../../gateway/system/clock.ts';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { pathIs, refuseAnswers } from '../../support/dashboard-states.ts';
import { journey, tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, the cockpit', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  const number = (text: string) => Number(text.replace(/[^0-9.\u2212-]/g, '').replace('\u2212', '-'));
  const notional = async () => number(await desk.ticket().getByLabel('Notional').inputValue());
  const dock = () => desk.page.getByRole('region', { name: 'This account' });

  /** Behind its name, as the gateway answers; two days of a history that takes two days are put into the answer. */
  async function expectFundingHistory(): Promise<void> {
    const { page } = desk;
    const answers: Json[] = [];
    const read = pathIs('/analytics/funding');
    await page.route(read, async (route) => {
      const { search } = new URL(route.request().url());
      const { json } = await desk.ada.call('GET', `/analytics/funding${search}`);
      answers.push(json);
      const history = Array.from({ length: 48 }, (_, hour) => ({
        time: new Date(Date.parse(json.to) - (47 - hour) * 3_600_000).toISOString(),
        carryApr: hour === 0 ? '-0.01' : '0.02',
      }));
      const known = { carryApr7d: '0.019375', carryApr30d: '0.019375', hours7d: 48, hours30d: 48 };
      // A gateway that has just begun may not have been told a rate yet.
      await route.fulfill({ json: { ...json, ...known, history, recordedSince: history[0]?.time } });
    });
    const name = 'Funding APR, its history';
    await page.getByLabel('About the pair').getByRole('button', { name }).click();
    const past = page.getByRole('dialog', { name });
    await past
      .getByRole('img', { name: /recorded hours of 30 days: from .1\.00\s%\sto\s\+2\.00\s%$/ })
      .waitFor();
    const cells = (row: string) =>
      past
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: row }) })
        .getByRole('cell');
    const [now = '', ...means] = await cells('Net').allTextContents();
    expect(means.map((text) => text.replace(/\s/g, ' '))).to.deep.equal(['+1.94 %', '+1.94 %']);
    const told = Number(answers.at(-1)?.carryApr) * 100;
    expect(Number(now.replace('−', '-').replace(/\s*%/, ''))).to.be.closeTo(told, 0.006);
    expect((await cells('Hours recorded').allTextContents()).slice(1)).to.deep.equal([
      '48 of 168',
      '48 of 720',
    ]);
    await past.getByText(/Recorded since/).waitFor();
    await expectAccessible(page, 'the history of funding');
    await page.keyboard.press('Escape');
    await past.waitFor({ state: 'detached' });
    await page.unroute(read);
  }

  itInFreshTab('opens with a basket and what is worth knowing of it, as the gateway has it', async () => {
    const { page } = desk;
    await desk.goToChart('/trade');
    const facts = page.getByLabel('About the pair');
    await facts.getByText('Correlation').waitFor();
    const shown = await untilPage(page, 'its figures', async () => {
      const text = (await facts.textContent()) ?? '';
      return text.includes('–') ? null : text;
    });
    const legs = async (side: string) =>
      (await page.getByRole('list', { name: `${side} legs` }).textContent()) ?? '';
    const id = (text: string) => `${/^[A-Z]+/.exec(text)?.[0]}-PERP`;
    const query = `long=${id(await legs('Long'))}&short=${id(await legs('Short'))}`;
    const { json } = await desk.ada.call('GET', `/analytics/pair/summary?connector=paper&${query}`);
    expect(shown).to.include(Number(json.correlation).toFixed(2));
    // Time until funding, from the venue, counted down. The hour may turn between the two readings.
    await untilPage(page, 'when funding is due, as the venue says it', async () => {
      const { funding } = (await desk.ada.call('GET', '/funding?connector=paper')).json;
      const due = Date.parse(funding[0].nextFundingTime) - systemClock.now();
      const text = (await facts.textContent()) ?? '';
      const [, left, unit] = /Funding APR.*?in (\d+) (min|s)/.exec(text) ?? [];
      return Math.abs(Number(left) * (unit === 'min' ? 60_000 : 1_000) - due) <= 120_000;
    });
    expect(shown).to.match(
      /Mark ratio.*24 h.*Funding APR.*reversed.*Open interest.*least: [A-Z]+.*Ratio z \(240 h\).*Half-life/,
    );
    await expectFundingHistory();
    await firstSeen(page.getByText(/^O [\d.,]+/).or(page.locator('[data-readout]')));
    expect(await page.locator('[data-readout]').textContent()).to.match(/O .*H .*L .*C .*%/);
    await expectAccessible(page, 'a pair');

    // The last basket is restored, in another tab too.
    await desk.goTo('/trade?long=SOL-PERP&short=LINK-PERP');
    await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
    await page.evaluate('sessionStorage.clear()');
    await desk.goTo('/trade');
    await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
  });

  it('sizes by the free margin, by press and by slider, and says what the books let expect', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await ticket().getByRole('button', { name: '100 %' }).click();
    const all = await notional();
    expect(all).to.be.greaterThan(100_000);
    // The whole of it can be sent.
    await ticket()
      .getByText(/(than|the) mark/)
      .waitFor();
    await framesPass(page, 800);
    expect(await ticket().getByRole('list', { name: 'Problems' }).count()).to.equal(0);
    await ticket().getByRole('button', { name: '25 %' }).click();
    expect((await notional()) / all).to.be.closeTo(0.25, 0.01);
    await ticket().getByRole('slider', { name: 'Share of the free margin' }).focus();
    await page.keyboard.press('ArrowRight');
    expect((await notional()) / all).to.be.closeTo(0.26, 0.01);
    const [, worstTyped = ''] = /Worst\sentry\s([\d.]+)/.exec((await ticket().textContent()) ?? '') ?? [];
    const sheet = await desk.review();
    for (const name of ['Expected', 'Depth', 'Worst price'])
      await sheet.getByRole('columnheader', { name }).waitFor();
    // A pair is traded by its ratio: the worst of both legs together is twice the slippage of each.
    await sheet.getByText(/^uses [<≤]?[\d.]+\s% within 1\.00\s% \((BTC|ETH)\)$/).waitFor();
    const fact = (name: string) =>
      sheet
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .innerText();
    const now = Number(/^[\d.]+(?= now)/.exec(await fact('Price ratio'))?.[0]);
    const worst = Number(await fact('Worst entry ratio'));
    expect(worst / now).to.be.closeTo(1.01 / 0.99, 1e-3);
    // Prices move between the two.
    expect(Number(worstTyped) / worst, 'below the slippage of the ticket').to.be.closeTo(1, 2e-3);
    expect(worstTyped.length, 'in the figures of the head').to.equal(String(now).padEnd(7, '0').length);
    await expectAccessible(page, 'a review with what the books hold');
  });

  it('sizes by what may be lost at the stop, and says beside each bracket what it means', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await ticket().getByText('By risk').click();
    await ticket().getByLabel('Lose at most').fill('200');
    await ticket().getByRole('textbox', { name: 'Loss', exact: true }).fill('2');
    // Without fees on this venue: 200 ÷ 0.02.
    expect(await notional()).to.equal(10_000);
    const note = ticket().locator('[data-note=stopLoss]');
    await note.getByText('−$200.00').waitFor();
    // The level comes with the prices of the dry run.
    await note.and(page.locator('p', { hasText: /price ratio \d/ })).waitFor();
    await ticket().getByRole('textbox', { name: 'Loss', exact: true }).fill('4');
    expect(await notional()).to.equal(5_000);
    await expectAccessible(page, 'sized by risk');
    // A size that is typed is the trader's.
    await ticket().getByLabel('Notional').fill('700');
    await note.getByText('−$28.00').waitFor();
    expect(await ticket().getByLabel('Lose at most').count()).to.equal(0);
  });

  it('weighs a basket of several legs by one press, as the gateway computes it', async () => {
    const { page } = desk;
    await desk.goTo('/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP');
    const query = 'connector=paper&lookback=7d&long=BTC-PERP,SOL-PERP&short=ETH-PERP';
    const { json } = await desk.ada.call('GET', `/analytics/weights?${query}`);
    const wanted = json.weightings.find(({ weighting }: Json) => weighting === 'VOLATILITY_NEUTRAL').weights;
    await page.getByRole('combobox', { name: 'Look-back of the weights' }).click();
    await page.getByRole('option', { name: '7d' }).click();
    const button = page.getByRole('button', { name: 'Vol-neutral' });
    await page.locator('button[aria-disabled=false]', { hasText: 'Vol-neutral' }).click();
    const typed = async (ticker: string) =>
      Number(await page.getByLabel(`Weight of ${ticker} in percent`).inputValue()) / 100;
    expect(await typed('BTC')).to.be.closeTo(Number(wanted[0]), 1e-3);
    expect((await typed('BTC')) + (await typed('SOL')) + (await typed('ETH'))).to.be.closeTo(1, 1e-9);
    expect(await button.getAttribute('aria-pressed')).to.equal('true');
    await expectAccessible(page, 'weighed');
  });

  itInFreshTab('shows the books of the legs, which follow the market while they are looked at', async () => {
    const { page, ada } = desk;
    await desk.goTo(PAIR_LINK);
    await dock().getByRole('tab', { name: 'Book' }).click();
    const book = page.getByRole('table', { name: 'Book of BTC' });
    await book.waitFor();
    await page.getByRole('table', { name: 'Book of ETH' }).waitFor();
    await dock().getByText('Simulated: orders on this paper venue fill against it.').waitFor();
    expect(await book.locator('tbody tr').count()).to.equal(8);
    const caption = (await book.locator('caption').textContent()) ?? '';
    const [, bid = '', ask = '', spread] =
      /BTC ([\d,.]+) \/ ([\d,.]+) spread ([\d.]+) bps/.exec(caption) ?? [];
    const [low, high] = [number(bid), number(ask)];
    expect(Number(spread)).to.be.closeTo(((high - low) / ((high + low) / 2)) * 10_000, 0.006);
    const price = Number(
      (await ada.call('GET', '/books?connector=paper&symbols=BTC-PERP')).json.books[0].bestBid,
    );
    expect(low / price).to.be.closeTo(1, 0.002);
    await expectAccessible(page, 'books');
    const whole = await book.textContent();
    await untilPage(page, 'it follows', async () => (await book.textContent()) !== whole);
    // Figures already read stay, marked as old.
    desk.expectAnswers('409 /books');
    await refuseAnswers(page, pathIs('/books'));
    await dock().getByText('The account may not be read').waitFor();
    await book.waitFor();
    expect(await dock().locator('.stale').getByRole('table').count()).to.equal(2);
    await expectAccessible(page, 'books that are old');
    await dock().getByRole('button', { name: 'Try again' }).click();
    await dock().getByText('The account may not be read').waitFor({ state: 'detached' });
    expect(await dock().locator('.stale').count()).to.equal(0);
  });

  itInFreshTab(
    'shows the account under the chart, of this basket alone too, and closes half in two actions',
    async () => {
      const { page, ada } = desk;
      await ada.open(PAIR);
      await ada.open([
        { symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: 'LINK-PERP', side: 'SELL', mode: 'USD', amount: '500' },
      ]);
      await ada.call('POST', '/triggers/open', {
        legs: PAIR,
        condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '10' },
      });
      await desk.goTo(PAIR_LINK);
      const rows = () =>
        dock()
          .locator('tr[data-row]')
          .filter({ has: page.getByRole('button', { name: /^Close/ }) });
      await untilPage(page, 'both positions', async () => ((await rows().count()) === 2 ? true : null));
      // Actions with a dialog of their own open it: closing all, with how many and how much, and a reversal.
      await dock().getByRole('button', { name: 'Close all' }).click();
      const several = page.getByRole('dialog', { name: 'Close 2 positions' });
      await several.getByRole('button', { name: 'Back' }).click();
      await desk.goTo(PAIR_LINK);
      await dock().getByRole('button', { name: 'More for BTC / ETH' }).click();
      await page.getByRole('menuitem', { name: 'Reverse…' }).click();
      await page.getByRole('dialog', { name: 'Reverse BTC / ETH' }).getByText('becomes').first().waitFor();
      await desk.goTo(PAIR_LINK);
      await dock().getByRole('checkbox', { name: 'This basket only' }).check();
      await untilPage(page, 'one of them', async () => ((await rows().count()) === 1 ? true : null));
      await expectAccessible(page, 'the panel');
      // The ratio at entry is the one of the ticket and of Positions, whatever the service calls a basket's ratio.
      const [, said = ''] = /entered at ([\d.]+)/.exec((await desk.ticket().textContent()) ?? '') ?? [];
      const [row = ''] = await rows().allTextContents();
      expect(said).to.match(/^\d/);
      expect(row).to.contain(said);
      const before = Number(
        (await ada.positions()).find(({ legs }) => legs[0].symbol === 'BTC-PERP')?.['grossNotional'],
      );
      const [held] = (await ada.positions()).filter(({ legs }) => legs[0].symbol === 'BTC-PERP');
      const stopLoss = { type: 'PERCENTAGE', value: '40' };
      await ada.call('PUT', `/positions/${held?.['id']}/brackets`, { stopLoss });
      const byMouse = journey(page, 'mouse');
      await byMouse.press(dock().getByRole('button', { name: 'Close half of BTC / ETH' }));
      const question = page.getByRole('dialog', { name: 'Close half of BTC / ETH' });
      await question.getByText('Realises about').waitFor();
      await question.getByText('Stop-loss after').waitFor();
      await question.getByText(/fires at −40/).waitFor();
      await ada.call('PUT', `/positions/${held?.['id']}/brackets`, { stopLoss: null });
      await expectAccessible(page, 'closing half');
      await byMouse.press(question.getByRole('button', { name: 'Close half' }));
      expect(byMouse.actions).to.be.at.most(2);
      const after = await untilPage(page, 'half of it', async () => {
        const left = (await ada.positions()).find(({ legs }) => legs[0].symbol === 'BTC-PERP');
        const gross = Number(left?.['grossNotional']);
        return gross < before * 0.75 ? gross : null;
      });
      expect(after / before).to.be.closeTo(0.5, 0.03);

      // With the keyboard alone: what the keys of a row are on Positions, they are here.
      await question.waitFor({ state: 'detached' });
      await tabTo(page, dock().locator('tr[data-row]'));
      const byKeyboard = journey(page, 'keyboard');
      await byKeyboard.keys('h');
      await byKeyboard.press(question.getByRole('button', { name: 'Close half' }));
      expect(byKeyboard.actions).to.be.at.most(2);
      await untilPage(page, 'half of the half', async () => {
        const left = (await ada.positions()).find(({ legs }) => legs[0].symbol === 'BTC-PERP');
        return Number(left?.['grossNotional']) < after * 0.75;
      });

      await dock()
        .getByRole('tab', { name: /^Triggers/ })
        .click();
      await dock()
        .getByText(/Price ratio below.10/)
        .waitFor();
      await dock()
        .getByRole('button', { name: /^Change trigger BTC \/ ETH/ })
        .click();
      const change = page.getByRole('dialog', { name: 'Change trigger BTC / ETH' });
      await change.getByRole('textbox', { name: 'Level' }).fill('9');
      await change.getByRole('button', { name: 'Save' }).click();
      await dock()
        .getByText(/Price ratio below.9$/)
        .waitFor();
      // A trigger of another basket: not in this list, and so not cancelled with it.
      await ada.call('POST', '/triggers/open', {
        legs: [PAIR[0]],
        condition: { type: 'PRICE', symbol: 'BTC-PERP', direction: 'LESS_THAN', value: '10' },
      });
      await dock().getByRole('button', { name: 'Cancel all' }).click();
      const sure = page.getByRole('dialog', { name: 'Cancel the triggers of this list?' });
      await sure.getByText('Cancels 1 trigger.').waitFor();
      await sure.getByRole('button', { name: 'Cancel all triggers' }).click();
      await dock().getByText('No triggers in this basket').waitFor();
      const { triggers } = (await ada.call('GET', '/triggers?status=ACTIVE')).json;
      expect(triggers.map(({ legs }: Json) => legs.length)).to.deep.equal([1]);
      await dock().getByRole('tab', { name: 'Fills' }).click();
      await dock().getByRole('row', { name: /BTC/ }).first().waitFor();
      expect(await dock().getByRole('row', { name: /SOL/ }).count()).to.equal(0);
      await expectAccessible(page, 'fills of the basket');
      for (const tab of ['Open orders', 'TWAP and ladders']) {
        await dock()
          .getByRole('tab', { name: new RegExp(`^${tab}`) })
          .click();
        await firstSeen(dock().getByText(/ in this basket$/));
      }
    },
  );
});
