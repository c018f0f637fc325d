/** Trade: what became of an order at market when it did not simply fill, and a screen whose data do not come. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import {
  holdAnswers,
  pathIs,
  REQUEST_ID,
  refuseAnswers,
  switchableStream,
} from '../../support/dashboard-states.ts';
import { faultScript } from '../../support/fault-script.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';

const CANDLES = (url: URL) => url.pathname.startsWith('/candles');

describe('trade screen, outcomes and states', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  it('shows an order on its way: Preparing or Working, then Filled', async () => {
    const slow = faultScript().at({ times: 2 }, { kind: 'delay', delayMs: 1_500 }).done();
    desk.gateway.gateway.paperVenue('paper').setFaults(slow);
    await desk.goTo(PAIR_LINK);
    await desk.place();
    await desk.cardSays('Working');
    await expectAccessible(page, 'working');
    await desk.cardSays('Filled');
  });

  it('says of a leg that failed at the venue what is held without it', async () => {
    const reject = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
    const script = faultScript().at({ symbol: 'ETH-PERP', times: null }, reject).done();
    desk.gateway.gateway.paperVenue('paper').setFaults(script);
    await desk.goTo(PAIR_LINK);
    await page.setViewportSize({ width: 900, height: 700 });
    await desk.place();
    await desk.cardSays('Partly filled');
    await untilPage(page, 'its card is in view', async () => {
      const box = await desk.card().boundingBox();
      return box !== null && box.y >= 0 && box.y + Math.min(box.height, 600) <= 700;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    await desk.card().getByText('BTC is held, ETH is not', { exact: true }).waitFor();
    await desk.card().getByText('risk engine says no').first().waitFor();
    // The filled leg is held, but its price is no ratio of the two: the chart has no entry line of it.
    await ticket().getByText('Adjusts your position').waitFor();
    expect(await desk.chart().getAttribute('aria-label')).not.to.contain('Entry');
    expect(await ticket().textContent()).not.to.contain('entered at');
    await ticket().getByText('ETH missing', { exact: true }).waitFor();
    const shorts = page.getByRole('list', { name: 'Short legs' });
    await shorts.getByText('missing', { exact: true }).waitFor();
    await expectAccessible(page, 'partly failed');
    // The position has the name of a pair, and is not one yet.
    const held = page.getByRole('table', { name: 'Open positions' }).locator('tr[data-row]');
    await held.getByText('not held').waitFor({ state: 'attached' });
    expect(await held.locator('s').allTextContents()).to.deep.equal(['ETH']);
    const [{ id }] = await ada.positions();
    const close = desk.card().getByRole('link', { name: 'Close what is held' });
    expect(await close.getAttribute('href')).to.equal(`/app/positions?do=close&on=${id}`);
    await desk.card().getByRole('link', { name: 'Check positions' }).click();
    await page.waitForURL(/\/positions/);
    await page.getByRole('dialog').getByText('Not held: ETH').waitFor();
    await page.locator('tr[data-row]').getByText('ETH missing', { exact: true }).waitFor();
    // One name has one figure: what the table does not say of the pair, neither does the position in full.
    const figures = page.getByRole('dialog').locator('dl > div');
    for (const name of ['Price ratio at entry', 'Price ratio now', 'Weighted ratio now', 'Break-even']) {
      const figure = figures.filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
      expect(await figure.textContent(), name).to.match(/^–a leg is not held/);
    }
    await expectAccessible(page, 'a position without a leg');

    // Both ways to what mends it: from where it is shown in full, and from the card.
    desk.gateway.gateway.paperVenue('paper').setFaults(faultScript().done());
    const sheet = page.getByRole('dialog').last();
    await sheet.getByRole('button', { name: 'Trade the missing rest…' }).click();
    await page.getByRole('dialog', { name: /^Adjust/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Trade the missing rest' }).click();
    await sheet.getByRole('region', { name: 'Preview' }).waitFor();
    await expectAccessible(page, 'the missing rest');
    await sheet.getByRole('button', { name: 'Increase position' }).click();
    await untilPage(page, 'the pair is whole', async () => {
      const [{ legs }] = await ada.positions();
      const [btc, eth] = legs.map(({ currentWeight }: Json) => Number(currentWeight));
      return legs.length === 2 && Math.abs(btc - eth) < 0.02;
    });
  });

  it('says that no orders were placed when it failed before the venue', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('3');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor();
    await expectAccessible(page, 'problems');
    // An order known to fail is not offered. Here the dry run has not found the problem yet.
    await page.route('**/trade/open', async (route) => {
      if (route.request().postDataJSON().dryRun !== true) return route.continue();
      const { json } = await ada.call('POST', '/trade/open', route.request().postDataJSON());
      return route.fulfill({ json: { ...json, plan: { ...json.plan, problems: [] } } });
    });
    await ticket().getByLabel('Notional').fill('4');
    await ticket().getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
    await desk.place();
    await desk.card().getByText('No orders were placed').waitFor();
    expect(await ada.positions()).to.deep.equal([]);
  });

  it('looks for an order whose answer was lost, and never sends it again', async () => {
    desk.expectAnswers('0 /trade/open', '0 /executions/by-key');
    let sent = 0;
    let isFound = false;
    await page.route('**/trade/open', async (route) => {
      if (route.request().postDataJSON().dryRun === true) return route.continue();
      sent += 1;
      // The gateway takes it, and nobody hears.
      const headers = {
        authorization: `Bearer ${ada.accessToken}`,
        'x-trade-account-id': ada.accountId,
        'idempotency-key': route.request().headers()['idempotency-key'] ?? '',
      };
      await desk.gateway.request('POST', '/trade/open', { headers, body: route.request().postDataJSON() });
      await route.abort();
    });
    await page.route('**/executions/by-key*', (route) => (isFound ? route.continue() : route.abort()));
    await desk.goTo(PAIR_LINK);
    await desk.place();
    await desk.cardSays('Unknown: checking');
    // Nothing invites to send it a second time.
    expect(await page.getByRole('button', { name: 'Use these values again' }).count()).to.equal(0);
    await expectAccessible(page, 'unknown');
    // The outcome is shown even if the ticket is below the chart.
    await page.setViewportSize({ width: 400, height: 800 });
    const strip = page.locator('div', { has: page.getByRole('button', { name: 'Show it' }) }).last();
    // Until its user turns the wheel the card is kept in view.
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, -1);
    await untilPage(page, 'the page is at its top, where the strip says it', async () => {
      await page.mouse.wheel(0, -20_000);
      const top = await page.evaluate('document.querySelector("#main").scrollTop');
      return top === 0 && (await strip.getByText('Unknown: checking').isVisible());
    });
    await page.getByRole('button', { name: 'Show it' }).click();
    await untilPage(page, 'its card is in view', async () => {
      const box = await desk.card().boundingBox();
      return box !== null && box.y >= 0 && box.y < 700;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
    // The page may be reloaded meanwhile: it goes on looking.
    await page.reload();
    await desk.cardSays('Unknown: checking');
    isFound = true;
    await desk.cardSays('Filled');
    expect(sent).to.equal(1);
    expect(await desk.rows('/executions', 'executions')).to.have.length(1);
  });

  it('shows where the chart will be while its candles are on their way', async () => {
    const release = await holdAnswers(page, CANDLES);
    await desk.goTo(PAIR_LINK);
    await page.locator('[role=status] [class*=bar]').first().waitFor();
    await expectAccessible(page, 'loading');
    release();
    await desk.chart().waitFor();
  });

  it('says what went wrong with a request id to copy, and tries again when asked', async () => {
    desk.expectAnswers('409 /candles', '409 /candles/basket', '409 /trade/open');
    await refuseAnswers(page, CANDLES);
    await refuseAnswers(page, pathIs('/trade/open'));
    await desk.goTo(PAIR_LINK);
    await page.getByText('The account may not be read').first().waitFor();
    await page.getByText(REQUEST_ID).first().waitFor();
    await page.getByRole('button', { name: 'Copy request id' }).first().waitFor();
    await expectAccessible(page, 'error');
    await page.getByRole('button', { name: 'Try again' }).click();
    await desk.chart().waitFor();
  });

  itInFreshTab('dims what is old while the stream is lost, and is live again when it is back', async () => {
    const stream = await switchableStream(page);
    await desk.goToChart();
    await page.getByText('Live data').waitFor();
    await desk.kind('Trigger');
    await desk
      .ticket()
      .getByRole('button', { name: /^Now \d/ })
      .press('Enter');
    const sheet = await desk.review();
    const place = sheet.getByRole('button', { name: 'Set trigger' });
    expect(await place.isDisabled()).to.equal(false);
    await stream.cut();
    await firstSeen(page.getByText(/^Stale \d+ s$/));
    await page.locator('.stale').first().waitFor();
    const onwards = ticket().getByRole('button', { name: 'Review' });
    const nothing = 'No live data: nothing can be sent now.';
    // A review that was open when live data stopped is refused like the ticket.
    await sheet.getByText(nothing).waitFor();
    expect(await place.isDisabled()).to.equal(true);
    await sheet.getByRole('button', { name: 'Back' }).click();
    await sheet.waitFor({ state: 'detached' });
    await ticket().getByText(nothing).waitFor();
    // A line that is let go moves the level, and opens no review of what cannot be sent.
    const level = ticket().getByLabel('Level');
    const before = await level.inputValue();
    const line = page.getByRole('slider', { name: /^Move Trigger/ });
    await line.press('ArrowUp');
    await line.press('Enter');
    await untilPage(page, 'the level follows', async () => (await level.inputValue()) !== before);
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await onwards.isDisabled()).to.equal(true);
    await expectAccessible(page, 'stale');
    stream.mend();
    await page.getByText('Live data').waitFor();
    await page.locator('.stale').first().waitFor({ state: 'detached' });
    expect(await onwards.isDisabled()).to.equal(false);
  });
});
