/** Trade, in every state. */
import type { Page } from 'playwright-core';
import { holdAnswers, pathIs, refuseAnswers, switchableStream } from '../../support/dashboard-states.ts';
import { faultScript } from '../../support/fault-script.ts';
import { framesPass } from '../../support/page-time.ts';
import { PAIR } from '../../support/trader.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { chartShots } from './trade-chart.ts';
import { chartInView, standingShots } from './trade-standing.ts';

const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';
const WIDE_LINK =
  '/trade?long=BTC-PERP&long=SOL-PERP&long=LINK-PERP&long=AVAX-PERP&short=ETH-PERP&short=XRP-PERP&short=DOGE-PERP';
/** As many legs as a basket may have. */
const TWENTY = 'BTC SOL LINK AVAX DOGE XRP ADA LTC ETH ARB HYPE SUI BNB AAVE NEAR DOT ATOM UNI OP APT'.split(
  ' ',
);

const ticket = (page: Page) => page.getByRole('form', { name: 'Ticket' });
const chart = (page: Page) => page.getByRole('img', { name: /^Chart of/ });
const kind = (page: Page, name: string) => ticket(page).getByRole('radio', { name, exact: true }).click();
const card = (page: Page) => page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();

const condition = (page: Page) => ticket(page).getByRole('combobox', { name: 'Condition' });

async function setLevel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set a level' }).click();
  await page.getByRole('dialog', { name: /^Set a level at/ }).waitFor();
}

async function review(page: Page): Promise<void> {
  await ticket(page).getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').waitFor();
}

async function place(page: Page): Promise<void> {
  await review(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Place order' }).click();
}

const onPair =
  (then: (page: Page) => Promise<unknown>) =>
  async ({ page, goTo }: Stage) => {
    await goTo(PAIR_LINK);
    await chart(page).waitFor();
    await then(page);
  };

async function ladder(page: Page): Promise<void> {
  await kind(page, 'Ladder');
  await ticket(page).getByLabel('First rung').fill('30');
  await ticket(page).getByLabel('Last rung').fill('26');
  await page.getByRole('img', { name: /5 26/ }).waitFor();
}

async function trigger(page: Page): Promise<void> {
  await kind(page, 'Trigger');
  await ticket(page).getByLabel('Level').fill('30');
  for (const name of ['Take-profit', 'Stop-loss']) await page.getByRole('switch', { name }).click();
  await ticket(page).getByLabel('Gain').fill('5');
  await ticket(page).getByRole('textbox', { name: 'Loss' }).fill('3');
  await page.getByRole('img', { name: /Trigger 30/ }).waitFor();
}

/** A picture that is drawn anew may have forgotten it. */
async function moveStop(page: Page): Promise<void> {
  const stop = page.getByRole('slider', { name: /^Move SL/ });
  if ((await stop.getAttribute('data-moved')) !== null) return;
  await stop.focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowDown');
  await framesPass(page, 300);
}

export const tradeShots: ScreenShots = {
  screen: 'trade',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/trade');
        await page.getByRole('button', { name: 'Clear the basket' }).click();
        await page.getByText('No basket yet').waitFor();
      },
    },
    {
      name: 'picker',
      async show({ page, goTo }) {
        await goTo('/trade');
        await page.getByLabel('Add a long leg').fill('b');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'loading',
      async show({ page, goTo }) {
        await holdAnswers(page, (url) => /^\/(candles|ratio|chart)/.test(url.pathname));
        await goTo(PAIR_LINK);
        await page.getByRole('list', { name: 'Long legs' }).waitFor();
        await page.locator('[role=status] [class*=bar]').first().waitFor();
      },
    },
    {
      name: 'error',
      async show({ page, goTo }) {
        await refuseAnswers(page, (url) => /^\/(candles|ratio|chart)/.test(url.pathname));
        await refuseAnswers(page, pathIs('/trade/open'));
        await goTo(PAIR_LINK);
        await page.getByText('The account may not be read').first().waitFor();
      },
      stands: ({ page }) => page.getByText('The account may not be read').first().scrollIntoViewIfNeeded(),
    },
    { name: 'pair', show: onPair(async () => undefined) },
    {
      name: 'wide',
      async show({ page, goTo }) {
        await goTo(WIDE_LINK);
        await chart(page).waitFor();
      },
    },
    {
      name: 'twenty-legs',
      async show({ page, goTo }) {
        const legs = TWENTY.map((name, index) => `${index % 2 === 0 ? 'long' : 'short'}=${name}-PERP`);
        await goTo(`/trade?${legs.join('&')}`);
        await page.getByRole('list', { name: 'Long legs' }).waitFor();
      },
    },
    {
      name: 'not-whole',
      show: onPair(async (page) => {
        await page.getByLabel('Weight of BTC in percent').fill('33.3333');
        await page
          .getByText(/not 100 %/)
          .first()
          .waitFor();
      }),
    },
    {
      name: 'basket-as-text',
      show: onPair(async (page) => {
        await page.getByRole('combobox', { name: 'Add a long leg' }).fill('BTC 0.5, XYZ -0.5');
        await page.getByRole('combobox', { name: 'Add a long leg' }).press('Enter');
        await page.getByRole('alert').getByText('XYZ').waitFor();
      }),
    },
    {
      name: 'leverage',
      show: onPair(async (page) => {
        await page.getByRole('button', { name: /^Leverage of BTC/ }).click();
        await page.getByRole('dialog', { name: 'Leverage of BTC' }).waitFor();
      }),
    },
    {
      name: 'saved-menu',
      show: onPair(async (page) => {
        await page.getByRole('button', { name: 'Saved' }).click();
        await page.getByRole('menu').waitFor();
      }),
    },
    {
      name: 'save-basket',
      show: onPair(async (page) => {
        await page.getByRole('button', { name: 'Saved' }).click();
        await page.getByRole('menuitem', { name: 'Save this basket…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save basket' }).click();
        await page.getByRole('dialog').getByText('Needed').waitFor();
      }),
    },
    {
      name: 'options',
      show: onPair(async (page) => {
        for (const name of ['Take-profit', 'Stop-loss', 'Auto-rebalance'])
          await page.getByRole('switch', { name }).click();
        await ticket(page)
          .getByRole('checkbox', { name: /^Trailing/ })
          .first()
          .click();
      }),
    },
    {
      name: 'by-risk',
      show: onPair(async (page) => {
        await ticket(page).getByText('By risk').click();
        await ticket(page).getByLabel('Lose at most').fill('200');
        await ticket(page).getByRole('textbox', { name: 'Loss', exact: true }).fill('2');
      }),
      stands: ({ page }) => ticket(page).locator('[data-note=stopLoss]').scrollIntoViewIfNeeded(),
    },
    {
      name: 'lower-pane',
      show: onPair(async (page) => {
        await page.getByRole('combobox', { name: 'Below the candles' }).click();
        await page.getByRole('option', { name: 'With spread z' }).click();
        await framesPass(page, 1_000);
      }),
      stands: chartInView,
    },
    {
      name: 'set-level',
      show: onPair(setLevel),
      // At the present level, which is elsewhere in another window.
      async stands({ page }) {
        await page.keyboard.press('Escape');
        await setLevel(page);
      },
    },
    { name: 'trigger', show: onPair(trigger) },
    {
      name: 'twap',
      show: onPair(async (page) => {
        await kind(page, 'TWAP');
        await ticket(page).getByLabel('Duration').fill('10');
        await ticket(page).getByText('10 slices').waitFor();
      }),
    },
    { name: 'ladder', show: onPair(ladder), stands: chartInView },
    {
      name: 'select',
      show: onPair(async (page) => {
        await kind(page, 'Trigger');
        await condition(page).waitFor();
      }),
      // An open list stays where its field was.
      async stands({ page }) {
        await page.keyboard.press('Escape');
        await condition(page).scrollIntoViewIfNeeded();
        await condition(page).click();
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'errors',
      show: onPair(async (page) => {
        await kind(page, 'Trigger');
        await ticket(page).getByLabel('Notional').fill('');
        await ticket(page).getByLabel('Max slippage').fill('11');
        await ticket(page).getByRole('button', { name: 'Review' }).click();
        await ticket(page).getByText('Needed').first().waitFor();
      }),
    },
    {
      name: 'problems',
      show: onPair(async (page) => {
        await ticket(page).getByLabel('Notional').fill('3');
        await ticket(page).getByRole('list', { name: 'Problems' }).waitFor();
      }),
    },
    {
      name: 'z-score',
      show: onPair(async (page) => {
        await page.getByRole('tab', { name: 'Spread z' }).click();
        await page.getByRole('img', { name: /^Spread z of/ }).waitFor();
      }),
    },
    {
      name: 'spread',
      show: onPair(async (page) => {
        await page.getByRole('tab', { name: 'Spread %' }).click();
        await page.getByRole('img', { name: /^Spread of/ }).waitFor();
      }),
    },
    {
      name: 'unknown-instrument',
      async show({ page, goTo }) {
        await goTo('/trade?long=BTC-PERP&short=NOPE-PERP');
        await page.getByText(/does not have NOPE-PERP/).waitFor();
      },
    },
    {
      name: 'stale',
      async show({ page, goTo }) {
        const stream = await switchableStream(page);
        await goTo(PAIR_LINK);
        await chart(page).waitFor();
        await stream.cut();
        await page
          .getByText(/^Stale \d+ s$/)
          .first()
          .waitFor({ timeout: 20_000 });
      },
    },
    {
      name: 'review',
      show: onPair(async (page) => {
        await review(page);
        await page.getByRole('dialog').getByRole('row', { name: /BTC/ }).waitFor();
      }),
    },
    {
      name: 'review-of-a-ladder',
      show: onPair(async (page) => {
        await ladder(page);
        await review(page);
      }),
    },
    {
      name: 'review-of-a-trigger',
      show: onPair(async (page) => {
        await trigger(page);
        await review(page);
      }),
    },
    {
      name: 'working',
      async show({ gateway, page, goTo }) {
        gateway.gateway
          .paperVenue('paper')
          .setFaults(faultScript().at({ times: null }, { kind: 'delay', delayMs: 60_000 }).done());
        // A pair of its own, so that the other states do not find it busy.
        await goTo('/trade?long=AVAX-PERP&short=LINK-PERP');
        await place(page);
        await card(page).getByRole('status').filter({ hasText: 'Working' }).waitFor();
      },
      async clear({ gateway, bot }) {
        gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
        await bot.call('POST', '/orders/cancel-all');
      },
    },
    {
      name: 'partly-failed',
      async show({ gateway, page, goTo }) {
        const reject = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
        const script = faultScript().at({ symbol: 'DOGE-PERP', times: null }, reject).done();
        gateway.gateway.paperVenue('paper').setFaults(script);
        await goTo('/trade?long=SOL-PERP&short=DOGE-PERP');
        await place(page);
        await card(page).getByText('SOL is held, DOGE is not').waitFor();
      },
      async clear({ gateway }) {
        gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
      },
    },
    {
      name: 'unknown',
      async show({ page, goTo }) {
        await page.route('**/trade/open', (route) =>
          route.request().postDataJSON().dryRun === true ? route.continue() : route.abort(),
        );
        await page.route('**/executions/by-key*', (route) => route.abort());
        await goTo(PAIR_LINK);
        await place(page);
        await card(page).getByText('Unknown: checking', { exact: true }).waitFor();
      },
    },
    {
      name: 'filled',
      async show({ page, goTo }) {
        await goTo(PAIR_LINK);
        await place(page);
        await card(page).getByText('Filled', { exact: true }).waitFor();
        await ticket(page).getByText('Adjusts your position').waitFor();
      },
    },
    {
      name: 'held',
      async show({ bot, page, goTo }) {
        if ((await bot.positions()).length === 0) await bot.open(PAIR);
        await goTo(PAIR_LINK);
        await page.getByRole('img', { name: /Entry \d/ }).waitFor();
      },
      stands: chartInView,
    },
    {
      name: 'moved-stop',
      async show({ bot, page, goTo }) {
        const [position] = await bot.positions();
        const { positionId } = position === undefined ? await bot.open(PAIR) : { positionId: position.id };
        await bot.call('PUT', `/positions/${positionId}/brackets`, {
          takeProfit: { type: 'PERCENTAGE', value: '0.8' },
          stopLoss: { type: 'PERCENTAGE', value: '0.5' },
        });
        await goTo(PAIR_LINK);
        await chart(page).waitFor();
        await moveStop(page);
      },
      async stands(stage) {
        await chartInView(stage);
        await moveStop(stage.page);
      },
    },
    ...standingShots,
    ...chartShots,
  ],
};
