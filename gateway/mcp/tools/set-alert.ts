/** Sets an alert: its user is notified once, and nothing is ordered. */
import { z } from 'zod';
import { accountNamed } from '../accounts.ts';
import { alertLine, alertOut, alertRow, byToolFields } from '../alerts.ts';
import { accountInput, accountOut, instrumentInput, plainAmount } from '../fields.ts';
import { oneForEach } from '../preview-basket-legs.ts';
import { tool } from '../tool.ts';
import { alertFields, watchOf } from '../trade-fields.ts';

const names = (what: string) => z.array(instrumentInput).max(20).default([]).describe(what);

const input = z
  .object({
    account: accountInput,
    long: names('Of a ratio: its long instruments, for example ["BTC-PERP"]'),
    short: names('Of a ratio: its short instruments, for example ["ETH-PERP"]'),
    weights: z
      .array(plainAmount('Share of the basket', '0.5'))
      .max(20)
      .optional()
      .describe('WEIGHTED_RATIO: a share for each instrument, long then short; they sum to exactly 1'),
    ...alertFields,
  })
  .strict();

export const setAlert = tool({
  name: 'set_alert',
  title: 'Set an alert',
  description:
    'Tells the user once, by a notification, when a condition of the market is met. Orders nothing and uses nothing of your limits. At most 50 of yours wait on an account, and 100 are set within 24 hours. Each call sets another one: list_alerts when an answer was lost. wait_for tells you when it was told.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  trades: true,
  input,
  output: z.object({ account: accountOut, alert: alertOut }),
  async run({ ask }, asked) {
    const account = await accountNamed(ask, asked.account);
    const instruments = [...asked.long, ...asked.short];
    const shares = asked.weights === undefined ? [] : oneForEach(instruments, asked.weights);
    const legs = instruments.map((symbol, place) => {
      const side = place < asked.long.length ? ('BUY' as const) : ('SELL' as const);
      const weight = shares[place];
      return { symbol, side, ...(weight === undefined ? {} : { weight }) };
    });
    const body = { legs, ...watchOf(asked) } as never;
    const alert = alertRow(await byToolFields(ask('POST /alerts', { account: account.id, body })));
    const lines = [
      'ALERT SET: the user is told once. Nothing is ordered. Money moved: no.',
      `Account ${account.id} on ${account.venue}: ${account.money}.`,
      alertLine(alert),
      'Next: Nothing needs to be done. change_alert moves it, cancel ends it.',
    ];
    return { data: { account, alert }, text: lines.join('\n') };
  },
});
