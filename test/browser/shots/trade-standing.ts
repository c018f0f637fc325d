/** Trade with a position: brackets that trail, orders that add to it, a basket against it. Its dock: `desk`. */
import { systemClock } from '../../../gateway/system/clock.ts';
import { dialogNamed, dialogWith, image, inDialog, inDock, inTicket, text, ticket } from './proofs.ts';
import { after, at, press, type Shot, type Step, steps } from './shot.ts';
import { atChart, chartInView, fill, hold, kind, PAIR_LINK, review, stopLoss } from './trade-steps.ts';

const HOUR_MS = 3_600_000;
const problems: Shot['proof'] = (page) => ticket(page).getByRole('list', { name: 'Problems' });

/** Near enough that both are on the scale. */
const trail: Step = async (stage) => {
  await hold(stage);
  const [position] = await stage.bot.positions();
  await stage.bot.call('PUT', `/positions/${position?.id}/brackets`, {
    takeProfit: { type: 'PERCENTAGE', value: '0.6' },
    stopLoss: { type: 'PERCENTAGE', value: '0.6', trailing: { delta: '0.4' } },
  });
};

const onHeld = (name: string, proof: Shot['proof'], then: Step = async () => undefined): Shot =>
  after(
    trail,
    at(PAIR_LINK, name, proof, async (stage) => {
      await image(/Entry \d/)(stage.page).waitFor();
      await then(stage);
    }),
  );

const setAlert: Step = ({ bot }) =>
  bot.call('POST', '/alerts', {
    condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' },
    expiresAt: new Date(systemClock.now() + 90 * HOUR_MS).toISOString(),
  });

/** Thirty days of rates, as a gateway that runs all the time has recorded them. */
const seedRates: Step = async ({ gateway }) => {
  const hour = Math.floor(systemClock.now() / HOUR_MS) * HOUR_MS;
  await gateway.seed({
    fundingRates: Array.from({ length: 720 }, (_, ago) => ({
      connector: 'paper',
      hour: hour - ago * HOUR_MS,
      rates: {
        'BTC-PERP': [(0.000015 + 0.00002 * Math.sin(ago / 50)).toFixed(10), 1],
        'ETH-PERP': [(0.0000125 + 0.000015 * Math.sin(ago / 23)).toFixed(10), 1],
      },
    })),
  });
};

const add = steps(fill('Notional', '2500'), stopLoss('0.5'));
const opposite = text(/You hold/);

export const standingShots: readonly Shot[] = [
  after(seedRates, atChart('funding-history', inDialog('720 of 720'), press('Funding APR, its history'))),
  { ...onHeld('trailing', image(/SL/)), stands: chartInView },
  onHeld('cancel-on-line', dialogNamed(/SL|Stop|Cancel/), press(/^Cancel SL/)),
  onHeld('adds', inTicket('Liquidation after'), add),
  onHeld('review-of-an-add', dialogWith('BTC', /Adjust|after/), steps(add, review)),
  onHeld('short-of-margin', problems, fill('Notional', '9000000')),
  at('/trade?long=ETH-PERP&short=BTC-PERP', 'opposite', opposite),
  onHeld(
    'review-of-a-twap',
    dialogWith('TWAP', /slices/),
    steps(kind('TWAP'), fill('Notional', '2500'), fill('Duration', '10'), review),
  ),
  after(
    setAlert,
    atChart('dock-alerts', inDock(/^Alerts/, /BTC/), ({ page }) =>
      page.getByRole('tab', { name: /^Alerts/ }).click(),
    ),
  ),
  after(
    ({ bot }) => {
      const order = { symbol: 'ETH-PERP', side: 'BUY', quantity: '0.1' };
      return bot.call('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
    },
    atChart('past-tandem', inTicket(/traded outside Tandem/)),
  ),
  {
    ...after(({ bot }) => bot.call('POST', '/safety/pause'), atChart('paused', inTicket(/paused/))),
    clear: ({ bot }) => bot.call('POST', '/safety/resume'),
  },
];
