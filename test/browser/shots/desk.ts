/** Every screen with one account that has months behind it: the pictures of `docs/screens.md`. */
import { faultScript } from '../../support/fault-script.ts';
import { usd } from '../../support/trader.ts';
import {
  anyRow,
  button,
  chartInDialog,
  dialogNamed,
  heading,
  image,
  inDialog,
  inDock,
  legs,
  radioInPage,
  reviewOf,
  row,
  text,
  ticket,
} from './proofs.ts';
import { on, rich } from './rich.ts';
import { press, type ScreenShots, type Shot, type Stage, type Step, steps } from './shot.ts';

const PAIR = '/trade?long=BTC-PERP&short=ETH-PERP';
const figure: Shot['proof'] = (page) => page.getByRole('figure', { name: /^Equity by day/ });

const chart: Step = ({ page }) => image(/^Chart of .*Entry \d/)(page).waitFor();

/** The panel under the chart, which is below the window's edge in most sizes. */
const dock: Step = ({ page }) =>
  page.getByRole('region', { name: 'This account' }).evaluate((one) => one.scrollIntoView({ block: 'end' }));

const tab =
  (name: RegExp): Step =>
  ({ page }) =>
    page.getByRole('tab', { name }).click();

const onDock = (name: string, title: RegExp, words?: RegExp): Shot =>
  on(PAIR, name, inDock(title, words), steps(chart, tab(title)), { stands: dock });

const zTrigger: Step = async ({ page }) => {
  await ticket(page).getByRole('radio', { name: 'Trigger', exact: true }).click();
  await ticket(page).getByRole('radio', { name: 'Ratio z', exact: true }).click();
  await ticket(page).getByLabel('Level').fill('-2');
  await ticket(page).getByLabel('Notional').fill('5000');
  await ticket(page).getByRole('button', { name: 'Review' }).click();
};

const opened =
  (table: string, words: string | RegExp = /./): Step =>
  ({ page }) =>
    row(
      table,
      words,
    )(page)
      .getByRole('button', { name: /^Details/ })
      .click();

/** Orders that rest: they never arrive at the venue, which is found out after some seconds. */
async function restingOrders({ gateway, bot }: Stage): Promise<void> {
  const open = await bot.call('GET', '/orders?status=PENDING,PARTIAL');
  if (open.json.orders.length > 0) return;
  const venue = gateway.gateway.paperVenue('paper');
  const lost = faultScript().at({ times: null }, { kind: 'drop_request' }).done();
  venue.setFaults(lost);
  for (const legs of [
    [usd('BTC', 'BUY', '4000'), usd('SOL', 'SELL', '4000')],
    ['LINK', 'AVAX', 'DOGE', 'LTC'].map((name) => usd(name, 'BUY', '1250.5')),
  ])
    await bot.call('POST', '/trade/open', { type: 'MARKET', legs });
  const [held] = await bot.positions();
  await bot.call('POST', `/positions/${held?.['id']}/close`, { type: 'MARKET' });
}

/** A state with orders that rest, before it is shown and before each picture. */
function resting(shot: Shot): Shot {
  return {
    ...shot,
    async show(stage) {
      await rich(stage);
      await restingOrders(stage);
      await shot.show(stage);
    },
    async stands(stage) {
      await restingOrders(stage);
      await row('Open orders')(stage.page).waitFor();
      await shot.stands?.(stage);
    },
    async clear({ gateway, bot }) {
      await bot.call('POST', '/orders/cancel-all');
      gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
    },
  };
}

export const deskShots: ScreenShots = {
  screen: 'desk',
  isRealistic: true,
  shots: [
    // First: each state is one more session.
    on('/settings', 'settings', row('Sessions')),
    on(
      '/settings',
      'settings-below',
      heading('Messages to your phone or chat'),
      ({ page }) => row('Sessions')(page).waitFor(),
      {
        // In every size: what is wide enough for one picture lies elsewhere in the next one.
        stands: ({ page }) =>
          heading('Messages to your phone or chat')(page).evaluate((one) =>
            one.scrollIntoView({ block: 'center' }),
          ),
      },
    ),
    on(PAIR, 'trade', image(/^Chart of .*Entry \d/)),
    on(PAIR, 'trade-review', reviewOf(/BTC/), steps(chart, zTrigger)),
    onDock('trade-triggers', /^Triggers/, /BTC/),
    onDock('trade-plans', /^TWAP and ladders/, /ETH|BTC/),
    onDock('trade-fills', /^Fills/, /Buy|Sell/),
    onDock('trade-positions', /^Positions/, /BTC/),
    onDock('trade-book', /^Book/, /\d/),
    resting({ ...onDock('trade-orders', /^Open orders/), proof: row('Open orders') }),
    on('/positions', 'positions', legs, opened('Open positions', 'ETH')),
    on('/positions', 'positions-reverse', inDialog('What is sent'), async ({ page }) => {
      await page.getByRole('button', { name: 'More for BTC / ETH' }).click();
      await page.getByRole('menuitem', { name: /Reverse/ }).click();
    }),
    on(({ pairId }) => `/positions/${pairId}`, 'positions-drawer', chartInDialog),
    on(
      '/positions',
      'commands',
      (page) => page.getByRole('option', { name: /ETH/ }).first(),
      async ({ page }) => {
        await row('Open positions')(page).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type('eth');
      },
    ),
    on('/orders/triggers', 'orders', row('Triggers')),
    on('/orders/executions', 'orders-executions', row('Orders of the execution'), opened('Executions')),
    on('/orders/twap', 'orders-twap', row('Slices'), opened('TWAP schedules', 'ETH')),
    on('/orders/ladders', 'orders-ladder', row('Rungs'), opened('Ladders', 'AVAX')),
    resting(on('/orders/open', 'orders-open', row('Open orders'))),
    on(
      '/history/trades',
      'history',
      (page) => page.getByRole('list', { name: 'Steps' }),
      opened('Closed trades'),
    ),
    on('/history/fills', 'history-fills', row('Fills')),
    on('/portfolio', 'portfolio', figure),
    on(
      '/portfolio',
      'portfolio-days',
      (page) => page.getByRole('table').last(),
      ({ page }) => figure(page).waitFor(),
    ),
    on('/markets/pairs', 'markets', row('Pairs')),
    on('/markets/instruments', 'markets-instruments', row('Instruments')),
    on('/markets/saved', 'markets-saved', row('Saved baskets')),
    // Computed first, which takes longer than a proof may.
    on('/screener', 'screener', row('Pairs'), ({ page }) => anyRow(page).waitFor()),
    on('/screener', 'screener-filtered', row('Pairs', /ETH/), async ({ page }) => {
      await anyRow(page).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).fill('eth');
    }),
    on('/notifications', 'notifications', anyRow),
    on(
      '/notifications',
      'notifications-outside',
      (page) => page.getByRole('dialog').getByRole('switch').first(),
      press('Desktop notifications'),
    ),
    on(({ approvalId }) => `/approvals/${approvalId}`, 'approvals', button('Deny')),
    on('/approvals', 'approvals-list', anyRow),
    on('/agents', 'agents', text('Allowed by you'), press(/^Details/)),
    on('/agents', 'agents-revoke', dialogNamed(/Revoke/), press(/^Revoke Night/)),
    on(
      '/agents',
      'agents-revoke-what-waits',
      (page) => page.getByRole('dialog').getByRole('radiogroup'),
      async ({ page }) => {
        const waiting = { triggers: 2, ladders: 1, schedules: 0, autoRebalances: 1 };
        await page.route(/\/oauth2\/grants\/[^/]+\/waiting$/, (route) => route.fulfill({ json: waiting }));
        await page.getByRole('button', { name: /^Revoke Night/ }).click();
      },
    ),
    on('/developers', 'developers', anyRow),
    on('/developers/requests', 'developers-requests', radioInPage('Python'), async ({ page }) => {
      await page.getByRole('button', { name: 'Details' }).nth(1).click();
      await page.getByRole('radio', { name: 'Python' }).click();
    }),
    on(
      '/accounts',
      'accounts',
      (page) => page.getByRole('button', { name: /^Details/, expanded: true }).first(),
      press(/^Details/),
    ),
    on('/accounts?add', 'accounts-add', dialogNamed(/Add|account/)),
  ],
};
