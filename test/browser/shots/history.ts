/** History, in every state; a usual day of each view: `desk`. */
import type { Page } from 'playwright-core';
import { PAID_ON } from '../../../gateway/domain/portfolio.ts';
import { systemClock } from '../../../gateway/system/clock.ts';
import { PAIR, usd } from '../../support/trader.ts';
import { chooseColumns } from './column-list.ts';
import { column, row, text } from './proofs.ts';
import { after, at, type ScreenShots, type Shot, type Step } from './shot.ts';
import { loadingState, refusedState, staleState } from './usual-states.ts';

const VIEWS = [
  ['trades', 'No closed trades yet', '/positions/closed'],
  ['fills', 'No fills yet', '/fills'],
  ['funding', 'No funding yet', '/funding/payments'],
] as const;
const TRADES = '/history/trades';
const HOUR_MS = 3_600_000;

const tradeSome: Step = async ({ bot }) => {
  if ((await bot.call('GET', '/positions/closed')).json.positions.length > 0) return;
  for (const legs of [
    PAIR,
    [usd('SOL', 'SELL', '300')],
    [usd('LINK', 'BUY', '25000'), usd('DOGE', 'SELL', '9000')],
  ]) {
    await bot.open(legs);
    const [position] = await bot.positions();
    const { json } = await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    await bot.ended(json.execution.id);
  }
};

const traded = (...shot: Parameters<typeof at>): Shot => after(tradeSome, at(...shot));

async function exported(page: Page): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  await download.delete();
  await page.getByText('3 rows written').last().waitFor();
}

/** Hours of funding on the last closed trade, one of them on what is in no basket. */
const payFunding: Step = async ({ gateway, bot }) => {
  const [{ id }] = (await bot.call('GET', '/positions/closed?limit=1')).json.positions;
  const hour = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  const amounts = ['-1.2508', '0.5', '-12.125', '2.75', '0.0004', '0.00001', '-118.6'];
  // Amount and rate together say the side: LINK is held long, DOGE short.
  const rateOf = (nth: number) => (nth % 2 === 1 ? '0.0000125' : nth === 4 ? '-0.0001' : '0.0001');
  await gateway.seed({
    funding: amounts.map((amount, nth) => ({
      id: `row-${nth}`,
      venueId: `paid-${nth}`,
      tradeAccountId: bot.accountId,
      positionId: nth === 3 ? PAID_ON.OUTSIDE : id,
      amount,
      symbol: nth % 2 === 0 ? 'LINK-PERP' : 'DOGE-PERP',
      rate: rateOf(nth),
      timestamp: hour - Math.floor(nth / 2) * HOUR_MS,
    })),
  });
};

export const historyShots: ScreenShots = {
  screen: 'history',
  shots: [
    ...VIEWS.flatMap(([view, empty, reads]) => [
      at(`/history/${view}`, `${view}-empty`, text(empty)),
      loadingState(`/history/${view}`, reads, `${view}-loading`),
      refusedState(`/history/${view}`, reads, `${view}-error`),
    ]),
    after(
      tradeSome,
      after(payFunding, at('/history/funding', 'funding', row('Funding payments', /LINK|DOGE/))),
    ),
    at('/history/funding', 'funding-days', text('No funding on these days'), ({ page }) =>
      page.getByLabel('To', { exact: true }).fill('2020-01-01'),
    ),
    traded(TRADES, 'trades-chosen', column('Fees'), async ({ page }) => {
      await chooseColumns(page, 'Closed trades', ['Fees', 'Held']);
      await page.keyboard.press('Escape');
    }),
    traded('/history/fills', 'no-span', text('The first day is after the last'), async ({ page }) => {
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await page.getByLabel('From', { exact: true }).fill('2020-02-01');
    }),
    traded(TRADES, 'exported', text('3 rows written'), ({ page }) => exported(page), {
      // The word of it goes after some seconds.
      stands: async ({ page }) => {
        if (!(await page.getByText('3 rows written').isVisible())) await exported(page);
      },
    }),
    after(
      tradeSome,
      staleState(TRADES, ({ page }) => row('Closed trades')(page).waitFor()),
    ),
  ],
};
