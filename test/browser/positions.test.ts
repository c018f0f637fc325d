/** Positions in the browser: closing in whole and in part, take-profit and stop-loss, by mouse and by keyboard alone. */
import { expect } from 'chai';
import { expectAccessible, expectAccessibleWhenLong } from '../support/dashboard.ts';
import { hasFocus } from '../support/journey.ts';
import type { Json } from '../support/json.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { untilPage } from '../support/page-time.ts';
import { positionsSuite } from '../support/positions-suite.ts';
import { usd } from '../support/trader.ts';

describe('the positions screen', function () {
  this.timeout(90_000);
  const { suite, bot, page, openPair, rowOf, dialog, button, fromMenu } = positionsSuite();

  it('says what to do when nothing is open @long', async () => {
    await suite.goTo('/positions');
    await page.getByText('No open positions').waitFor();
    expect(await page.getByRole('link', { name: 'Build a basket' }).getAttribute('href')).to.equal(
      '/app/trade',
    );
    await expectAccessible(page, 'empty');
  });

  it('shows each basket with its legs, and a new one without being asked', async () => {
    await openPair();
    await suite.goTo('/positions');
    await rowOf('ETH').waitFor();
    await expectAccessibleWhenLong(page, 'one position');
    await rowOf('ETH').getByRole('button', { name: 'Details' }).click();
    const legs = page.getByRole('table', { name: 'Legs' });
    await legs.waitFor();
    expect(await legs.locator('tr[data-row]').count()).to.equal(2);
    await expectAccessibleWhenLong(page, 'legs');
    await bot.open([usd('SOL', 'BUY', '300')]);
    await rowOf('SOL').waitFor();
  });

  it('closes a position', async () => {
    const { id } = await openPair();
    await suite.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    await dialog().getByText('Share of the position').waitFor();
    await expectAccessible(page, 'close dialog');
    await dialog().getByRole('combobox', { name: 'If a leg fails' }).click();
    await page.getByRole('option', { name: 'Leave what is left' }).click();
    await button('Close position').click();
    await page.getByText('No open positions').waitFor();
    const [close] = (await bot.call('GET', '/executions')).json.executions;
    expect(close).to.include({ intent: 'CLOSE', onLegFailure: 'KEEP' });
    expect((await bot.call('GET', `/positions/${id}`)).json.status).to.equal('CLOSED');
    // A closed position has no weight or liquidation. Its legs are those of the history.
    await suite.goTo(`/positions/${id}`);
    await dialog().getByRole('columnheader', { name: 'Exit' }).waitFor();
    const words = await dialog().getByRole('region', { name: 'Legs' }).innerText();
    expect(words)
      .to.match(/Entry/i)
      .and.not.to.match(/far|Weight|Liquidation/i);
    expect(await dialog().getByTitle('Nothing of it is held').count()).to.equal(0);
  });

  it('closes a quarter of it, and refuses what is no share without losing it @long', async () => {
    const before = await openPair();
    await suite.goTo('/positions');
    await rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' }).click();
    const share = dialog().getByLabel('Share of the position');
    await share.fill('120');
    await button('Close 120 %').click();
    await dialog().getByText('Must be at most 1').waitFor();
    await expectAccessible(page, 'close dialog with an error');
    expect(await share.inputValue()).to.equal('120');
    await button('25 %').click();
    await button('Close 25 %').click();
    await dialog().waitFor({ state: 'detached' });
    await untilPage(page, 'less of it is held', async () => {
      const [after] = await bot.positions();
      return Number(after.legs[0].quantity) < Number(before.legs[0].quantity) * 0.76;
    });
    const [after] = await bot.positions();
    expect(Number(after.legs[0].quantity)).to.be.above(Number(before.legs[0].quantity) * 0.74);
  });

  it('sets take-profit and stop-loss, keeps what the gateway refuses, and removes them again', async () => {
    const { id, legs } = await openPair();
    const brackets = async () => {
      const { json } = await bot.call('GET', `/positions/${id}`);
      return [json.takeProfit?.value ?? null, json.stopLoss?.value ?? null];
    };
    await suite.goTo('/positions');
    const set = rowOf('ETH').getByRole('button', { name: 'Set take-profit and stop-loss of BTC / ETH' });
    await set.click();
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog().getByRole('switch', { name: 'Stop-loss' }).click();
    await dialog().getByRole('textbox', { name: 'Gain' }).fill('5');
    await button('Save').click();
    await dialog().getByText('Needed').waitFor();
    // Meaning of the gain: percent of the amount paid at entry, and a level of the chart.
    const paid = legs.reduce((sum: number, leg: Json) => sum + leg.quantity * leg.entryPrice, 0);
    const note = await dialog().locator('[data-note=takeProfit]').innerText();
    expect(Number(/\+\$([\d.,]+)/.exec(note)?.[1]?.replace(',', ''))).to.be.closeTo(paid * 0.05, 0.02);
    expect(note).to.match(/ · price ratio [\d.,]+$/);
    await dialog()
      .locator('[data-note=now]')
      .getByText(/^Now [+−]?\$[\d.]+ \([+−]?[\d.]+\s%\), price ratio [\d.]+$/)
      .waitFor();
    await expectAccessibleWhenLong(page, 'brackets dialog with an error');
    await dialog().getByRole('textbox', { name: 'Loss' }).fill('3');
    // Said by the gateway once both are typed in full.
    const stop = dialog()
      .locator('[data-note=stopLoss]')
      .getByText(/^fires at −3\.00\s%/);
    await stop.waitFor();
    const fires = await dialog().locator('[data-note=stopLoss]').innerText();
    expect(fires).to.match(/\([\d.]+\s% away\): −\$[\d,.]+ · price ratio [\d.,]+$/);
    expect(Number(/: −\$([\d.,]+)/.exec(fires)?.[1]?.replace(',', ''))).to.be.closeTo(paid * 0.03, 0.02);
    await expectAccessible(page, 'brackets dialog with its plan');
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await brackets()).to.deep.equal(['5', '3']);
    await rowOf('TP +5 %').waitFor();
    await set.waitFor({ state: 'detached' });
    await suite.goTo(`/positions/${id}`);
    const protection = dialog().getByRole('region', { name: 'Protection' });
    await protection.getByText(/^fires at −3\.00\s% \([\d.]+\s% away\): −\$[\d,.]+$/).waitFor();
    await protection.getByText(/^fires at \+5\.00\s% /).waitFor();
    await expectAccessible(page, 'a protected position');
    await suite.goTo('/positions');
    await rowOf('TP +5 %').waitFor();

    await fromMenu(rowOf('ETH'), /Take-profit/);
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await button('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await brackets()).to.deep.equal([null, '3']);

    // A level that is passed already is refused by the gateway only.
    await fromMenu(rowOf('ETH'), /Take-profit/);
    await dialog().getByRole('switch', { name: 'Stop-loss' }).click();
    await dialog().getByRole('switch', { name: 'Take-profit' }).click();
    await dialog()
      .getByRole('group', { name: 'Take-profit' })
      .getByRole('combobox', { name: 'Measured by' })
      .click();
    await page.getByRole('option', { name: 'Position value' }).click();
    await dialog().getByLabel('Level').fill('1');
    await button('Save').click();
    await dialog().getByRole('alert').or(dialog().locator('[class*="error"]')).first().waitFor();
    expect(await dialog().getByLabel('Level').inputValue()).to.equal('1');
    expect(await brackets()).to.deep.equal([null, '3']);
  });

  itInFreshTab(
    'sends no increase and no reversal above the largest order of the settings @long',
    async () => {
      await openPair();
      await page.addInitScript(
        `localStorage.setItem('tandem.settings', '{"limits":{"largestOrderUsd":"300"}}')`,
      );
      await suite.goTo('/positions');
      await fromMenu(rowOf('ETH'), /Adjust/);
      const increase = button('Increase position');
      await dialog().getByLabel('Gross amount').fill('5000');
      await dialog()
        .getByText(/^Above the largest order of \$300/)
        .waitFor();
      expect(await increase.isDisabled()).to.equal(true);
      await dialog().getByLabel('Gross amount').fill('200');
      await untilPage(page, 'an order within the limit', async () => await increase.isEnabled());
      expect(
        await dialog()
          .getByText(/^Above the largest order/)
          .count(),
      ).to.equal(0);
      await page.keyboard.press('Escape');
      await fromMenu(rowOf('ETH'), /Reverse/);
      await dialog()
        .getByText(/^Above the largest order of \$300/)
        .waitFor();
      expect(await button('Reverse position').isDisabled()).to.equal(true);
    },
  );

  it('adjusts, reverses and rebalances @long', async () => {
    const before = await openPair();
    await suite.goTo('/positions');
    await fromMenu(rowOf('ETH'), /Adjust/);
    await expectAccessible(page, 'adjust dialog');
    // An empty field's placeholder cannot be taken for a quantity.
    await dialog().getByText('Leg by leg').click();
    expect(await dialog().getByPlaceholder('unchanged').count()).to.equal(2);
    await dialog().getByText('Amount', { exact: true }).click();
    await dialog().getByLabel('Gross amount').fill('500');
    await button('Increase position').click();
    await dialog().waitFor({ state: 'detached' });
    await untilPage(
      page,
      'more of it is held',
      async () => Number((await bot.positions())[0]?.grossNotional) > Number(before.grossNotional) + 400,
    );

    await fromMenu(rowOf('ETH'), /Rebalance/);
    await page.getByRole('table', { name: 'Rebalance plan' }).waitFor();
    await expectAccessible(page, 'rebalance plan');
    await dialog().getByRole('tab', { name: 'Automatically' }).click();
    await dialog().getByRole('combobox', { name: 'If a leg fails' }).click();
    await page.getByRole('option', { name: 'Leave what is left' }).click();
    await button('Rebalance automatically').click();
    await dialog().getByText('Active').waitFor();
    expect((await bot.positions())[0]?.autoRebalance).to.have.property('onLegFailure', 'KEEP');
    await expectAccessible(page, 'standing rebalance');
    await button('Pause').click();
    await dialog().getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });

    await fromMenu(rowOf('ETH'), /Reverse/);
    await expectAccessible(page, 'reverse dialog');
    await button('Reverse position').click();
    await dialog().waitFor({ state: 'detached' });
    await untilPage(page, 'it is the other way round', async () => {
      const [position] = await bot.positions();
      return position?.legs.find(({ symbol }: Json) => symbol === 'ETH-PERP')?.side === 'BUY';
    });
  });

  it('closes a position with the keyboard alone @long', async () => {
    await openPair();
    await suite.goTo('/positions');
    const close = rowOf('ETH').getByRole('button', { name: 'Close BTC / ETH' });
    await close.waitFor();
    // Row, then Tab over what is in it: details, brackets, close.
    await rowOf('ETH').focus();
    for (let nth = 0; nth < 3; nth += 1) await page.keyboard.press('Tab');
    expect(await close.and(page.locator(':focus')).count()).to.equal(1);
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    // The focus follows the dialog by a frame.
    await hasFocus(dialog().getByLabel('Share of the position'));
    await page.keyboard.press('Enter');
    await page.getByText('No open positions').waitFor();
  });
});
