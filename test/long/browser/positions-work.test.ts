/** Positions: pending orders beside a position, and what becomes of its take-profit and stop-loss. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../../support/dashboard.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { positionsSuite } from '../../support/positions-suite.ts';
import { figureOf, zOfRatio } from '../../support/ratio-z.ts';
import { PAIR } from '../../support/trader.ts';

describe('orders on positions', function () {
  this.timeout(90_000);
  const { suite, bot, page, openPair, rowOf, dialog, button, fromMenu } = positionsSuite();

  it('lets a close wait: in slices, and for a condition', async () => {
    await openPair();
    await suite.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByRole('radio', { name: 'Trigger' }).click();
    await expectAccessible(page, 'close by trigger');
    await dialog().getByLabel('Level').fill('1000');
    await button('Set trigger').click();
    await dialog().waitFor({ state: 'detached' });
    const { json: triggers } = await bot.call('GET', '/triggers?status=ACTIVE');
    expect(triggers.triggers.map(({ kind, condition }: Json) => [kind, condition.value])).to.deep.equal([
      ['CLOSE', '1000'],
    ]);
    await bot.call('POST', '/triggers/cancel-all');

    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByRole('radio', { name: 'TWAP' }).click();
    await expectAccessible(page, 'close by TWAP');
    await dialog().getByLabel('Duration').fill('5');
    await dialog()
      .getByText(/^5 slices of about \$[\d.]+, the last after 4 min$/)
      .waitFor();
    await button('Start closing').click();
    await dialog().waitFor({ state: 'detached' });
    const { json: schedules } = await bot.call('GET', '/schedules?status=ACTIVE');
    expect(schedules.schedules.map(({ kind, sliceCount }: Json) => [kind, sliceCount])).to.deep.equal([
      ['CLOSE', 5],
    ]);
    await bot.call('POST', `/schedules/${schedules.schedules[0].id}/cancel`);
    await untilPage(
      page,
      'nothing is on its way',
      async () =>
        (await bot.call('GET', '/executions?status=ACTIVE&includeSchedule=true')).json.executions.length ===
        0,
    );
  });

  /** In any width all of it is in view, and nothing lies over it. */
  async function seenWhole(ofPage: () => readonly Locator[]): Promise<void> {
    for (const width of [1920, 400, 640, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const one of ofPage()) {
        const isSeen = () =>
          one.evaluate((at, px) => {
            // Each time: what is laid out anew may push it out of view again.
            at.scrollIntoView({ block: 'center' });
            const { left, right, top, bottom } = at.getBoundingClientRect();
            const { documentElement } = at.ownerDocument;
            return (
              documentElement.clientWidth === px &&
              [left + 2, right - 2].every((x) =>
                at.contains(at.ownerDocument.elementFromPoint(x, (top + bottom) / 2)),
              )
            );
          }, width);
        await untilPage(page, `${one} in view at ${width}`, isSeen);
      }
    }
  }

  it('says in its row and in full what else works on a position, and leads there', async () => {
    const { id } = await openPair();
    const close = { durationSeconds: 300, intervalSeconds: 60, type: 'TWAP', fraction: '0.5' };
    const condition = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000' };
    const { json: twap } = await bot.call('POST', `/positions/${id}/close`, close);
    for (const fraction of ['0.5', '1'])
      await bot.call('POST', `/positions/${id}/close`, { type: 'TRIGGER', fraction, condition });
    const ladder = { metric: 'PRICE_RATIO', direction: 'LESS_THAN', start: '20', end: '10', levels: 3 };
    const { status, text } = await bot.call('POST', '/ladders', {
      ...ladder,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
      legs: PAIR,
    });
    expect(status, text).to.equal(200);
    await suite.goTo('/positions');
    const twapIn = (place: Locator) => place.getByRole('link', { name: /^TWAP \d\/5, BTC / });
    await seenWhole(() => [
      twapIn(rowOf('BTC')),
      rowOf('BTC').getByRole('link', { name: /^\+3: 2 triggers/ }),
    ]);
    await twapIn(rowOf('BTC'))
      .getByText(/^TWAP \d\/5$/)
      .waitFor();
    await expectAccessible(page, 'a position with what works on it');
    await twapIn(rowOf('BTC')).press('Enter');
    await page.getByRole('tab', { name: /^TWAP/, selected: true }).waitFor();

    await suite.goTo(`/positions/${id}`);
    await dialog()
      .getByRole('link', { name: /^2 triggers/ })
      .waitFor();
    await dialog()
      .getByRole('link', { name: /^Ladder, 3 rungs/ })
      .click();
    await page.getByRole('tab', { name: /^Ladders/, selected: true }).waitFor();

    await suite.goTo('/trade');
    const panel = page.getByRole('region', { name: 'This account' });
    await seenWhole(() => [twapIn(panel), panel.getByRole('link', { name: /^\+3: 2 triggers/ })]);
    await twapIn(panel).click();
    await panel.getByRole('tab', { name: /^TWAP and ladders/, selected: true }).waitFor();

    await bot.call('POST', `/schedules/${twap.id}/cancel`);
    await bot.call('POST', '/triggers/cancel-all');
    await suite.goTo('/positions');
    await rowOf('BTC').waitFor();
    await rowOf('BTC').getByRole('link').waitFor({ state: 'detached' });
  });

  it('says of a stop that trails what it would lose where it stands, beside what was asked', async () => {
    const { id, legs } = await openPair();
    const stopLoss = { type: 'PERCENTAGE', value: '30', trailing: { delta: '10' } };
    await bot.call('PUT', `/positions/${id}/brackets`, { stopLoss });
    await untilPage(page, 'a stop that trails', async () => {
      const { json } = await bot.call('GET', `/positions/${id}`);
      return json.stopLoss?.peak != null;
    });
    const paid = legs.reduce((sum: number, leg: Json) => sum + leg.quantity * leg.entryPrice, 0);
    await suite.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Take-profit/);
    const lossOf = (text: string) => Number(/−\$([\d.,]+)/.exec(text)?.[1]?.replace(',', ''));
    const asked = await dialog().locator('[data-note=stopLoss]').innerText();
    const now = await dialog().locator('[data-note=stopLoss-now]').innerText();
    expect(asked).to.match(/^As asked: /);
    const [, share = ''] = /^Trails: fires at −([\d.]+).% \([\d.]+.% away\): −\$[\d.,]+$/.exec(now) ?? [];
    expect(lossOf(asked)).to.be.closeTo(paid * 0.3, 0.02);
    expect(Number(share)).to.be.closeTo(10, 1);
    expect(lossOf(now)).to.be.closeTo((paid * Number(share)) / 100, paid * 0.0001);
    await dialog()
      .getByRole('checkbox', { name: /^Trailing/ })
      .click();
    await dialog()
      .locator('[data-note=stopLoss]')
      .getByText(/^fires at −30\.00\s% /)
      .waitFor();
  });

  it('says before a leg is reduced alone what becomes of the brackets', async () => {
    await openPair();
    const [position] = await bot.positions();
    const guards = {
      takeProfit: { type: 'PRICE_RATIO', value: '1000' },
      stopLoss: { type: 'DOLLAR', value: '400' },
    };
    await bot.expect('PUT', `/positions/${position?.id}/brackets`, guards);
    await suite.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Adjust/);
    await dialog().getByText('Reduce', { exact: true }).click();
    await dialog().getByText('Leg by leg').click();
    const [first] = position?.legs ?? [];
    await dialog()
      .getByPlaceholder('unchanged')
      .first()
      .fill(String(Number(first?.quantity) / 2));
    await dialog()
      .getByText(/^Stop-loss .* PnL that this realises counts on/)
      .waitFor();
    await dialog().getByPlaceholder('unchanged').first().fill('0');
    await dialog()
      .getByText(/^Take-profit .* is not watched then: its ratio needs one long and one short leg/)
      .waitFor();
  });

  it('shows one position in full: chart, fills and what happened', async () => {
    const { id, entryPrice } = await openPair();
    // Only the long pays, and next to nothing.
    const rates = '**/funding?connector=*';
    await page.route(rates, async (route) => {
      const { json } = await bot.call('GET', '/funding?connector=paper');
      const rateOf = ({ symbol }: Json) => (symbol === 'BTC' ? '0.00000001' : '0');
      const funding = json.funding.map((one: Json) => ({ ...one, rate: rateOf(one) }));
      await route.fulfill({ json: { ...json, funding } });
    });
    await suite.goTo(`/positions/${id}`);
    await dialog()
      .locator('dl > div', { hasText: 'Next funding' })
      .getByText(/^pays < \$0\.0001$/)
      .waitFor();
    await page.unroute(rates);
    // The ratio's z-score now and at entry, computed as a trigger does.
    const z = (name: string) =>
      dialog()
        .locator('dl > div', { hasText: `Ratio z ${name}` })
        .locator('dd');
    await z('now (240 h)')
      .getByText(/^−?\d+\.\d\d$/)
      .waitFor();
    // Between the two looks the hour may turn.
    const near = async (name: string, most: number, ratio?: string) =>
      Math.abs(figureOf(await z(name).innerText()) - (await zOfRatio(bot, 240, ratio))) <= most;
    await untilPage(page, 'the z-score of the entry', () => near('at entry', 0.011, entryPrice));
    await untilPage(page, 'that of now', () => near('now (240 h)', 0.1));
    const legs = dialog().getByRole('table', { name: 'Legs' });
    await legs.getByRole('columnheader', { name: 'Funding' }).waitFor();
    const hidden = await legs.evaluate(
      ({ scrollWidth, parentElement }) => scrollWidth - (parentElement?.clientWidth ?? 0),
    );
    expect(hidden, 'px of the legs that are out of view').to.be.at.most(0);
    await dialog().getByRole('tab', { name: 'Timeline' }).click();
    await dialog().getByRole('list', { name: 'Timeline' }).getByText('Opened').waitFor();
    await expectAccessible(page, 'timeline');
    await dialog().getByRole('tab', { name: 'Scenarios' }).click();
    const scenarios = dialog().getByRole('table', { name: 'Scenarios' });
    await scenarios.getByRole('rowheader', { name: /^All prices \+10/ }).waitFor();
    // Ratio in the scenario. A pair's gain turns into a loss when the ratio falls.
    const fall = scenarios.getByRole('row', { name: /^Price ratio −10/ });
    const [ratioThen = '', gain = ''] = (await fall.getByRole('cell').allInnerTexts()).slice(0, 2);
    expect(Number(ratioThen)).to.be.closeTo(Number(entryPrice) * 0.9, Number(entryPrice) * 0.02);
    expect(gain).to.match(/^−\$/);
    await expectAccessible(page, 'scenarios of a position');
    await dialog().getByRole('tab', { name: 'Fills' }).click();
    await dialog().getByRole('table', { name: 'Fills of the position' }).waitFor();
    await expectAccessible(page, 'fills of a position');
    await dialog().getByRole('tab', { name: 'Chart' }).click();
    await dialog().getByRole('radio', { name: 'Weighted' }).waitFor();
    await expectAccessible(page, 'chart');
    // A popup of a button that was scrolled out of sight is not seen either.
    await page.setViewportSize({ width: 400, height: 800 });
    await dialog().getByRole('button', { name: 'Indicators' }).click();
    const popup = page.getByRole('dialog', { name: 'Indicators' });
    await popup.waitFor();
    const scrollTo = (name: string) =>
      page.evaluate(`[...document.querySelectorAll('[role=dialog] ${name}')][0].scrollIntoView()`);
    await scrollTo('h2');
    await scrollTo('dl');
    await popup.waitFor({ state: 'hidden' });
    await scrollTo('[role=img]');
    await popup.waitFor();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).to.equal('/app/positions');
  });
});
