/** Trade: the keys of the ticket, which type, choose and review, and never send. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { usd } from '../../support/trader.ts';

describe('trade screen, keys', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  const leaveFields = () => page.evaluate('document.activeElement.blur()');
  const longs = () => page.getByRole('list', { name: 'Long legs' });
  const notional = () => ticket().getByLabel('Notional');

  it('types the size, takes a share, swaps sides and reviews, each with one key', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket()
      .getByText(/^At most/)
      .waitFor();
    await leaveFields();
    await page.keyboard.press('n');
    // In the field the same keys are letters and digits again.
    await page.keyboard.type('25x');
    expect(await notional().inputValue()).to.equal('25x');
    await leaveFields();
    await page.keyboard.press('3');
    await ticket().getByRole('button', { name: '50 %', pressed: true }).waitFor();
    await page.keyboard.press('x');
    await longs().getByText('ETH', { exact: true }).waitFor();
    await page.keyboard.press('v');
    const sheet = page.getByRole('dialog', { name: 'Review the order' });
    await sheet.getByRole('row', { name: /ETH/ }).waitFor();
    await page.keyboard.press('x');
    // Beside the sheet, which stays: the focus is lost to the page, and the keys are still not the ticket's.
    await page.mouse.click(3, 3);
    await page.keyboard.press('x');
    await page.keyboard.press('1');
    await sheet.getByRole('button', { name: 'Back' }).click();
    await sheet.waitFor({ state: 'detached' });
    await longs().getByText('ETH', { exact: true }).waitFor();
    // A missing value is named at its field, as the button does.
    await notional().fill('');
    await leaveFields();
    await page.keyboard.press('v');
    expect(await notional().evaluate((field) => field === field.ownerDocument.activeElement)).to.equal(true);
    expect(await page.getByRole('dialog').count()).to.equal(0);
    // A choice that is named by its letter, and the second of two keys, are not the ticket's.
    await ticket().getByRole('combobox', { name: 'If a leg fails' }).focus();
    await page.keyboard.press('x');
    await longs().getByText('ETH', { exact: true }).waitFor();
    await leaveFields();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard' });
    await list.getByText('Swap long and short').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await leaveFields();
    await page.keyboard.type('gv');
    await page.waitForURL(/approvals/);
  });

  itInFreshTab('goes to another basket from the head, by pointer and by keyboard', async () => {
    await ada.call('POST', '/saved-baskets', {
      name: 'Majors',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
        { symbol: 'ETH-PERP', side: 'BUY', weight: 0.5 },
      ],
    });
    await desk.goTo(PAIR_LINK);
    const name = (legs: string) =>
      page.getByRole('button', { name: new RegExp(`^${legs} ?, choose another basket$`) });
    await name('long BTC short ETH').waitFor();
    // A basket that was looked at is one of late.
    await untilPage(page, 'it is kept', () =>
      page.evaluate(`localStorage.getItem('tandem.recent-baskets') !== null`),
    );
    await ticket().getByLabel('Notional').fill('777');
    await name('long BTC short ETH').click();
    const search = page.getByRole('dialog', { name: 'Another basket' });
    await search.getByRole('group', { name: 'Most traded pairs' }).getByRole('option').first().waitFor();
    expect(await search.getByRole('group', { name: 'Recent' }).count(), 'the one that is shown').to.equal(0);
    await expectAccessible(page, 'another basket');
    await page.keyboard.type('sol avax');
    await page.keyboard.press('Enter');
    await name('long SOL short AVAX').waitFor();
    expect(await notional().inputValue(), 'the ticket stays').to.equal('777');
    await leaveFields();
    await page.keyboard.press('b');
    await search.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'BTC / ETH' }).waitFor();
    await page.keyboard.press('Enter');
    await name('long BTC short ETH').press('Enter');
    await search.getByRole('option', { name: /^Majors/ }).click();
    await name('long BTC \\+ ETH').waitFor();
    // A held basket comes with its requested weights, as from the panel under the chart.
    await ada.open([usd('SOL', 'BUY', '700'), usd('AVAX', 'SELL', '300')]);
    await page.keyboard.press('b');
    await search
      .getByRole('group', { name: 'Positions' })
      .getByRole('option', { name: 'SOL / AVAX' })
      .click();
    await name('long SOL short AVAX').waitFor();
    expect(await page.getByLabel('Weight of SOL in percent').inputValue()).to.equal('70');
    expect(await page.getByLabel('Weight of AVAX in percent').inputValue()).to.equal('30');
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
  });

  itInFreshTab(
    'follows starred and saved baskets beside the chart, each one press away, and keeps the list open',
    async () => {
      await ada.call('POST', '/saved-baskets', {
        name: 'Majors',
        legs: [
          { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
          { symbol: 'ETH-PERP', side: 'BUY', weight: 0.5 },
        ],
      });
      await desk.goTo(PAIR_LINK);
      const list = page.getByRole('region', { name: 'Watchlist' });
      const own = list.getByRole('button', { name: /BTC.*ETH/ });
      await page.getByRole('button', { name: 'Add to the watchlist' }).click();
      await page.getByRole('button', { name: 'Take off the watchlist' }).waitFor();
      await leaveFields();
      await page.keyboard.press('w');
      await own.waitFor();
      // By the same marks as the head.
      const mark = page.getByLabel('About the pair').locator('div', { hasText: 'Mark ratio' }).locator('dd');
      await untilPage(page, 'the ratio of the head', async () => {
        const [head = '', row = ''] = [await mark.textContent(), await own.textContent()].map(String);
        return head !== '—' && row.includes(head);
      });
      // By the same rates, too.
      await own.getByText('Funding APR').waitFor();
      const apr = page.getByLabel('About the pair').locator('div', { hasText: 'Funding APR' }).locator('dd');
      await untilPage(page, 'the funding of the head', async () => {
        const figure = (text: string | null | undefined) => /[+−]?[\d.]+\u00a0%/.exec(text ?? '')?.[0];
        const [head, row] = [await apr.first().textContent(), await own.textContent()];
        return figure(head) !== undefined && figure(head) === figure(row?.split('Funding APR')[1]);
      });
      await list.getByRole('button', { name: /^Majors/ }).click();
      await page.getByRole('button', { name: /^long BTC \+ ETH ?, choose another basket$/ }).waitFor();
      await list
        .getByRole('button', { name: /^Majors/, exact: true })
        .and(page.locator('[aria-current]'))
        .waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^long BTC short ETH ?, choose another basket$/ }).waitFor();
      await expectAccessible(page, 'the watchlist');
      await page.reload();
      await own.waitFor();
      await page.setViewportSize({ width: 1200, height: 800 });
      await list.waitFor({ state: 'hidden' });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Take off the watchlist' }).click();
      await own.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Close the watchlist' }).click();
      await list.waitFor({ state: 'detached' });

      // At most forty, and none goes for a new one: one whose leg the venue no longer lists is there to be taken off.
      const starred = Array.from({ length: 40 }, (_, index) => `?long=GONE${index}-PERP&short=ETH-PERP`);
      const kept = JSON.stringify({ isOpen: true, starred: { paper: starred } });
      await page.evaluate(`localStorage.setItem('tandem.watchlist', ${JSON.stringify(kept)})`);
      await page.reload();
      const full = page.getByRole('button', { name: /^Forty starred baskets at most/ });
      await full.and(page.locator('[aria-disabled=true]')).waitFor();
      const gone = list.getByRole('listitem').filter({ hasText: 'GONE7-PERP' });
      await gone.getByText('Not listed', { exact: true }).waitFor();
      await expectAccessible(page, 'a full watchlist');
      await full.focus();
      await page.keyboard.press('Enter');
      await gone.getByRole('button', { name: /^Take .*GONE7-PERP.* off the watchlist$/ }).click();
      await gone.waitFor({ state: 'detached' });
      await list.getByRole('listitem').filter({ hasText: 'GONE39-PERP' }).waitFor();
      await page.getByRole('button', { name: 'Add to the watchlist' }).waitFor();
    },
  );

  itInFreshTab('ends the search for a basket with the account that it is of', async () => {
    await desk.goToChart();
    await leaveFields();
    await page.keyboard.press('b');
    const search = page.getByRole('dialog', { name: 'Another basket' });
    await search.getByRole('option').first().waitFor();
    // Requests for the removed account answer 404 until the page knows.
    const reads = ['orders', 'executions', 'triggers', 'alerts', 'schedules', 'ladders', 'fills', 'leverage'];
    const held = ['portfolio', 'positions', 'positions/risk', 'positions/unassigned', 'trade/open'];
    desk.expectAnswers(...[...reads, ...held].map((path) => `404 /${path}`));
    const [account] = await desk.rows('/trade-accounts', 'tradeAccounts');
    expect((await ada.call('DELETE', `/trade-accounts/${account?.id}`)).status).to.be.lessThan(300);
    // As another tab says it.
    await page.evaluate(`new BroadcastChannel('tandem.session').postMessage('signed-in')`);
    await search.waitFor({ state: 'detached' });
    // The page is there.
    await page.getByRole('navigation').first().waitFor();
  });

  itInFreshTab('reviews with a key also where the button places at once', async () => {
    await desk.goTo('/settings');
    await page.evaluate(`(() => {
      const kept = JSON.parse(localStorage.getItem('tandem.settings') ?? '{}');
      localStorage.setItem('tandem.settings', JSON.stringify({ ...kept, confirm: { ...kept.confirm, orders: false } }));
    })()`);
    await page.reload();
    await desk.goTo(PAIR_LINK);
    await ticket().getByRole('button', { name: 'Place order' }).waitFor();
    await desk
      .ticket()
      .getByText(/^At most/)
      .waitFor();
    await leaveFields();
    await page.keyboard.press('v');
    await page.getByRole('dialog', { name: 'Review the order' }).waitFor();
    expect(await desk.rows('/executions', 'executions')).to.have.length(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  });
});
