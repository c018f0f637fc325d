/** Saved baskets: renamed, edited, traded and deleted. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { PAIR } from '../../support/trader.ts';

describe('saved baskets on the screen', function () {
  this.timeout(180_000);
  // A name that is taken is refused.
  const suite = screenSuite((status, path) => status === 400 && path === '/saved-baskets');
  const { bot, page } = suite;

  before(async () => {
    expect((await bot.open(PAIR))['status']).to.equal('COMPLETED');
  });

  const table = (name: string) => page.getByRole('table', { name });
  const rowOf = (name: string, text: string) =>
    table(name).getByRole('row').filter({ hasText: text }).first();
  const saved = async (): Promise<Json[]> => (await bot.call('GET', '/saved-baskets')).json.savedBaskets;

  it('saves a basket, renames, edits and trades it, and deletes it', async () => {
    await suite.goTo('/markets/saved');
    await page.getByText('No saved baskets yet').waitFor();
    await expectAccessible(page, 'no saved baskets');
    await page.getByRole('button', { name: 'New basket' }).first().click();
    const dialog = page.getByRole('dialog', { name: /^(New|Edit|Rename) basket$/ });
    const add = async (ticker: string) => {
      await dialog.getByRole('combobox', { name: 'Add a leg' }).fill(ticker);
      await page.getByRole('option', { name: `${ticker} ${ticker}-PERP` }).click();
      await dialog.getByRole('textbox', { name: `Weight of ${ticker}` }).waitFor();
    };
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('Must have 1 to 48 characters').waitFor();
    await dialog.getByText('A basket needs at least one leg').waitFor();
    await expectAccessible(page, 'an empty basket refused');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Majors');
    for (const ticker of ['BTC', 'DOGE', 'ETH']) await add(ticker);
    await dialog.getByText('Total 100 %').waitFor();
    await dialog.getByRole('textbox', { name: 'Weight of BTC' }).fill('40');
    await dialog.getByText('Total 115 %').waitFor();
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('The weights sum to 115 %, not 100 %').waitFor();
    await expectAccessible(page, 'weights that do not sum to 1');
    await dialog.getByRole('textbox', { name: 'Weight of BTC' }).fill('30.00');
    await dialog.getByRole('textbox', { name: 'Weight of ETH' }).fill('20');
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [made] = await saved();
    expect(made).to.deep.include({
      name: 'Majors',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.3 },
        { symbol: 'DOGE-PERP', side: 'SELL', weight: 0.5 },
        { symbol: 'ETH-PERP', side: 'BUY', weight: 0.2 },
      ],
    });

    // The same name once more is the gateway's no, beside the field; what was typed stays.
    await page.getByRole('button', { name: 'New basket' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('MAJORS');
    await add('SOL');
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText('has this name already').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Weight of SOL' }).inputValue()).to.equal('100');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await rowOf('Saved baskets', 'Majors').getByRole('button', { name: 'More for Majors' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Minors');
    await expectAccessible(page, 'renaming');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await rowOf('Saved baskets', 'Minors').waitFor();

    await page.getByRole('button', { name: 'More for Minors' }).click();
    await page.getByRole('menuitem', { name: 'Edit legs' }).click();
    await dialog.getByRole('button', { name: 'Remove ETH' }).click();
    await dialog.getByText('Total 80 %').waitFor();
    await dialog.getByRole('button', { name: 'Scale to 100 %' }).click();
    await dialog.getByText('Total 100 %').waitFor();
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await saved())[0]).to.deep.include({
      name: 'Minors',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', weight: 0.375 },
        { symbol: 'DOGE-PERP', side: 'SELL', weight: 0.625 },
      ],
    });
    await expectAccessible(page, 'saved baskets');

    const { prices } = (await bot.call('GET', '/prices?connector=paper')).json;
    const moved = (id: string) => {
      const { mark, price24hAgo } = prices.find((price: Json) => price['id'] === id);
      return Math.log(Number(mark) / Number(price24hAgo));
    };
    const wanted = (Math.exp(0.375 * moved('BTC-PERP') - 0.625 * moved('DOGE-PERP')) - 1) * 100;
    const shownChange = rowOf('Saved baskets', 'Minors').locator('[data-name="Weighted 24 h"]');
    await untilPage(page, 'the change is of the weights of the basket', async () => {
      const text = (await shownChange.innerText()).replace('\u2212', '-');
      return Math.abs(Number.parseFloat(text) - wanted) < 0.1;
    });

    await page.getByRole('button', { name: 'Trade Minors' }).click();
    await page.waitForURL('**/app/trade?long=BTC-PERP&short=DOGE-PERP&weight=375000&weight=625000');
    const ticket = page.getByRole('form', { name: 'Ticket' });
    await ticket.getByRole('textbox', { name: /Notional/ }).fill('800');
    await ticket.getByRole('button', { name: 'Review' }).click();
    await page
      .getByRole('dialog', { name: 'Review the order' })
      .getByRole('button', { name: 'Place order' })
      .click();
    await page
      .getByRole('region', { name: 'Sent orders' })
      .getByRole('article')
      .first()
      .getByText('Filled', { exact: true })
      .waitFor();
    const held = await untilPage(page, 'the basket is held', async () =>
      (await bot.positions()).find(({ legs }) => legs.some(({ symbol }: Json) => symbol === 'DOGE-PERP')),
    );
    expect(held['legs'].map(({ symbol, side }: Json) => [symbol, side]).sort()).to.deep.equal([
      ['BTC-PERP', 'BUY'],
      ['DOGE-PERP', 'SELL'],
    ]);
    await suite.goTo('/markets/saved');
    await rowOf('Saved baskets', 'Minors').getByRole('cell').nth(3).getByText('1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More for Minors' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Minors”?' });
    await expectAccessible(page, 'deleting');
    await question.getByRole('button', { name: 'Delete basket' }).click();
    await page.getByText('No saved baskets yet').waitFor();
    expect(await saved()).to.deep.equal([]);
  });
});
