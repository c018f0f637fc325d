/** Orders, in every state; usual ones of each kind: `desk`. */
import { systemClock } from '../../../gateway/system/clock.ts';
import { PAIR, usd } from '../../support/trader.ts';
import { dialog, dialogNamed, inDialog, row, text } from './proofs.ts';
import { on, rich } from './rich.ts';
import { after, at, press, type ScreenShots, type Shot, type Step, steps } from './shot.ts';
import { usualStates } from './usual-states.ts';

const TABS = [
  ['executions', 'No executions yet'],
  ['triggers', 'No triggers'],
  ['twap', 'No TWAP schedules'],
  ['ladders', 'No ladders'],
  ['alerts', 'No alerts'],
  ['open', 'No open orders'],
] as const;

/** Long names and figures, an order that was cancelled, an alert that waits and one that has told. */
const makeUnusual: Step = async (stage) => {
  const { bot } = stage;
  if ((await bot.call('GET', '/alerts')).json.alerts.length > 0) return;
  await rich(stage);
  const condition = { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '5' };
  const cancelled = await bot.call('POST', '/triggers/open', { legs: PAIR, condition });
  await bot.call('POST', `/triggers/${cancelled.json.id}/cancel`);
  await bot.call('POST', '/triggers/open', {
    legs: ['BTC', 'SOL', 'LINK', 'AVAX'].map((name) => usd(name, 'BUY', '250.5')),
    condition: { type: 'CROSS_ASSET_PRICE', direction: 'MORE_THAN', value: '987654.321', symbol: 'ETH-PERP' },
    expiresAt: new Date(systemClock.now() + 90 * 3_600_000).toISOString(),
  });
  await bot.call('POST', '/alerts', {
    legs: PAIR.map(({ symbol, side }) => ({ symbol, side })),
    condition: { ...condition, value: '3', direction: 'MORE_THAN', transform: 'Z_SCORE', lookback: 720 },
  });
  await bot.call('POST', '/alerts', {
    condition: { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'ETH-PERP' },
    allowImmediate: true,
  });
};

const full = (tab: string, name: string, proof: Shot['proof'], then?: Step): Shot =>
  after(makeUnusual, on(`/orders/${tab}`, name, proof, then));

const changeGain =
  (value: string): Step =>
  async ({ page }) => {
    await page
      .getByRole('button', { name: /^Change trigger BTC \/ ETH/ })
      .first()
      .click();
    await dialog(page).getByLabel('Gain').fill(value);
  };

export const ordersShots: ScreenShots = {
  screen: 'orders',
  shots: [
    ...TABS.map(([tab, empty]) => at(`/orders/${tab}`, `${tab}-empty`, text(empty))),
    full('triggers', 'triggers', row('Triggers')),
    full(
      'triggers',
      'change-trigger',
      inDialog('Needed'),
      steps(changeGain(''), ({ page }) => dialog(page).getByRole('button', { name: 'Save' }).click()),
    ),
    full('triggers', 'change-trigger-typed', inDialog(/^The position's own/), changeGain('4')),
    full('triggers', 'cancel-all', dialogNamed(/Cancel/), ({ page }) =>
      page.getByRole('button', { name: 'Cancel all', exact: true }).click(),
    ),
    full('alerts', 'alerts', row('Alerts')),
    full('alerts', 'alert-change', dialogNamed('Change alert'), press(/^Change alert/)),
    full('ladders', 'change-rung', dialogNamed(/rung/i), async ({ page }) => {
      await row('Ladders')(page).getByRole('button', { name: 'Details' }).click();
      await page.getByRole('button', { name: 'Change rung 2' }).click();
    }),
    ...usualStates({
      screen: '/orders/executions',
      reads: '/executions',
      shown: ({ page }) => row('Executions')(page).waitFor(),
    }),
  ],
};
