/** Trade: what waits. Triggers, TWAP and ladders, from the ticket over the chart to their cancel on the Orders screen. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, what waits', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  /** From the card of what was sent to its row, which is cancelled there. */
  async function cancelInOrders(table: string, button: RegExp): Promise<void> {
    await desk.card().getByRole('link').click();
    const row = page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]').first();
    await row.getByRole('button', { name: button }).click();
    await row.getByText('Cancelled').waitFor();
  }

  it('sets a trigger with a take-profit, shows both on the chart as they are typed, and cancels it', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByRole('combobox', { name: 'Condition' }).click();
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page, 'list of conditions');
    await page.keyboard.press('Escape');
    await ticket().getByLabel('Level').fill('20');
    await page.getByRole('switch', { name: 'Take-profit' }).click();
    await ticket().getByLabel('Gain').fill('5');
    await page.getByRole('img', { name: /Trigger 20/ }).waitFor();
    await page.getByRole('img', { name: /TP ≈ \+5 % 22/ }).waitFor();
    await ticket().getByLabel('Level').fill('21');
    await page.getByRole('img', { name: /Trigger 21/ }).waitFor();
    await expectAccessible(page, 'trigger');
    const sheet = await desk.review();
    await sheet.getByText('when price ratio is below 21').waitFor();
    await expectAccessible(page, 'review of a trigger');
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await desk.cardSays('Waiting');
    const [trigger] = await desk.rows('/triggers', 'triggers');
    expect(trigger).to.deep.include({
      status: 'ACTIVE',
      condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '21' },
      takeProfit: { type: 'PERCENTAGE', value: '5', trailing: null, slippage: '0.01' },
    });
    await cancelInOrders('Triggers', /^Cancel trigger/);
    expect((await desk.rows('/triggers', 'triggers'))[0]?.status).to.equal('CANCELLED');
  });

  it('sets an alert without a size, which tells once and orders nothing, and cancels another', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    const alertOnly = ticket().getByRole('button', { name: 'Alert only' });
    await alertOnly.click();
    // Its field says it, and the size is not asked for.
    await ticket().locator('input[name="condition.value"][aria-invalid="true"]').waitFor();
    expect(await ticket().locator('input[name=totalUsd][aria-invalid="true"]').count()).to.equal(0);
    // The gateway's own refusal is shown beside the button.
    desk.expectAnswers('400 /alerts');
    await ticket().getByLabel('Level').fill('1000000');
    await alertOnly.click();
    await ticket()
      .getByText(/^The condition is met already/)
      .waitFor();
    await ticket().getByLabel('Level').fill('20');
    await ticket().locator('input[name="condition.value"]:not([aria-invalid="true"])').waitFor();
    await alertOnly.click();
    await page.getByText('Alert is set').waitFor();
    await expectAccessible(page, 'alert on the ticket');
    const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '20' };
    const [alert] = await desk.rows('/alerts', 'alerts');
    expect(alert).to.deep.include({ status: 'ACTIVE', condition });
    expect(alert?.legs.map(({ symbol, weight }: Json) => [symbol, weight])).to.deep.equal([
      ['BTC-PERP', '0.5'],
      ['ETH-PERP', '0.5'],
    ]);
    await ada.call('POST', '/alerts', {
      condition: { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'ETH-PERP' },
      allowImmediate: true,
    });
    await desk.goTo('/orders/alerts');
    const row = (text: string) =>
      page
        .getByRole('table', { name: 'Alerts', exact: true })
        .locator('tr[data-row]')
        .filter({ hasText: text });
    await row('ETH price above 1').getByText('Told').first().waitFor();
    await expectAccessible(page, 'alerts');
    await row('Price ratio below 20')
      .getByRole('button', { name: /^Cancel alert/ })
      .click();
    await row('Price ratio below 20').getByText('Cancelled').waitFor();
    await desk.goTo('/notifications');
    await page.getByText('Price above 1').first().waitFor();
    expect(await desk.rows('/triggers', 'triggers')).to.deep.equal([]);
    expect(await desk.rows('/executions', 'executions')).to.deep.equal([]);
  });

  itInFreshTab('takes an expiry in the zone that the settings choose', async () => {
    await page.addInitScript(`localStorage.setItem('tandem.settings', '{"zone":"utc"}')`);
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByLabel('Level').fill('20');
    await ticket().getByLabel('Expires (UTC)').fill('2099-01-31T12:00');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await desk.cardSays('Waiting');
    expect((await desk.rows('/triggers', 'triggers'))[0]?.expiresAt).to.equal('2099-01-31T12:00:00.000Z');
  });

  itInFreshTab(
    'names each line beside its ×: a stop that trails by where it stands, rungs off the scale by one name',
    async () => {
      const stopLoss = { type: 'PERCENTAGE', value: '6', trailing: { delta: '5' } };
      await ada.open(PAIR, { stopLoss });
      const [position] = await ada.positions();
      const at = (share: number) => (Number(position?.['entryPrice']) * share).toFixed(4);
      await ada.expect('POST', '/ladders', {
        legs: PAIR,
        metric: 'PRICE_RATIO',
        direction: 'LESS_THAN',
        start: at(0.9),
        end: at(0.8),
        levels: 4,
        distribution: 'LINEAR',
        sizing: 'EQUAL',
      });
      await desk.goToChart();
      const picture = desk.chart().locator('..');
      const stop = picture.getByText(/^SL ≈ −[45]\.\d\d %, trailing$/);
      const rungs = picture.getByText('Rung 1 … Rung 4', { exact: true });
      const crosses = (of: RegExp) => picture.getByRole('button', { name: of });
      await untilPage(page, 'four × of rungs', async () => (await crosses(/^Cancel Rung/).count()) === 4);
      for (const [name, cross] of [
        [stop, crosses(/^Cancel SL/)],
        [rungs, crosses(/^Cancel Rung/).last()],
      ] as const) {
        await name.waitFor();
        await untilPage(page, 'the name in the row of its ×, and not below it', async () => {
          const [its, own] = [await cross.boundingBox(), await name.boundingBox()];
          if (its === null || own === null) return false;
          const apart = Math.abs(its.y + its.height / 2 - own.y - own.height / 2);
          return apart <= 2 && own.x + own.width < its.x;
        });
      }
      // The others of the row are in that name.
      expect(await picture.getByText('Rung 2', { exact: true }).isVisible()).to.equal(false);

      // At this width the panel has room for what guards the position beside what it is worth now, and what works on it.
      const held = page.getByRole('table', { name: 'Open positions' });
      await held.getByText(/^Trailing stop.* −[45]\.\d\d %$/).waitFor();
      await held.getByRole('columnheader', { name: 'Price ratio now' }).waitFor();
      await held.getByRole('link', { name: /^Ladder, 4 rungs, BTC / }).waitFor();
      // As on Positions.
      const acts = held.getByRole('button', { name: /^Close (half of )?BTC / });
      expect(await acts.allInnerTexts()).to.deep.equal(['Close', 'Half']);

      // In the panel too, a press alone takes no protection away.
      await page.getByRole('tab', { name: /^Triggers/ }).click();
      const row = page.getByRole('table', { name: 'Triggers', exact: true }).locator('tr[data-row]');
      await row.getByRole('button', { name: /^Cancel trigger/ }).click();
      const question = page.getByRole('dialog');
      await question.getByText('The position stays open, without this protection.').waitFor();
      await question.getByRole('button', { name: 'Back' }).click();
      await question.waitFor({ state: 'detached' });
      expect((await ada.positions())[0]?.['stopLoss']).to.not.equal(null);
    },
  );

  it('opens the choices of a level in view, in a small window too', async () => {
    const usual = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 400, height: 800 });
    await desk.goTo(PAIR_LINK);
    const opener = page.getByRole('button', { name: 'Set a level' });
    await opener.click();
    const choices = page.getByRole('dialog', { name: /^Set a level at/ });
    await choices.getByRole('button', { name: 'Order or alert that waits for it' }).waitFor();
    const toTicket = page.getByRole('button', { name: 'Order ticket' });
    await untilPage(page, 'all of them, above the way to the ticket', async () => {
      const [box, below] = [await choices.boundingBox(), await toTicket.boundingBox()];
      return box !== null && below !== null && box.y >= 0 && box.y + box.height <= below.y;
    });
    expect(await opener.getAttribute('aria-expanded')).to.equal('true');
    await page.mouse.move(0, 0);
    await opener.hover();
    // Longer than a tooltip waits.
    await framesPass(page, 700);
    expect(await page.getByRole('tooltip').count(), 'a name over what it opened').to.equal(0);
    await page.setViewportSize(usual);
  });

  it('points to the ticket: down above it, up below it', async () => {
    const usual = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 900, height: 340 });
    await desk.goTo(PAIR_LINK);
    const toTicket = page.getByRole('button', { name: 'Order ticket' });
    await toTicket.locator('.lucide-arrow-down').waitFor();
    await page.getByRole('region', { name: 'This account' }).evaluate((dock) => {
      // As high as with many rows: without any, the ticket would still be seen above it.
      dock.style.minHeight = '800px';
      dock.scrollIntoView({ block: 'start' });
    });
    await toTicket.locator('.lucide-arrow-up').waitFor();
    await toTicket.click();
    await toTicket.waitFor({ state: 'hidden' });
    await page.setViewportSize(usual);
  });

  it('starts a TWAP whose slices it has shown, and cancels it', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('TWAP');
    await ticket().getByLabel('Duration').fill('5');
    await ticket()
      .getByText(/^5 slices of about \$(199|200)\.\d\d, the last after 4 min$/)
      .waitFor();
    await ticket().getByRole('cell', { name: '4 min' }).waitFor();
    await expectAccessible(page, 'twap');
    const sheet = await desk.review();
    await expectAccessible(page, 'review of a TWAP');
    await sheet.getByRole('button', { name: 'Start TWAP' }).click();
    await desk.cardSays('Running');
    const [schedule] = await desk.rows('/schedules', 'schedules');
    expect(schedule).to.include({
      durationSeconds: 300,
      intervalSeconds: 60,
      sliceCount: 5,
      totalUsd: '1000',
    });
    await cancelInOrders('TWAP schedules', /^Cancel TWAP/);
    expect((await desk.rows('/schedules', 'schedules'))[0]?.status).to.equal('CANCELLED');
  });

  it('places a ladder with the rungs that it has drawn, and cancels it', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Ladder');
    await ticket().getByLabel('First rung').fill('25');
    await ticket().getByLabel('Last rung').fill('21');
    await page.getByRole('img', { name: /1 25.*2 24.*3 23.*4 22.*5 21/ }).waitFor();
    await expectAccessible(page, 'ladder');
    const sheet = await desk.review();
    await expectAccessible(page, 'review of a ladder');
    await sheet.getByRole('button', { name: 'Place ladder' }).click();
    await desk.cardSays('Resting');
    const [ladder] = await desk.rows('/ladders', 'ladders');
    expect(ladder?.rungs.map(({ level }: { level: string }) => level)).to.deep.equal([
      '25',
      '24',
      '23',
      '22',
      '21',
    ]);
    await page.getByRole('img', { name: /Rung 1 25.*Rung 5 21/ }).waitFor();
    await cancelInOrders('Ladders', /^Cancel ladder/);
    expect((await desk.rows('/ladders', 'ladders'))[0]?.status).to.equal('CANCELLED');
  });

  it('shows the gateway’s field errors beside the fields, and loses nothing that was typed', async () => {
    desk.expectAnswers('400 /triggers/open');
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByLabel('Notional').fill('');
    await ticket().getByLabel('Max slippage').fill('11');
    await ticket().getByRole('button', { name: 'Review' }).click();
    await ticket().getByText('Needed').first().waitFor();
    await ticket().getByText('Must be at most 10 %').waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('totalUsd');
    await expectAccessible(page, 'field errors');
    await ticket().getByLabel('Notional').fill('750');
    await ticket().getByLabel('Max slippage').fill('2');
    // Below a million: met already, which only the gateway knows.
    await ticket().getByLabel('Level').fill('1000000');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await sheet.waitFor({ state: 'hidden' });
    const level = ticket().getByLabel('Level');
    expect(await level.inputValue()).to.equal('1000000');
    expect(await ticket().getByLabel('Notional').inputValue()).to.equal('750');
    await firstSeen(ticket().getByText(/met already|already/i));
    await level.fill('20');
    await page.getByRole('link', { name: 'Positions' }).first().click();
    await page.getByRole('link', { name: 'Trade', exact: true }).click();
    expect(await ticket().getByLabel('Level').inputValue()).to.equal('20');
  });
});
