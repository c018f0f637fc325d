/** Trade and Orders: alerts that wait are lines and rows, moved, changed and cancelled where they are seen. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { dragLine } from '../../support/chart-line.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { figureOf, zOfRatio } from '../../support/ratio-z.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY' },
  { symbol: 'ETH-PERP', side: 'SELL' },
];

describe('alerts on the dashboard', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const handle = () => desk.page.getByRole('slider', { name: 'Move Alert' });
  const cross = () => desk.page.getByRole('button', { name: /^Cancel Alert at/ });
  const dock = () => desk.page.getByRole('region', { name: 'This account' });
  const read = async (id: string): Promise<Json> => (await desk.ada.call('GET', `/alerts/${id}`)).json;

  const made = (body: object) => desk.ada.expect('POST', '/alerts', body);
  async function mark(symbol: string): Promise<number> {
    const { prices } = (await desk.ada.call('GET', '/prices?connector=paper')).json;
    return Number(prices.find(({ id }: Json) => id === symbol).mark);
  }
  /** Makes an alert on the pair: near enough to be on the scale, and above the ratio so that it does not fire. */
  async function ofPair(share = 1.004): Promise<Json> {
    const value = (((await mark('BTC-PERP')) / (await mark('ETH-PERP'))) * share).toFixed(4);
    return made({ legs: LEGS, condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value } });
  }

  it('moves the line of one with the pointer and the keyboard, and cancels it by its ×', async () => {
    const { page } = desk;
    const { id, condition } = await ofPair();
    await made({ condition: { ...condition, type: 'PRICE', symbol: 'SOL-PERP', value: '99000000' } });
    await desk.goToChart();
    await handle().waitFor();
    expect(await handle().count(), 'that of SOL is on no chart of the pair').to.equal(1);
    await dragLine(handle(), -20);
    const dialog = page.getByRole('dialog', { name: 'Move the alert of BTC / ETH' });
    await firstSeen(dialog.getByText(/Price ratio above/));
    await expectAccessible(page, 'an alert that was dragged');
    await dialog.getByRole('button', { name: 'Move alert' }).click();
    await dialog.waitFor({ state: 'detached' });
    const dragged = await untilPage(page, 'the alert elsewhere', async () => {
      const { value } = (await read(id)).condition;
      return value === condition.value ? null : Number(value);
    });
    expect(dragged).to.be.greaterThan(Number(condition.value));

    await tabTo(page, handle());
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Move alert' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(Number((await read(id)).condition.value)).to.be.greaterThan(dragged);
    await handle().focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).to.equal(0);

    await tabTo(page, cross());
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: /^Cancel alert of BTC \/ ETH at/ });
    await question.getByText('You are not told any more.').waitFor();
    await expectAccessible(page, 'cancelling an alert from the chart');
    await question.getByRole('button', { name: 'Cancel alert' }).click();
    await handle().waitFor({ state: 'detached' });
    expect((await read(id)).status).to.equal('CANCELLED');
    expect(await desk.rows('/triggers', 'triggers')).to.deep.equal([]);
  });

  it('stands on the z-score of the ratio where it is of that, is moved there, and others are set beside it', async () => {
    const { page, ada, ticket } = desk;
    const among = { transform: 'Z_SCORE', lookback: 100 };
    const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '3', ...among };
    const { id } = await made({ legs: LEGS, condition });
    await ada.open(PAIR);
    const [position] = await ada.positions();
    await desk.goToChart();
    expect(await handle().count(), 'no level of the ratio').to.equal(0);
    await page.getByRole('tab', { name: 'Ratio z' }).click();
    // The look-back of what waits, before any other.
    const picture = page.getByRole('img', {
      name: /^Z-score of the price ratio \(100 h\) of BTC \/ ETH, now/,
    });
    await picture.waitFor();
    await untilPage(page, 'it is the figure that is compared', async () => {
      const said = /now (−?[\d.]+)/.exec((await picture.getAttribute('aria-label')) ?? '')?.[1] ?? '';
      return Math.abs(figureOf(said) - (await zOfRatio(ada, 100))) < 0.05;
    });
    await tabTo(page, handle());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Move the alert of BTC / ETH' });
    await dialog.getByText('Z-score of the price ratio (100 h) above 2.95').waitFor();
    await dialog.getByRole('button', { name: 'Move alert' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await read(id)).condition).to.include({ value: '2.95', ...among });

    // From the entry, with the pointer: a target where the ratio has risen.
    const entry = page.getByRole('slider', { name: 'Move Entry' });
    await dragLine(entry, -25);
    const target = page.getByRole('dialog', { name: /^Set the take-profit of/ });
    await target.getByText(/^Z-score of the price ratio \(100 h\) −?\d/).waitFor();
    await target.getByText(/, a ratio of [\d.]+ in this hour$/).waitFor();
    await expectAccessible(page, 'a target on the z-score');
    await target.getByRole('button', { name: 'Set take-profit' }).click();
    const { takeProfit } = await untilPage(page, 'the target', async () => {
      const [held] = await ada.positions();
      return held?.takeProfit === null ? null : held;
    });
    expect(takeProfit).to.include({ type: 'PRICE_RATIO', ...among });
    expect(Number(takeProfit.value)).to.be.greaterThan(await zOfRatio(ada, 100, position.entryPrice));
    await page.getByRole('slider', { name: 'Move TP' }).waitFor();
    await expectAccessible(page, 'the z-score of the ratio with what waits on it');

    // An order that waits: by the button, then from a level that was pressed.
    await page.getByRole('button', { name: 'Set a level' }).press('Enter');
    const choices = page.getByRole('dialog', { name: /^Set a level at −?\d+\.\d\d$/ });
    await choices.getByRole('button', { name: 'Order or alert that waits for it' }).press('Enter');
    expect(await ticket().getByRole('radio', { name: 'Ratio z' }).isChecked()).to.equal(true);
    expect(await ticket().getByLabel('Looks back').inputValue()).to.equal('100');
    await desk.pressChart(picture);
    const name = (await choices.getAttribute('aria-label')) ?? '';
    await choices.getByRole('button', { name: 'Order or alert that waits for it' }).click();
    expect(Number(await ticket().getByLabel('Level').inputValue())).to.equal(
      figureOf(name.replace('Set a level at ', '')),
    );
    await page.getByRole('slider', { name: 'Move Trigger' }).waitFor();

    // Whole steps of quantity have made other weights of the position: its entry is drawn at these, and a gain can be set from it.
    await page.getByRole('combobox', { name: 'What is compared' }).click();
    await page.getByRole('option', { name: 'Weighted ratio z' }).click();
    await page.getByRole('img', { name: /^Z-score of the weighted ratio/ }).waitFor();
    const why = page.getByText('Your position was entered at other weights than these');
    expect(await why.count(), 'nothing of it is left out').to.equal(0);
    expect(await entry.count(), 'a gain has no level among the past').to.equal(0);
    await page.getByRole('tab', { name: 'Price', exact: true }).click();
    await page.getByRole('combobox', { name: 'What the chart shows' }).click();
    await page.getByRole('option', { name: 'Weighted ratio', exact: true }).click();
    await tabTo(page, entry);
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const stop = page.getByRole('dialog', { name: /^Set the stop-loss of/ });
    await stop.getByText(/^−\d[\d.]* %$/).waitFor();
    await stop.getByRole('button', { name: 'Set stop-loss' }).press('Enter');
    await page.getByRole('slider', { name: 'Move SL' }).waitFor();
    const value = position.entryRatio;
    const own = { takeProfit: { type: 'WEIGHTED_RATIO', value: String(Number(value) * 1.01) } };
    expect((await ada.call('PUT', `/positions/${position.id}/brackets`, own)).status).to.equal(200);
    await page.getByText('than these: its take-profit is on its own chart').waitFor();
    await expectAccessible(page, 'a weighted ratio that is not the position’s');
  });

  it('the price of a leg is a line where that price is shown', async () => {
    const { page } = desk;
    const value = ((await mark('ETH-PERP')) * 1.004).toFixed(2);
    await made({ condition: { type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'ETH-PERP' } });
    await desk.goToChart();
    await dock().getByRole('tab', { name: 'Alerts 1' }).waitFor();
    expect(await handle().count()).to.equal(0);
    await page.getByRole('combobox', { name: 'What the chart shows' }).click();
    await page.getByRole('option', { name: 'ETH price' }).click();
    await handle().waitFor();
    await cross().click();
    await page.getByRole('dialog', { name: /^Cancel alert of ETH at/ }).waitFor();
  });

  itInFreshTab(
    'lists them under the chart, of this basket alone too, and changes and cancels one there',
    async () => {
      const { page } = desk;
      const { id } = await ofPair(2);
      await made({
        condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'ETH-PERP' },
      });
      await made({
        condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'SOL-PERP' },
      });
      await desk.goTo(PAIR_LINK);
      await dock().getByRole('tab', { name: 'Alerts 3' }).click();
      const row = (text: RegExp) => dock().locator('tr[data-row]').filter({ hasText: text });
      await row(/SOL price above/).waitFor();
      const own = dock().getByRole('checkbox', { name: 'This basket only' });
      await own.check();
      await row(/SOL price above/).waitFor({ state: 'detached' });
      await row(/ETH price above/).waitFor();
      await dock().getByRole('tab', { name: 'Alerts 2' }).waitFor();
      await expectAccessible(page, 'alerts under the chart');
      await row(/Price ratio above/)
        .getByRole('button', { name: /^Change alert/ })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Change alert' });
      const save = dialog.getByRole('button', { name: 'Save' });
      expect(await save.isDisabled(), 'nothing has changed').to.equal(true);
      await dialog.getByRole('textbox', { name: 'Level' }).fill('0.5');
      desk.expectAnswers(`400 /alerts/${id}`);
      await save.click();
      await dialog.getByText(/met already/).waitFor();
      await expectAccessible(page, 'a level that is passed already');
      await dialog.getByRole('textbox', { name: 'Level' }).fill('98000000');
      await dialog.getByLabel(/^Expires/).fill('2099-01-31T12:00');
      await save.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await row(/Price ratio above.98,000,000/).waitFor();
      expect((await read(id)).expiresAt).to.be.a('string');
      await row(/Price ratio above/)
        .getByRole('button', { name: /^Cancel alert/ })
        .click();
      await row(/Price ratio above/).waitFor({ state: 'detached' });
      expect((await read(id)).status).to.equal('CANCELLED');
      await own.uncheck();
    },
  );

  it('changes one among the orders, and says so when it has ended meanwhile', async () => {
    const { page } = desk;
    const { id, condition } = await ofPair(2);
    await desk.goTo('/orders/alerts');
    const table = page.getByRole('table', { name: 'Alerts', exact: true });
    await table.getByRole('button', { name: /^Change alert/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Change alert' });
    await dialog.getByText(/Last seen/).waitFor();
    await expectAccessible(page, 'changing an alert');
    await dialog.getByRole('textbox', { name: 'Level' }).fill('97000000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(id)).condition).to.deep.equal({ ...condition, value: '97000000' });
    await table.getByRole('button', { name: /^Change alert/ }).click();
    await dialog.getByRole('textbox', { name: 'Level' }).fill('96000000');
    expect((await desk.ada.call('POST', `/alerts/${id}/cancel`)).status).to.equal(200);
    desk.expectAnswers(`409 /alerts/${id}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The alert is CANCELLED already').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expectAccessible(page, 'an alert that has ended meanwhile');
  });
});
