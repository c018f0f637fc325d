/** Lines on the chart of Trade: moved, cancelled and set in few actions, with the pointer and with the keyboard. */
import { expect } from 'chai';
import { dragLine } from '../../support/chart-line.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { journey, tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, lines of the chart', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  const number = (text: string) => Number(text.replace(/[^0-9.\u2212-]/g, '').replace('\u2212', '-'));
  const handle = (name: RegExp) => desk.page.getByRole('slider', { name });
  const stopOf = async () => (await desk.ada.positions())[0]?.stopLoss as Json;

  it('moves a stop in two actions, with the pointer and with the keyboard', async () => {
    const { page, ada } = desk;
    // So near that its line is on the scale, wherever the market is: one that is not is dragged from the edge.
    await ada.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '0.3' } });
    await desk.goToChart();
    const stop = handle(/^Move SL/);
    await stop.waitFor();
    // The first review of a page stands at once: its file is there before anything is dragged.
    await untilPage(page, 'the file of the review', () =>
      page.evaluate<boolean>(
        `performance.getEntriesByType('resource').some(({ name, responseEnd }) => /move-dialog/.test(name) && responseEnd > 0)`,
      ),
    );
    await page.evaluate(`void (globalThis.__atOnce = new Promise((resolve) => {
      const look = () => resolve(document.querySelector('[role="dialog"]') !== null);
      addEventListener('pointerup', () => requestAnimationFrame(() => requestAnimationFrame(look)), { once: true });
    }))`);
    await dragLine(stop, 20);
    expect(await page.evaluate('globalThis.__atOnce'), 'the review, two frames later').to.equal(true);
    // Given up in the review, it can be dragged again.
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    let actions = 0;
    await dragLine(stop, 30);
    actions += 1;
    const dialog = page.getByRole('dialog', { name: /Move the stop-loss/ });
    await dialog.getByText(/fires at −/).waitFor();
    await expectAccessible(page, 'a stop that was dragged');
    await dialog.getByRole('button', { name: 'Move stop-loss' }).click();
    actions += 1;
    const moved = await untilPage(page, 'the stop elsewhere', async () => {
      const { value } = await stopOf();
      return value === '0.3' ? null : Number(value);
    });
    expect(moved).to.be.greaterThan(0.3);
    expect(actions).to.be.at.most(2);

    // With the keyboard: up to the wanted level, Enter, and Enter on the button.
    await dialog.waitFor({ state: 'detached' });
    await tabTo(page, handle(/^Move SL/));
    const byKeyboard = journey(page, 'keyboard');
    await byKeyboard.keys('ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
    await byKeyboard.press(dialog.getByRole('button', { name: 'Move stop-loss' }));
    expect(byKeyboard.actions).to.be.at.most(2);
    await untilPage(page, 'the stop nearer', async () =>
      Number((await stopOf()).value) < moved ? true : null,
    );
    // Letting go and going back changes nothing.
    await dialog.waitFor({ state: 'detached' });
    const before = (await stopOf()).value;
    await handle(/^Move SL/).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect((await stopOf()).value).to.equal(before);
  });

  it('a typed stop that is dragged on the weighted ratio stays a loss of the order', async () => {
    const { page } = desk;
    await desk.goToChart();
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    const field = page.getByRole('textbox', { name: 'Loss' });
    await field.fill('0.3');
    await page.getByRole('combobox', { name: 'What the chart shows' }).click();
    await page.getByRole('option', { name: 'Weighted ratio', exact: true }).click();
    await tabTo(page, handle(/^Move SL/));
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    expect(Number(await field.inputValue())).to.be.within(0.31, 2);
  });

  it('cancels on the line what waits there: asked first, with the pointer and with the keyboard', async () => {
    const { page, ada } = desk;
    await ada.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '1' } });
    const { json } = await ada.call('GET', '/positions');
    const ratio = Number(json.positions[0].entryPrice);
    await ada.expect('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: (ratio * 0.97).toFixed(4) },
    });
    await desk.goTo(PAIR_LINK);
    const cross = (of: RegExp) => desk.chart().locator('..').getByRole('button', { name: of });
    // Both lines are off the scale, below: each × stands in the row of its handle.
    for (const line of ['SL', 'Trigger']) {
      const middle = async (box: Promise<{ y: number; height: number } | null>) => {
        const { y, height } = (await box) ?? { y: 0, height: 0 };
        return y + height / 2;
      };
      await untilPage(page, `the × of ${line} beside its handle`, async () => {
        const own = await middle(handle(new RegExp(`^Move ${line}`)).boundingBox());
        const its = await middle(cross(new RegExp(`^Cancel ${line}`)).boundingBox());
        return Math.abs(own - its) <= 2 ? true : null;
      });
    }
    await cross(/^Cancel SL .* at [\d.]+$/).click();
    // The question says which of the basket's it is.
    const question = page.getByRole('dialog', { name: /^Cancel .* of BTC \/ ETH at / });
    await page.getByRole('dialog', { name: 'Cancel stop-loss of BTC / ETH at −1 %?' }).waitFor();
    await question.getByText('The position stays open, without this protection.').waitFor();
    await expectAccessible(page, 'asked before a stop is cancelled');
    await question.getByRole('button', { name: 'Back' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await stopOf()).to.not.equal(null);
    await tabTo(page, cross(/^Cancel Trigger at [\d.]+$/));
    await page.keyboard.press('Enter');
    await question.getByText('It does not fire any more.').waitFor();
    await page.getByRole('dialog', { name: /^Cancel trigger of BTC \/ ETH at [\d.]+\?$/ }).waitFor();
    await question.getByRole('button', { name: 'Cancel trigger' }).press('Enter');
    await cross(/^Cancel Trigger/).waitFor({ state: 'detached' });
    const { triggers } = (await ada.call('GET', '/triggers?status=ACTIVE&kind=OPEN')).json;
    expect(triggers).to.deep.equal([]);
    // The stop as well, now that it is meant.
    await cross(/^Cancel SL/).click();
    await question.getByRole('button', { name: 'Cancel stop-loss' }).click();
    await untilPage(page, 'no stop', async () => ((await stopOf()) === null ? true : null));
    await cross(/^Cancel SL/).waitFor({ state: 'detached' });
  });

  it('sets a target from the entry, and a level where the chart was pressed', async () => {
    const { page, ada, ticket } = desk;
    await ada.open(PAIR);
    await desk.goToChart();
    await dragLine(handle(/^Move Entry/), -40);
    const dialog = page.getByRole('dialog', { name: /Set the take-profit/ });
    await dialog.getByRole('button', { name: 'Set take-profit' }).click();
    await untilPage(page, 'a target', async () =>
      (await ada.positions())[0]?.takeProfit === null ? null : true,
    );
    await dialog.waitFor({ state: 'detached' });
    await handle(/^Move TP/).waitFor();

    await desk.pressChart();
    const choices = page.getByRole('dialog', { name: /^Set a level at/ });
    await choices.waitFor();
    await expectAccessible(page, 'what can be set at a level');
    await choices.getByRole('button', { name: 'Order or alert that waits for it' }).click();
    expect(await ticket().getByRole('radio', { name: 'Trigger' }).isChecked()).to.equal(true);
    const level = number(await ticket().getByLabel('Level').inputValue());
    expect(level).to.be.greaterThan(0);
    // A line of the draft is dragged into its review.
    await dragLine(handle(/^Move Trigger/), 20);
    const review = page.getByRole('dialog', { name: 'Review the trigger' });
    await review.waitFor();
    await review.getByRole('button', { name: 'Set trigger' }).click();
    const [waiting] = await untilPage(page, 'the trigger', async () => {
      const rows = (await desk.rows('/triggers', 'triggers')).filter(({ kind }) => kind === 'OPEN');
      return rows.length === 0 ? null : rows;
    });
    expect(Number(waiting?.['condition'].value)).to.be.lessThan(level);
  });
});
