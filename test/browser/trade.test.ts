/** Trade: the basket, its chart, an order at market from first key to fill, and the orders that the ticket prevents. */
import { expect } from 'chai';
import { firstSeen } from '../support/browser.ts';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { tabTo } from '../support/journey.ts';
import type { Json } from '../support/json.ts';
import { PAIR_LINK, tradeScreen } from '../support/trade-screen.ts';
import { PAIR } from '../support/trader.ts';

describe('trade screen', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  it('goes from an empty basket to a fill with the keyboard alone', async () => {
    await desk.goTo('/trade');
    // Never a void: the most traded pair stands there, until it is cleared.
    await desk.chart().waitFor();
    await expectAccessibleWhenLong(page, 'the most traded pair');
    await tabTo(page, page.getByRole('button', { name: /^Clear the basket/ }));
    await page.keyboard.press('Enter');
    await page.getByText('No basket yet').waitFor();
    await expectAccessible(page, 'empty');
    // Nothing is wrong yet: what is to be done is said, and interrupts nobody.
    await ticket().getByText('Add at least one leg.').waitFor();
    expect(await ticket().getByRole('alert').count()).to.equal(0);
    for (const [side, typed, name] of [
      ['Long', 'btc', 'BTC'],
      ['Short', 'eth', 'ETH'],
    ] as const) {
      await tabTo(page, page.getByLabel(`Add a ${side.toLowerCase()} leg`));
      await page.keyboard.type(typed);
      await firstSeen(page.getByRole('option', { name: new RegExp(`^${name}\\b`) }));
      if (side === 'Long') await expectAccessibleWhenLong(page, 'instruments found');
      await page.keyboard.press('Enter');
      await page
        .getByRole('list', { name: `${side} legs` })
        .getByText(name, { exact: true })
        .waitFor();
    }
    await desk.chart().waitFor();
    await tabTo(page, ticket().getByLabel('Notional'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('500');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Review the order' }).waitFor();
    await page.getByRole('dialog').getByRole('row', { name: /BTC/ }).waitFor();
    await expectAccessible(page, 'review');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: /^Place order/ }));
    await page.keyboard.press('Enter');
    await desk.cardSays('Filled');
    const [position] = await ada.positions();
    expect(position.legs.map(({ symbol, side }: Json) => `${side} ${symbol}`)).to.deep.equal([
      'BUY BTC-PERP',
      'SELL ETH-PERP',
    ]);
    await ticket().getByText('Adjusts your position').waitFor();
    await expectAccessible(page, 'filled');
  });

  it('weighs legs exactly: percent as typed, normalised to the whole @long', async () => {
    await desk.goTo('/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP');
    await page.getByLabel('Weight of BTC in percent').fill('33.3333');
    await page
      .getByRole('status')
      .getByText(/not 100 %/)
      .waitFor();
    // An order that cannot be sent is not offered, and the ticket says why.
    const onwards = ticket().getByRole('button', { name: 'Review' });
    expect(await onwards.isDisabled()).to.equal(true);
    await desk
      .ticket()
      .getByText(/not 100 %/)
      .waitFor();
    expect(await ticket().getByRole('alert').count(), 'the basket has said it').to.equal(0);
    await page.getByRole('button', { name: 'Scale to 100 %' }).click();
    const sheet = await desk.review();
    await sheet.getByRole('row').nth(4).waitFor();
    expect(await sheet.getByRole('row').count()).to.equal(5);
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    const [execution] = await desk.rows('/executions', 'executions');
    const weights = execution?.orders.map(({ mode, amount }: Json) => [mode, amount]);
    expect(weights.map(([mode]: string[]) => mode)).to.deep.equal(['WEIGHT', 'WEIGHT', 'WEIGHT']);
    const millionths = weights.map(([, amount]: string[]) => Math.round(Number(amount) * 1e6));
    expect(millionths.reduce((sum: number, one: number) => sum + one, 0)).to.equal(1_000_000);
  });

  it('says before the order that it adjusts a position that is held @long', async () => {
    await ada.open(PAIR);
    await desk.goTo(PAIR_LINK);
    await ticket().getByText('Adjusts your position').waitFor();
    await page.getByRole('img', { name: /Entry \d/ }).waitFor();
    const sheet = await desk.review();
    await sheet.getByText('Adjusts your position').waitFor();
  });

  it('says which legs of a link the venue does not have, and asks nothing about them @long', async () => {
    await desk.goTo('/trade?long=BTC-PERP&short=NOPE-PERP');
    await page.getByText('This venue does not have NOPE-PERP. Remove it above.').waitFor();
    const onwards = ticket().getByRole('button', { name: 'Review' });
    expect(await onwards.isDisabled()).to.equal(true);
    await ticket().getByText('NOPE-PERP: not on this venue. Remove it from the basket.').waitFor();
    await expectAccessible(page, 'unknown instrument');
    await page.getByRole('button', { name: 'Remove NOPE-PERP' }).click();
    await desk.chart().waitFor();
  });

  it('sets leverage and margin mode of a leg @long', async () => {
    await desk.goTo(PAIR_LINK);
    await page.getByRole('button', { name: /^Leverage of BTC/ }).click();
    const form = page.getByRole('dialog', { name: 'Leverage of BTC' });
    await form.getByLabel('Leverage', { exact: true }).fill('3');
    await form.getByRole('radio', { name: 'Isolated' }).click();
    await expectAccessible(page, 'leverage');
    await form.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('button', { name: 'Leverage of BTC: 3 times, isolated' }).waitFor();
    const [setting] = await desk.rows('/leverage', 'leverage');
    expect(setting).to.include({ symbol: 'BTC-PERP', leverage: 3, marginMode: 'isolated' });
  });

  it('offers nothing that must fail for its margin, and says so @long', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('5000000');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor();
    await ticket().getByText('It would fail: see the problems.').waitFor();
    expect(await ticket().getByRole('button', { name: 'Review' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'an order that must fail');
    await ticket().getByLabel('Notional').fill('500');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
    await desk.place();
    await desk.cardSays('Filled');
  });

  it('opens nothing beside the opposite of what is held before that is said @long', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('3000');
    await desk.place();
    await desk.cardSays('Filled');
    await desk.goTo('/trade?long=ETH-PERP&short=BTC-PERP');
    await ticket().getByText('You hold the opposite', { exact: true }).waitFor();
    await ticket().getByText('BTC / ETH, $').waitFor();
    await ticket().getByText('What only reduces your position takes no margin', { exact: true }).waitFor();
    const onwards = ticket().getByRole('button', { name: 'Review' });
    expect(await onwards.isDisabled()).to.equal(true);
    await expectAccessible(page, 'the opposite is held');
    await ticket().getByLabel('Notional').fill('300');
    await ticket().getByText('This order takes no margin', { exact: true }).waitFor();
    await ticket().getByRole('checkbox', { name: 'Open beside it' }).check();
    await desk.place();
    await desk.cardSays('Filled');
    await ticket().getByText('Adjusts your position').waitFor();
    expect(await ticket().getByRole('checkbox', { name: 'Open beside it' }).isChecked()).to.equal(false);
    await ticket().getByRole('link', { name: 'Reduce or reverse it' }).click();
    await page.waitForURL(/positions\/[0-9a-f-]{36}$/);
    await firstSeen(page.getByRole('dialog').getByRole('button', { name: /^Close/ }));
  });

  it('is not armed again by an order: no size, no brackets, until they are asked for @long', async () => {
    await desk.goTo(PAIR_LINK);
    const notional = ticket().getByLabel('Notional');
    const takeProfit = page.getByRole('switch', { name: 'Take-profit' });
    await notional.fill('500');
    await takeProfit.click();
    await ticket().getByLabel('Gain').fill('5');
    await desk.place();
    await desk.cardSays('Filled');
    expect(await notional.inputValue()).to.equal('');
    expect(await takeProfit.isChecked()).to.equal(false);
    expect(await ticket().getByText('Needed').count(), 'no error of a field that nobody touched').to.equal(0);
    await expectAccessible(page, 'after an order');
    await page.getByRole('button', { name: 'Use these values again' }).focus();
    await page.keyboard.press('Enter');
    expect(await notional.inputValue()).to.equal('500');
    expect(await ticket().getByLabel('Gain').inputValue()).to.equal('5');
    expect(await desk.rows('/executions', 'executions'), 'nothing was sent by it').to.have.length(1);
  });

  it('lets a filled order go by itself @long', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('500');
    await desk.place();
    await page.mouse.move(0, 0);
    await desk.cardSays('Filled');
    await desk.card().waitFor({ state: 'detached' });
  });
});
