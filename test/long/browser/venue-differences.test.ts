/** Venue holdings that no basket explains: shown on Positions and Accounts, listed, and settled there. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { journey, tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { usd } from '../../support/trader.ts';

describe('trades past the gateway on the screen', function () {
  this.timeout(180_000);
  // Trades that are too young to be told from orders of the gateway are refused at first.
  const desk = screenSuite((status, path) => status === 409 && path === '/sync/positions');
  const banner = () => desk.page.getByRole('region', { name: 'The venue and your baskets differ' });

  const outside = async (symbol: string, side: string, quantity: string) => {
    const { bot } = desk;
    const order = { symbol: `${symbol}-PERP`, side, quantity };
    const { status, text } = await bot.call(
      'POST',
      `/trade-accounts/${bot.accountId}/paper/outside-order`,
      order,
    );
    expect(status, text).to.equal(200);
  };

  it('are told where they matter, listed, and made a position of in three actions', async () => {
    const { bot, page } = desk;
    await desk.goTo('/positions');
    await page.getByText('No open positions').waitFor();
    expect(await banner().count()).to.equal(0);
    await outside('SOL', 'BUY', '2.5');
    await outside('ETH', 'SELL', '0.4');

    await banner().getByText('+2.5 traded outside Tandem').waitFor();
    await banner().getByText('−0.4 traded outside Tandem').waitFor();
    await expectAccessible(page, 'a banner on Positions');
    await page.getByRole('tab', { name: /^Traded outside Tandem/ }).click();
    const fills = page.getByRole('table', { name: 'Fills outside Tandem' });
    await fills.getByText('ETH').waitFor();
    const rows = await fills.locator('tr[data-row]').allTextContents();
    expect(rows.join(' '))
      .to.match(/SOL.*Buy.*2\.5/)
      .and.to.match(/ETH.*Sell.*0\.4/);
    await expectAccessible(page, 'traded outside Tandem');
    await desk.goTo('/trade?long=SOL-PERP&short=BTC-PERP');
    const ticket = page.getByRole('form', { name: 'Ticket' });
    await ticket.getByText('SOL +2.5 traded outside Tandem', { exact: true }).waitFor();
    expect(await ticket.textContent(), 'of the legs alone').not.to.contain('ETH');
    await expectAccessible(page, 'a leg that was traded outside Tandem');
    await ticket.getByRole('link', { name: 'Show on Positions' }).click();
    await fills.getByText('ETH').waitFor();
    await desk.goTo('/accounts');
    await banner().getByText('+2.5 traded outside Tandem').waitFor();
    await expectAccessible(page, 'a banner on Accounts');

    const trader = journey(page, 'mouse');
    await trader.press(banner().getByRole('button', { name: 'Show on Positions' }));
    await trader.press(banner().getByRole('button', { name: 'Settle trades outside Tandem…' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'A position of its own: SOL / ETH' }).waitFor();
    await dialog.getByText('It begins without take-profit and stop-loss.').waitFor();
    await expectAccessible(page, 'what it becomes');
    await trader.press(dialog.getByRole('button', { name: 'Make a position' }));
    expect(trader.actions).to.be.at.most(3);
    // The page below an open dialog is hidden from everybody.
    await dialog.waitFor({ state: 'detached' });
    await banner().waitFor({ state: 'detached' });
    const [position] = await bot.positions();
    expect(position?.origin).to.equal('EXTERNAL');
    const legs = position?.legs.map(({ symbol, side, quantity }: Json) => [symbol, side, quantity]);
    expect(legs).to.have.deep.members([
      ['SOL-PERP', 'BUY', '2.5'],
      ['ETH-PERP', 'SELL', '0.4'],
    ]);
  });

  it('that reduced one of two baskets go to the one that is chosen, in three actions of the keyboard', async () => {
    const { bot, page } = desk;
    await bot.open([usd('LINK', 'BUY', '600'), usd('AVAX', 'SELL', '600')]);
    await bot.open([usd('LINK', 'BUY', '300')]);
    const before = (await bot.positions()).find(
      ({ legs }) => legs.length === 2 && legs[0].symbol === 'LINK-PERP',
    );
    const stopLoss = { type: 'PERCENTAGE', value: '40' };
    await bot.expect('PUT', `/positions/${before?.id}/brackets`, { stopLoss });
    await desk.goTo('/positions');
    await outside('LINK', 'SELL', '5');
    await banner().getByText('−5 traded outside Tandem').waitFor();
    // The question's first answer is the newest position, so that the other one takes a choice.
    const trader = journey(page, 'keyboard');
    await trader.press(banner().getByRole('button', { name: 'Settle trades outside Tandem…' }));
    const dialog = page.getByRole('dialog');
    const wanted = dialog.getByRole('radio', { name: 'Your position LINK / AVAX' });
    await tabTo(page, dialog.getByRole('radio', { checked: true }));
    await trader.choose(wanted);
    expect(await wanted.isChecked()).to.equal(true);
    // The effect on the position is shown before it is done, and on the button.
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('The position is reduced').waitFor();
    await preview
      .getByText('Stop-loss −40 % stays for the rest; PnL that this realises counts on.')
      .waitFor();
    const link = await preview.getByRole('row').filter({ hasText: 'LINK' }).locator('td').allTextContents();
    expect(Number(link[0]) - Number(link[1]), link.join(' → ')).to.be.closeTo(5, 1e-9);
    const told = await preview.getByRole('definition').first().textContent();
    await trader.press(dialog.getByRole('button', { name: 'Reduce the position' }));
    expect(trader.actions).to.be.at.most(3);
    await dialog.waitFor({ state: 'detached' });
    await banner().waitFor({ state: 'detached' });
    const after = (await bot.call('GET', `/positions/${before?.id}`)).json;
    expect(after.origin).to.equal('MIXED');
    expect(after.stopLoss).to.include({ ...stopLoss, status: 'ACTIVE' });
    expect(Number(before?.legs[0].quantity) - Number(after.legs[0].quantity)).to.be.closeTo(5, 1e-9);
    expect(Number(told?.replace('−', '-').replace(/[$,]/g, ''))).to.be.closeTo(
      Number(after.realizedPnl),
      0.0051,
    );
  });

  it('that nothing explains any more are gone after the next comparison', async () => {
    const { bot, page } = desk;
    const differences = async () =>
      (await bot.call('GET', '/sync/differences')).json.accounts.flatMap(
        ({ differences: rows }: { readonly differences: readonly unknown[] }) => rows,
      );
    await desk.goTo('/positions');
    await outside('BTC', 'BUY', '0.01');
    await banner().getByText('+0.01 traded outside Tandem').waitFor();
    // The commands know it too, wherever one is.
    await desk.goTo('/settings');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands' }).fill('settle');
    await page.getByRole('option', { name: /^Settle trades outside Tandem/ }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Settle trades outside Tandem' });
    await dialog.getByRole('button', { name: 'Make a position' }).waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // From the other screen the next key acts on it: nothing has to be looked for.
    await desk.goTo('/accounts');
    const trader = journey(page, 'keyboard');
    await trader.press(banner().getByRole('button', { name: 'Show on Positions' }));
    const first = banner().locator('button').first();
    await untilPage(page, 'it has the focus', () =>
      first.evaluate((one) => one === one.ownerDocument.activeElement),
    );
    await outside('BTC', 'SELL', '0.01');
    await trader.press(banner().getByRole('button', { name: 'Compare with the venue again' }));
    expect(trader.actions).to.be.at.most(2);
    await banner().waitFor({ state: 'detached' });
    await untilPage(page, 'nothing differs', async () => (await differences()).length === 0);
    await page.getByRole('heading', { name: 'Positions' }).waitFor();
  });

  it('leave room for the positions in the smallest windows', async () => {
    const { bot, page } = desk;
    await bot.open([usd('ATOM', 'BUY', '600')]);
    await outside('BTC', 'BUY', '0.02');
    await desk.goTo('/positions');
    await banner().getByText('+0.02 traded outside Tandem').waitFor();
    // A phone, the narrowest one, and a window of 640 × 700 at 200 %.
    for (const [width, height] of [
      [400, 700],
      [320, 700],
      [320, 350],
      [640, 350],
    ] as const) {
      await page.setViewportSize({ width, height });
      const row = page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]').first();
      await untilPage(page, `a row can be seen whole, and its figures, in ${width} × ${height}`, async () => {
        await row.scrollIntoViewIfNeeded();
        return page.evaluate<boolean>(`innerWidth === ${width} && (() => {
          const row = document.querySelector('table[aria-label="Open positions"] tr[data-row]');
          row.scrollIntoView({ block: 'nearest' });
          const name = row.querySelector('td:nth-child(2)').getBoundingClientRect();
          const size = row.querySelector('[data-name=Size]').getBoundingClientRect();
          return [name, size].every(({ left, top, width, height }) => {
            const at = document.elementFromPoint(left + Math.min(20, width / 2), top + height / 2);
            return at !== null && row.contains(at);
          });
        })()`);
      });
    }
    await page.setViewportSize({ width: 400, height: 700 });
    await expectAccessible(page, 'positions below a banner in 400 × 700');
  });
});
