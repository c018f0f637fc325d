/** Trade, in every state. */
import type { Page } from 'playwright-core';
import { faultScript } from '../../support/fault-script.ts';
import { framesPass } from '../../support/page-time.ts';
import {
  card,
  dialogNamed,
  dialogWith,
  image,
  inCard,
  inDialog,
  inTicket,
  option,
  reviewOf,
  text,
  ticket,
} from './proofs.ts';
import { after, at, press, type ScreenShots, type Step, steps } from './shot.ts';
import { chartShots } from './trade-chart.ts';
import { standingShots } from './trade-standing.ts';
import {
  atChart,
  chart,
  chartInView,
  fill,
  hold,
  kind,
  PAIR_LINK,
  place,
  review,
  stopLoss,
} from './trade-steps.ts';
import { loadingState, refusedState, staleState } from './usual-states.ts';

const WIDE_LINK =
  '/trade?long=BTC-PERP&long=SOL-PERP&long=LINK-PERP&long=AVAX-PERP&short=ETH-PERP&short=XRP-PERP&short=DOGE-PERP';
/** As many legs as a basket may have. */
const TWENTY_LINK = `/trade?${'BTC SOL LINK AVAX DOGE XRP ADA LTC ETH ARB HYPE SUI BNB AAVE NEAR DOT ATOM UNI OP APT'
  .split(' ')
  .map((name, index) => `${index % 2 === 0 ? 'long' : 'short'}=${name}-PERP`)
  .join('&')}`;
/** Paths that the chart reads. */
const CHART_READS = /^\/(candles|ratio|chart)/;

const legOf = (list: string, name: string) => (page: Page) =>
  page.getByRole('list', { name: list }).getByText(name).first();
const problems = (page: Page) => ticket(page).getByRole('list', { name: 'Problems' });
const levelDialog = dialogNamed(/^Set a level at/);

const turnOn =
  (...names: readonly string[]): Step =>
  async ({ page }) => {
    for (const name of names) await page.getByRole('switch', { name }).click();
  };
const ladder = steps(kind('Ladder'), fill('First rung', '30'), fill('Last rung', '26'));
const trigger = steps(
  kind('Trigger'),
  fill('Level', '30'),
  turnOn('Take-profit'),
  fill('Gain', '5'),
  stopLoss('3'),
);

const setLevel: Step = async ({ page }) => {
  await page.getByRole('button', { name: 'Set a level' }).click();
  await levelDialog(page).waitFor();
};

/** A picture that is drawn anew may have forgotten it. */
const moveStop: Step = async ({ page }) => {
  const stop = page.getByRole('slider', { name: /^Move SL/ });
  if ((await stop.getAttribute('data-moved')) !== null) return;
  await stop.focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowDown');
  await framesPass(page, 300);
};

const guard: Step = async (stage) => {
  await hold(stage);
  const [position] = await stage.bot.positions();
  await stage.bot.call('PUT', `/positions/${position?.id}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '0.8' },
    stopLoss: { type: 'PERCENTAGE', value: '0.5' },
  });
};

const withFaults =
  (
    script: Parameters<ReturnType<typeof faultScript>['at']>[0],
    fault: Parameters<ReturnType<typeof faultScript>['at']>[1],
  ): Step =>
  async ({ gateway }) =>
    gateway.gateway.paperVenue('paper').setFaults(faultScript().at(script, fault).done());

const clear: Step = async ({ gateway, bot }) => {
  gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
  await bot.call('POST', '/orders/cancel-all');
};

export const tradeShots: ScreenShots = {
  screen: 'trade',
  shots: [
    at('/trade', 'empty', text('No basket yet'), press('Clear the basket')),
    at('/trade', 'picker', option, ({ page }) => page.getByLabel('Add a long leg').fill('b')),
    loadingState(PAIR_LINK, CHART_READS),
    refusedState(PAIR_LINK, CHART_READS),
    atChart('pair', chart),
    atChart('wide', legOf('Long legs', 'AVAX'), undefined, WIDE_LINK),
    at(TWENTY_LINK, 'twenty-legs', legOf('Short legs', 'ARB')),
    atChart('not-whole', text(/not 100 %/), ({ page }) =>
      page.getByLabel('Weight of BTC in percent').fill('33.3333'),
    ),
    atChart(
      'basket-as-text',
      (page) => page.getByRole('alert').getByText('XYZ'),
      async ({ page }) => {
        await page.getByRole('combobox', { name: 'Add a long leg' }).fill('BTC 0.5, XYZ -0.5');
        await page.getByRole('combobox', { name: 'Add a long leg' }).press('Enter');
      },
    ),
    atChart('leverage', dialogNamed('Leverage of BTC'), press(/^Leverage of BTC/)),
    atChart(
      'save-basket',
      inDialog('Needed'),
      steps(
        press('Saved'),
        ({ page }) => page.getByRole('menuitem', { name: 'Save this basket…' }).click(),
        press('Save basket'),
      ),
    ),
    atChart(
      'options',
      (page) => ticket(page).getByRole('checkbox', { name: /^Trailing/, checked: true }),
      steps(turnOn('Take-profit', 'Stop-loss', 'Auto-rebalance'), ({ page }) =>
        ticket(page)
          .getByRole('checkbox', { name: /^Trailing/ })
          .first()
          .click(),
      ),
    ),
    atChart(
      'by-risk',
      (page) => ticket(page).locator('[data-note=stopLoss]'),
      async ({ page }) => {
        await ticket(page).getByText('By risk').click();
        await ticket(page).getByLabel('Lose at most').fill('200');
        await ticket(page).getByRole('textbox', { name: 'Loss', exact: true }).fill('2');
      },
    ),
    {
      ...atChart('set-level', levelDialog),
      // At the present level, which is elsewhere in another window.
      stands: steps(({ page }) => page.keyboard.press('Escape'), setLevel),
    },
    atChart('trigger', image(/Trigger 30/), trigger),
    { ...atChart('ladder', image(/5 26/), ladder), stands: chartInView },
    atChart(
      'errors',
      inTicket('Needed'),
      steps(kind('Trigger'), fill('Notional', ''), fill('Max slippage', '11'), review),
    ),
    atChart('problems', problems, fill('Notional', '3')),
    at('/trade?long=BTC-PERP&short=NOPE-PERP', 'unknown-instrument', text(/does not have NOPE-PERP/)),
    staleState(PAIR_LINK, ({ page }) => chart(page).waitFor()),
    atChart('review', reviewOf(/BTC/), review),
    atChart('review-of-a-ladder', dialogWith('Ladder', /rungs?/i), steps(ladder, review)),
    atChart(
      'review-of-a-trigger',
      dialogWith('Review the trigger', 'Take-profit', 'Stop-loss'),
      steps(trigger, review),
    ),
    {
      // A pair of its own, so that the other states do not find it busy.
      ...after(
        withFaults({ times: null }, { kind: 'delay', delayMs: 60_000 }),
        at(
          '/trade?long=AVAX-PERP&short=LINK-PERP',
          'working',
          (page) => card(page).getByRole('status').filter({ hasText: 'Working' }),
          place,
        ),
      ),
      clear,
    },
    {
      ...after(
        withFaults(
          { symbol: 'DOGE-PERP', times: null },
          { kind: 'reject', reason: 'other', message: 'risk engine says no' },
        ),
        at(
          '/trade?long=SOL-PERP&short=DOGE-PERP',
          'partly-failed',
          inCard('SOL is held, DOGE is not'),
          place,
        ),
      ),
      clear,
    },
    after(
      async ({ page }) => {
        await page.route('**/trade/open', (route) =>
          route.request().postDataJSON().dryRun === true ? route.continue() : route.abort(),
        );
        await page.route('**/executions/by-key*', (route) => route.abort());
      },
      at(PAIR_LINK, 'unknown', inCard('Unknown: checking'), place),
    ),
    at(PAIR_LINK, 'filled', inCard('Filled'), place),
    { ...after(hold, atChart('held', image(/Entry \d/))), stands: chartInView },
    {
      ...after(
        guard,
        atChart('moved-stop', (page) =>
          page.getByRole('slider', { name: /^Move SL/ }).and(page.locator('[data-moved]')),
        ),
      ),
      stands: steps(chartInView, moveStop),
    },
    ...standingShots,
    ...chartShots,
  ],
};
