/** The chart of a position: its fills are marked, its lines are moved and cancelled as on Trade. */
import { expect } from 'chai';
import { dragLine } from '../../support/chart-line.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

/** Amounts of fills are painted: what the page paints from now on is noted. */
const NOTE_PAINTED = `(() => {
  const own = CanvasRenderingContext2D.prototype.fillText;
  globalThis.__painted = new Set();
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    globalThis.__painted.add(text);
    return own.call(this, text, ...rest);
  };
})()`;

describe("positions, a position's own chart", function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada } = desk;

  const slider = (name: RegExp) => page.getByRole('slider', { name });
  const stopOf = async () => (await ada.positions())[0]?.stopLoss as Json;

  itInFreshTab('marks its fills, and moves and cancels its stop and what waits to close it', async () => {
    await page.addInitScript(NOTE_PAINTED);
    await ada.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '0.3' } });
    const [position] = await ada.positions();
    const close = await ada.call('POST', `/positions/${position?.id}/close`, {
      type: 'TRIGGER',
      condition: {
        type: 'PRICE_RATIO',
        direction: 'MORE_THAN',
        value: (Number(position?.markPrice) * 1.002).toFixed(4),
      },
    });
    expect(close.status, close.text).to.be.lessThan(300);
    await desk.goTo(`/positions/${position?.id}`);
    await slider(/^Move SL/).waitFor();
    await untilPage(page, 'the amount of its fills', () =>
      page.evaluate<boolean>(`[...globalThis.__painted].some((text) => /^\\$[\\d.,]+$/.test(text))`),
    );
    await expectAccessible(page, 'the chart of a position');

    await dragLine(slider(/^Move SL/), 25);
    const move = page.getByRole('dialog', { name: 'Move the stop-loss of BTC / ETH' });
    await move.getByText(/fires at −/).waitFor();
    await move.getByRole('button', { name: 'Move stop-loss' }).click();
    await move.waitFor({ state: 'detached' });
    await untilPage(page, 'the stop farther away', async () => Number((await stopOf()).value) > 0.3);

    await dragLine(slider(/^Move Close/), -15);
    const trigger = page.getByRole('dialog', { name: 'Move the trigger of BTC / ETH' });
    await trigger.getByRole('button', { name: 'Back' }).click();
    await trigger.waitFor({ state: 'detached' });

    // Escape puts a line back, and leaves the position open.
    await slider(/^Move SL/).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Cancel SL/ }).click();
    const question = page.getByRole('dialog', { name: /^Cancel stop-loss of BTC \/ ETH at/ });
    await question.getByText('The position stays open, without this protection.').waitFor();
    await question.getByRole('button', { name: 'Cancel stop-loss' }).click();
    await slider(/^Move SL/).waitFor({ state: 'detached' });
    await untilPage(page, 'no stop', async () => (await ada.positions())[0]?.stopLoss === null);
    await slider(/^Move Close/).waitFor();
  });
});
