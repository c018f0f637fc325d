/** Trade: what the ticket does not let happen by mistake, and what it keeps. */
import { expect } from 'chai';
import { expectAccessible } from '../support/dashboard.ts';
import { PAIR_LINK, tradeScreen } from '../support/trade-screen.ts';

describe('trade screen, the ticket', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  it('offers nothing that must fail for its margin, and says so', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('5000000');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor();
    await ticket().getByText('It would fail: see the problems.').waitFor();
    expect(await ticket().getByRole('button', { name: 'Review' }).isDisabled()).to.equal(true);
    await expectAccessible(page, 'an order that must fail');
    await ticket().getByLabel('Notional').fill('500');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
    const again = await desk.review();
    await again.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
  });

  it('offers nothing new while new orders are paused, but what only reduces', async () => {
    const { page, ticket, ada } = desk;
    await ada.call('POST', '/safety/pause');
    await desk.goTo(PAIR_LINK);
    for (const [kind, level, button] of [
      ['Market', null, 'Place order'],
      ['Trigger', '20', 'Set trigger'],
    ] as const) {
      await desk.kind(kind);
      if (level !== null) await ticket().getByLabel('Level').fill(level);
      const sheet = await desk.review();
      await sheet.getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
      expect(await sheet.getByRole('button', { name: button }).isDisabled(), kind).to.equal(true);
      await sheet.getByRole('button', { name: 'Back' }).click();
      await sheet.waitFor({ state: 'detached' });
    }
    await desk.kind('TWAP');
    await ticket().getByLabel('Only reduce what is held').check();
    const sheet = await desk.review();
    expect(await sheet.getByRole('button', { name: 'Start TWAP' }).isDisabled()).to.equal(false);
    await sheet.getByRole('button', { name: 'Back' }).click();
    await ada.call('POST', '/safety/resume');
    await page.reload();
    await desk.kind('Market');
    const resumed = await desk.review();
    await resumed.getByRole('row', { name: /BTC/ }).waitFor();
    expect(await resumed.getByRole('button', { name: 'Place order' }).isDisabled()).to.equal(false);
  });

  it('opens nothing beside the opposite of what is held before that is said', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('500');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    await desk.goTo('/trade?long=ETH-PERP&short=BTC-PERP');
    await ticket().getByText('You hold the opposite', { exact: true }).waitFor();
    await ticket().getByText('BTC / ETH, $').waitFor();
    const onwards = ticket().getByRole('button', { name: 'Review' });
    expect(await onwards.isDisabled()).to.equal(true);
    await expectAccessible(page, 'the opposite is held');
    await ticket().getByLabel('Notional').fill('300');
    await ticket().getByRole('checkbox', { name: 'Open beside it' }).check();
    const beside = await desk.review();
    await beside.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    await ticket().getByText('Adjusts your position').waitFor();
    expect(await ticket().getByRole('checkbox', { name: 'Open beside it' }).isChecked()).to.equal(false);
    await ticket().getByRole('link', { name: 'Reduce or reverse it' }).click();
    await page.waitForURL(/positions\/[0-9a-f-]{36}$/);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close/ })
      .first()
      .waitFor();
  });

  it('takes numbers as they are pasted: with thousands apart, and a loss with its sign', async () => {
    const { ticket } = desk;
    await desk.goTo(PAIR_LINK);
    const notional = ticket().getByLabel('Notional');
    await notional.fill('1,000.50');
    expect(await notional.inputValue()).to.equal('1000.50');
    await notional.fill('');
    await notional.pressSequentially('1,234,567.5');
    expect(await notional.inputValue()).to.equal('1234567.5');
    // Not a number of any kind: it stays, and is refused.
    await notional.fill('1,00');
    expect(await notional.inputValue()).to.equal('1,00');
    await notional.fill('500');
    await ticket().getByRole('switch', { name: 'Stop-loss' }).click();
    const loss = ticket().getByRole('textbox', { name: 'Loss' });
    await loss.fill('-5');
    expect(await loss.inputValue()).to.equal('5');
    const sheet = await desk.review();
    await sheet
      .getByText(/[−-]5 %/)
      .first()
      .waitFor();
    await sheet.getByRole('button', { name: 'Back' }).click();
  });

  it('is not armed again by an order: no size, no brackets, until they are asked for', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    const notional = ticket().getByLabel('Notional');
    const takeProfit = page.getByRole('switch', { name: 'Take-profit' });
    await notional.fill('500');
    await takeProfit.click();
    await ticket().getByLabel('Gain').fill('5');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    expect(await notional.inputValue()).to.equal('');
    expect(await takeProfit.isChecked()).to.equal(false);
    expect(await ticket().getByText('Needed').count(), 'no error of a field that nobody touched').to.equal(0);
    await expectAccessible(page, 'after an order');
    await page.getByRole('button', { name: 'Fill it in again' }).focus();
    await page.keyboard.press('Enter');
    expect(await notional.inputValue()).to.equal('500');
    expect(await ticket().getByLabel('Gain').inputValue()).to.equal('5');
    expect(await desk.rows('/executions', 'executions'), 'nothing was sent by it').to.have.length(1);
  });

  it('keeps the basket and what was typed over a reload', async () => {
    const { page, ticket } = desk;
    await desk.goTo('/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP');
    await page.getByLabel('Weight of BTC in percent').fill('30');
    await desk.kind('Ladder');
    await ticket().getByLabel('Notional').fill('750');
    await ticket().getByLabel('First rung').fill('25');
    await page.reload();
    await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
    expect(await page.getByLabel('Weight of BTC in percent').inputValue()).to.equal('30');
    expect(await ticket().getByLabel('Notional').inputValue()).to.equal('750');
    expect(await ticket().getByLabel('First rung').inputValue()).to.equal('25');
  });
});
