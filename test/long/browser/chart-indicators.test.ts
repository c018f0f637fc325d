/** Indicators of a chart: chosen by keyboard, computed of the gateway's candles, remembered. */
import { expect } from 'chai';
import { systemClock } from '../../../gateway/system/clock.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { tabTo } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, indicators of the chart', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada } = desk;

  const readout = () => page.locator('[data-readout]');
  const number = (text: string) => Number(text.replaceAll(',', '').replace('\u2212', '-'));
  const popup = () => page.getByRole('dialog', { name: 'Indicators' });
  const legend = (name: string) => readout().locator('span').filter({ hasText: name }).locator('b');

  /** Chooses one by keyboard alone, with a length. */
  async function choose(name: string, length: number): Promise<void> {
    await tabTo(page, page.getByRole('button', { name: 'Indicators' }));
    await page.keyboard.press('Enter');
    await tabTo(page, popup().getByRole('button', { name: new RegExp(`^Add ${name},`) }));
    await page.keyboard.press('Enter');
    await tabTo(
      page,
      popup()
        .getByRole('textbox', { name: /^Length of/ })
        .last(),
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.type(String(length));
    await page.keyboard.press('Escape');
    await popup().waitFor({ state: 'detached' });
  }

  /** Points at a candle: a share of the chart's width from its left. */
  async function pointAt(share: number): Promise<void> {
    const { x, y, width, height } = (await desk.chart().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const opened = () => readout().locator('b').first().innerText();
    const before = await opened();
    // Below the candles: on the line of an entry the pointer would be its handle's.
    await page.mouse.move(x + width * share, y + height * 0.55);
    await untilPage(page, 'the figures of that candle', async () => (await opened()) !== before);
    // The readout may still be that of the zoom before.
    await drawn();
  }

  const drawn = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

  /** Which of the gateway's candles is the one at the crosshair. */
  async function indexOf(candles: readonly Json[]): Promise<number> {
    const figures = (await readout().locator('b').allTextContents()).slice(0, 4).map(number);
    const at = candles.findIndex((candle: Json) =>
      ['open', 'high', 'low', 'close'].every(
        (name, index) => Math.abs(Number(candle[name]) / (figures[index] ?? 0) - 1) < 1e-5,
      ),
    );
    expect(at, `a candle with ${figures.join()}`).to.be.at.least(0);
    return at;
  }

  /** The candle at the crosshair as the gateway has it, with all before it. */
  async function closesUntilThere(): Promise<readonly number[]> {
    const query = `connector=paper&long=BTC-PERP&short=ETH-PERP&interval=5m&from=${systemClock.now() - 1_200 * 300_000}`;
    const { candles } = (await ada.call('GET', `/candles/basket?${query}`)).json;
    const at = await indexOf(candles);
    return candles.slice(0, at + 1).map(({ close }: Json) => Number(close));
  }

  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  itInFreshTab('has what was chosen by keyboard at the crosshair, also after a reload', async () => {
    await desk.goToChart();
    await choose('EMA', 2);
    await choose('SMA', 200);
    const shown = legend('SMA 200');
    await untilPage(page, 'a figure', async () => /^\d/.test(await shown.innerText()));
    // Beside the candle that runs it follows the price: a short one, whose last digits each price changes.
    const said = await legend('EMA 2').innerText();
    await untilPage(page, 'another one', async () => (await legend('EMA 2').innerText()) !== said);
    // At the oldest candle in sight too: more of them are read than are shown at first.
    for (const share of [0.5, 0.03]) {
      await pointAt(share);
      const closes = await closesUntilThere();
      expect(number(await shown.innerText()) / mean(closes.slice(-200))).to.be.closeTo(1, 1e-5);
    }
    await expectAccessible(page, 'a chart with an indicator');
    await page.reload();
    await untilPage(page, 'it again', async () => /^\d/.test(await shown.innerText()));
  });

  itInFreshTab('has its legs in percent from the left edge of the view, also after a reload', async () => {
    await desk.goToChart();
    await page.getByRole('radio', { name: '15m', exact: true }).click();
    await tabTo(page, page.getByRole('button', { name: 'Indicators' }));
    await page.keyboard.press('Enter');
    const legs = popup().getByRole('switch', { name: 'Legs' });
    await tabTo(page, legs);
    await page.keyboard.press('Space');
    await expectAccessible(page, 'the switch of the legs');
    await page.keyboard.press('Escape');
    await popup().waitFor({ state: 'detached' });
    const candles = async (of: string): Promise<readonly Json[]> =>
      (await ada.call('GET', `/candles${of}&connector=paper&interval=15m`)).json.candles;
    const ratios = await candles('/basket?long=BTC-PERP&short=ETH-PERP');
    const prices = [await candles('?symbol=BTC-PERP'), await candles('?symbol=ETH-PERP')];
    /** Readout of the legs at a candle, and the candle's place. */
    const said = async (share: number) => {
      await pointAt(share);
      const at = await indexOf(ratios);
      const percents = [];
      for (const name of ['BTC', 'ETH'])
        percents.push(
          number(
            (
              await readout()
                .locator('span[data-colour]')
                .filter({ hasText: name })
                .locator('b')
                .last()
                .innerText()
            ).replace(/[+%\s]/g, ''),
          ),
        );
      return { at, percents };
    };
    await untilPage(
      page,
      'the legs',
      async () => (await readout().locator('span[data-colour]').count()) === 2,
    );
    const edge = await said(0.001);
    expect(edge.percents).to.deep.equal([0, 0]);
    const middle = await said(0.5);
    for (const [index, leg] of prices.entries()) {
      const moved = (Number(leg[middle.at]?.close) / Number(leg[edge.at]?.close) - 1) * 100;
      expect(middle.percents[index]).to.be.closeTo(moved, 0.0051);
    }
    // The edge is that of the view: zero is elsewhere when it has been moved.
    await page.mouse.wheel(0, -400);
    const nearer = await said(0.001);
    expect(nearer.at).to.be.greaterThan(edge.at);
    expect(nearer.percents).to.deep.equal([0, 0]);
    await page.reload();
    await untilPage(
      page,
      'the legs again',
      async () => (await readout().locator('span[data-colour]').count()) === 2,
    );

    // With another leg and then other candles, the axis has the times of these candles alone.
    await page.getByLabel('Add a short leg').fill('so');
    await page
      .getByRole('option', { name: /^SOL\b/ })
      .first()
      .click();
    await untilPage(
      page,
      'the third leg',
      async () => (await readout().locator('span[data-colour]').count()) === 3,
    );
    const days = page.waitForResponse((one) => /\/candles\/basket\?.*interval=1d/.test(one.url()));
    await page.getByRole('radio', { name: '1d', exact: true }).click();
    const { candles: daily } = await (await days).json();
    await pointAt(0.5);
    const { x, y, width, height } = (await desk.chart().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const passed = new Set<number>();
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.move(x + width * 0.5 + step * 2, y + height * 0.55);
      await drawn();
      passed.add(await indexOf(daily));
    }
    const [first = 0] = passed;
    expect([...passed]).to.deep.equal(Array.from(passed, (_, index) => first + index));
    expect(passed.size).to.be.greaterThan(5);
  });

  itInFreshTab(
    'has averages, bands and RSI as they are defined, on Trade and on Positions alike',
    async () => {
      await ada.open(PAIR);
      await desk.goToChart();
      await page.getByRole('button', { name: 'Indicators' }).click();
      for (const name of ['EMA', 'Bollinger', 'RSI'])
        await popup()
          .getByRole('button', { name: new RegExp(`^Add ${name},`) })
          .click();
      await popup()
        .getByRole('textbox', { name: /^Deviations of/ })
        .fill('1.5');
      // An invalid length is marked, and the last valid one stays.
      const length = popup().getByRole('textbox', { name: 'Length of RSI 14' });
      await length.fill('1');
      expect(await length.getAttribute('aria-invalid')).to.equal('true');
      await expectAccessible(page, 'the menu of indicators');
      await page.keyboard.press('Escape');
      await popup().waitFor({ state: 'detached' });
      await pointAt(0.5);
      const closes = await closesUntilThere();
      const said = async (name: string) => (await legend(name).innerText()).split(' · ').map(number);
      const weightsOf = (rest: number) => closes.map((_, index) => rest ** (closes.length - 1 - index));
      const weighed = (values: readonly number[], weights: readonly number[]) =>
        values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0) /
        weights.reduce((sum, weight) => sum + weight, 0);
      const [ema = 0] = await said('EMA 20');
      expect(ema / weighed(closes, weightsOf(1 - 2 / 21))).to.be.closeTo(1, 1e-5);
      const window = closes.slice(-20);
      const deviation = Math.sqrt(mean(window.map((close) => (close - mean(window)) ** 2)));
      const bands = [1, 0, -1].map((times) => mean(window) + times * 1.5 * deviation);
      for (const [index, band] of (await said('BB 20 1.5σ')).entries())
        expect(band / (bands[index] ?? 0)).to.be.closeTo(1, 1e-5);
      const changes = closes.map((close, index) => close - (closes[index - 1] ?? close));
      const up = weighed(
        changes.map((change) => Math.max(0, change)),
        weightsOf(13 / 14),
      );
      const down = weighed(
        changes.map((change) => Math.max(0, -change)),
        weightsOf(13 / 14),
      );
      expect((await said('RSI 14'))[0]).to.be.closeTo((100 * up) / (up + down), 0.02);

      // One that is not shown stays chosen; the other chart has the same.
      await page.getByRole('button', { name: 'Indicators' }).click();
      await popup().getByRole('checkbox', { name: 'EMA' }).uncheck();
      await legend('EMA 20').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      const [position] = await ada.positions();
      await desk.goTo(`/positions/${position?.id}`);
      await page.getByRole('tab', { name: 'Chart' }).click();
      await legend('RSI 14').waitFor();
      expect(await legend('EMA 20').count()).to.equal(0);
      await page.getByRole('button', { name: 'Indicators' }).click();
      expect(await popup().getByRole('checkbox', { name: 'EMA' }).isChecked()).to.equal(false);
    },
  );
});
