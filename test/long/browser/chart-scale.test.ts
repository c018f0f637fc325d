/** The scale of the chart is that of its candles: a far stop makes no strip of them, and no level is there twice. */
import { expect } from 'chai';
import { dragLine } from '../../support/chart-line.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';

/** Share of the picture's height between the highest and the lowest candle. A line across it is no candle. */
const CANDLES = `(() => {
  const canvases = [...document.querySelectorAll('[role=img][aria-label^="Chart of"] canvas')];
  const plot = canvases.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  if (plot === undefined) return 0;
  const { width, height } = plot;
  const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', {
    willReadFrequently: true,
  });
  copy.drawImage(plot, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const rows = [];
  for (let y = 0; y < height; y += 1) {
    let coloured = 0;
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const [r, g, b, a] = data.slice(at, at + 4);
      if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 90 && Math.abs(r - g) > 60) coloured += 1;
    }
    if (coloured > 0 && coloured < width / 2) rows.push(y);
  }
  return rows.length === 0 ? 0 : (rows.at(-1) - rows[0]) / height;
})()`;

/** From now on the time axis' labels are noted as they are drawn: text, and place as a share of the axis' width. */
const NOTE_LABELS = `(() => {
  const own = CanvasRenderingContext2D.prototype.fillText;
  globalThis.__labels = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const { width, height } = this.canvas;
    const at = (this.getTransform().a * x) / width;
    if (height < 80 && width > 400 && text !== '') globalThis.__labels.push({ text, at });
    return own.call(this, text, x, ...rest);
  };
})()`;

describe('trade screen, the scale of the chart', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ticket } = desk;

  it('leaves the candles most of the height, whatever is typed, and names each level once', async () => {
    await desk.goToChart();
    const candles = () => page.evaluate<number>(CANDLES);
    const before = await untilPage(page, 'candles', async () => {
      const share = await candles();
      return share > 0.4 ? share : null;
    });
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    await ticket().getByRole('textbox', { name: 'Loss' }).fill('3');
    const levels = page.getByRole('list', { name: 'Levels' });
    const named = (text: RegExp) => page.locator('[data-tone]', { hasText: text });
    await named(/SL/).waitFor();
    // Redrawn meanwhile: charts draw at 4 Hz.
    await framesPass(page, 1_000);
    expect(await candles(), `of ${before} before`).to.be.greaterThan(0.5 * before);
    // Its handle stands at the edge of the picture: it says where the line lies, and on which side.
    const handle = page.getByRole('slider', { name: /^Move SL/ });
    expect(await handle.innerText()).to.match(/SL ≈ −3 %\s*\d{2}\.\d+\s*▼$/);
    // Dragged farther out it is farther, though the handle does not stand where the line is.
    await dragLine(handle, 12);
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    const loss = ticket().getByRole('textbox', { name: 'Loss' });
    expect(Number(await loss.inputValue())).to.be.greaterThan(3);
    await loss.fill('3');

    await desk.place();
    await desk.cardSays('Filled');
    await named(/Entry/).waitFor();
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    await ticket().getByRole('textbox', { name: 'Loss' }).fill('2');
    await ticket().getByLabel('Notional').fill('100');
    await framesPass(page, 500);
    expect(await named(/SL/).count(), 'the one that stays').to.equal(1);
    expect(await named(/New/).count()).to.equal(0);
    await ticket().getByRole('combobox', { name: 'If the position has its own' }).click();
    await page.getByRole('option', { name: 'These take its place' }).click();
    await named(/New SL/).waitFor();
    // Each has its name in the picture, and none over it again.
    await framesPass(page, 1_500);
    expect(await levels.count()).to.equal(0);
    await expectAccessible(page, 'levels of the chart');
  });

  it('has prices of the legs beside the running candle whose ratio is its close, whatever it moves to', async () => {
    await desk.goTo(PAIR_LINK);
    const number = (text: string) => Number(text.replaceAll(',', ''));
    let said = '';
    for (let times = 0; times < 4; times += 1) {
      const figures = await untilPage(page, 'another close, with its legs', async () => {
        const texts = await page.locator('[data-readout] b').allTextContents();
        return texts.length === 7 && texts[3] !== said ? texts : null;
      });
      const [close = '', , btc = '', eth = ''] = figures.slice(3);
      expect(number(btc) / number(eth) / number(close), figures.join()).to.be.closeTo(1, 2e-5);
      said = close;
    }
  });

  it('has labels along the whole time axis after a change of the candles, before anything is moved', async () => {
    await desk.goToChart();
    await page.evaluate(NOTE_LABELS);
    const read = page.waitForResponse((answer) => /candles\/basket.*interval=1h/.test(answer.url()));
    await page.getByRole('radio', { name: '1h', exact: true }).click();
    await (await read).finished();
    // From now on the chart draws the hours: charts draw at 4 Hz.
    await framesPass(page, 500);
    await page.evaluate('globalThis.__labels = []');
    await untilPage(page, 'labels along the whole axis', async () => {
      const places = await page.evaluate<number[]>('globalThis.__labels.map(({ at }) => at)');
      return Math.min(...places) < 0.3 && Math.max(...places) > 0.7;
    });
  });

  itInFreshTab(
    'drags a level to where it is let go, whatever the scale, and says in percent what the axis does not',
    async () => {
      await desk.goToChart();
      await desk.kind('Trigger');
      const level = ticket().getByLabel('Level');
      const scale = page.getByRole('combobox', { name: 'Price scale' });
      const handle = page.getByRole('slider', { name: 'Move Trigger' });
      const now = await untilPage(page, 'the ratio of now', async () => {
        const [, , , close = ''] = await page.locator('[data-readout] b').allTextContents();
        return Number(close) || null;
      });
      await level.fill((now * 1.002).toFixed(4));
      for (const kind of ['Percent', 'Log', 'Linear']) {
        await scale.click();
        await page.getByRole('option', { name: new RegExp(`^${kind}`) }).click();
        await handle.waitFor();
        // Charts draw at 4 Hz.
        await framesPass(page, 600);
        const told = () => handle.locator('[aria-hidden]', { hasText: /^[\d.]+/ }).isVisible();
        if (kind === 'Percent') await untilPage(page, 'its name says the level', told);
        const before = Number(await level.inputValue());
        const box = await handle.boundingBox();
        const plot = await desk.chart().boundingBox();
        const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + (box?.height ?? 0) / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x, y - 10, { steps: 3 });
        await page.mouse.move(x, y - 20, { steps: 3 });
        await page.mouse.up();
        // The review opens at once when the order can be sent.
        await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
        const after = Number(await level.inputValue());
        expect(after, kind).to.be.greaterThan(before);
        expect(after, kind).to.be.lessThan(before * 1.1);
        // The line is where the handle was let go, or as high as before, where the scale made room for the highest level.
        const line = await untilPage(page, 'the line at its place', async () => {
          if (Math.abs(Number(await handle.getAttribute('aria-valuenow')) - after) > 1e-4) return null;
          const { y: top = 0, height = 0 } = (await handle.boundingBox()) ?? {};
          return plot !== null && top > plot.y && top < plot.y + plot.height ? top + height / 2 : null;
        });
        expect(line, kind).to.be.at.most(y);
      }
      await expectAccessible(page, 'a chart with a chosen scale');
    },
  );
});
