/** Trade: what the ticket does not let happen by mistake, and what it keeps. */
import { expect } from 'chai';
import { expectAccessible } from '../support/dashboard.ts';
import { pageClock } from '../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../support/trade-screen.ts';
import { until } from '../support/until.ts';

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
    const fillOf = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('[aria-label="Ticket"] [type=submit]')).backgroundColor`,
      );
    await desk.goTo(PAIR_LINK);
    await ticket().getByRole('button', { name: 'Review' }).waitFor();
    const inviting = await fillOf();
    await ada.call('POST', '/safety/pause');
    await page.reload();
    // Said of what is no order yet, too.
    await desk.kind('Trigger');
    await ticket().getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
    expect(await fillOf(), 'paused').not.to.equal(inviting);
    for (const [kind, level, button] of [
      ['Market', null, 'Place order'],
      ['Trigger', '20', 'Set trigger'],
    ] as const) {
      await desk.kind(kind);
      if (level !== null) await ticket().getByLabel('Level').fill(level);
      await ticket().getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
      // No next step: it has the look of one again when they are resumed.
      expect(await fillOf(), `${kind}, paused`).not.to.equal(inviting);
      await ticket()
        .getByText('Triggers and slices that open wait too; those that close, and stops, go on.')
        .waitFor();
      const sheet = await desk.review();
      await sheet.getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
      expect(await sheet.getByRole('button', { name: button }).isDisabled(), kind).to.equal(true);
      await sheet.getByRole('button', { name: 'Back' }).click();
      await sheet.waitFor({ state: 'detached' });
    }
    await desk.kind('TWAP');
    await ticket().getByLabel('Only reduce what is held').check();
    await ticket().getByText('New orders are paused.').waitFor({ state: 'detached' });
    const limit = ticket().getByRole('textbox', { name: /^Limit, / });
    await ticket().getByText('None for what only reduces').waitFor();
    await limit.fill('25');
    await limit.blur();
    await ticket().getByText('What only reduces takes no limit here.').waitFor();
    expect(await ticket().getByText('Waits while it is').count()).to.equal(0);
    await limit.fill('');
    await ticket().getByText('What only reduces takes no limit here.').waitFor({ state: 'detached' });
    const sheet = await desk.review();
    await sheet.getByText('Only what is held').waitFor();
    expect(await sheet.getByRole('button', { name: 'Start TWAP' }).isDisabled()).to.equal(false);
    await sheet.getByRole('button', { name: 'Back' }).click();
    await ada.call('POST', '/safety/resume');
    await page.reload();
    await desk.kind('Market');
    await until(pageClock(page), 'the next step looks like one', async () => (await fillOf()) === inviting);
    const resumed = await desk.review();
    await resumed.getByRole('row', { name: /BTC/ }).waitFor();
    expect(await resumed.getByRole('button', { name: 'Place order' }).isDisabled()).to.equal(false);
  });

  it('opens nothing beside the opposite of what is held before that is said', async () => {
    const { page, ticket } = desk;
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('3000');
    const sheet = await desk.review();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    await desk.goTo('/trade?long=ETH-PERP&short=BTC-PERP');
    await ticket().getByText('You hold the opposite', { exact: true }).waitFor();
    await ticket().getByText('BTC / ETH, $').waitFor();
    await ticket().getByText('What only reduces your position takes no margin', { exact: true }).waitFor();
    const onwards = ticket().getByRole('button', { name: 'Review' });
    expect(await onwards.isDisabled()).to.equal(true);
    await expectAccessible(page, 'the opposite is held');
    await ticket().getByLabel('Notional').fill('300');
    await ticket().getByText('This order takes no margin', { exact: true }).waitFor();
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
    await page.getByRole('button', { name: 'Use these values again' }).focus();
    await page.keyboard.press('Enter');
    expect(await notional.inputValue()).to.equal('500');
    expect(await ticket().getByLabel('Gain').inputValue()).to.equal('5');
    expect(await desk.rows('/executions', 'executions'), 'nothing was sent by it').to.have.length(1);
  });
});
