/** Trade: what waits. Triggers, TWAP and ladders, from the ticket over the chart to their cancel on the Orders screen. */
import { expect } from 'chai';
import { expectAccessible } from '../support/dashboard.ts';
import { itInFreshTab } from '../support/kept-tab.ts';
import { PAIR_LINK, tradeScreen } from '../support/trade-screen.ts';

describe('trade screen, what waits', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  /** From the card of what was sent to its row, which is cancelled there. */
  async function cancelInOrders(table: string, button: RegExp): Promise<void> {
    const { page } = desk;
    await desk.card().getByRole('link', { name: 'Show in Orders' }).click();
    const row = page.getByRole('table', { name: table, exact: true }).locator('tr[data-row]').first();
    await row.getByRole('button', { name: button }).click();
    await row.getByText('Cancelled').waitFor();
  }

  it('sets a trigger with a take-profit, shows both on the chart as they are typed, and cancels it', async () => {
    const { page, ticket } = desk;
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

  itInFreshTab('takes an expiry in the zone that the settings choose', async () => {
    const { page, ticket } = desk;
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

  it('starts a TWAP whose slices it has shown, and cancels it', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await desk.kind('TWAP');
    await ticket().getByLabel('Duration').fill('5');
    await ticket().getByText('5 slices').waitFor();
    await ticket().getByRole('cell', { name: '4:00' }).waitFor();
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
    const { page, ticket } = desk;
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
    const { page, ticket } = desk;
    desk.expectAnswers('400 /triggers/open');
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByLabel('Notional').fill('');
    await ticket().getByLabel('Slippage').fill('11');
    await ticket().getByRole('button', { name: 'Review' }).click();
    await ticket().getByText('Needed').first().waitFor();
    await ticket().getByText('Must be at most 10 %').waitFor();
    expect(await page.evaluate('document.activeElement.name')).to.equal('totalUsd');
    await expectAccessible(page, 'field errors');
    await ticket().getByLabel('Notional').fill('750');
    await ticket().getByLabel('Slippage').fill('2');
    // Below a million: met already, which only the gateway knows.
    await ticket().getByLabel('Level').fill('1000000');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Set trigger' }).click();
    await sheet.waitFor({ state: 'hidden' });
    const level = ticket().getByLabel('Level');
    expect(await level.inputValue()).to.equal('1000000');
    expect(await ticket().getByLabel('Notional').inputValue()).to.equal('750');
    await ticket()
      .getByText(/met already|already/i)
      .first()
      .waitFor();
    await level.fill('20');
    await page.getByRole('link', { name: 'Positions' }).first().click();
    await page.getByRole('link', { name: 'Trade', exact: true }).click();
    expect(await ticket().getByLabel('Level').inputValue()).to.equal('20');
  });
});
