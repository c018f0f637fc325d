/** Moves the level or the expiry of an alert that waits. */
import { z } from 'zod';
import { accountOfAlert, alertLine, alertOut, alertRow, byToolFields } from '../alerts.ts';
import { accountOut, uuidInput } from '../fields.ts';
import { tool } from '../tool.ts';
import { given, whenFields } from '../trade-fields.ts';

export const changeAlert = tool({
  name: 'change_alert',
  title: 'Change an alert',
  description:
    'Moves the level or the expiry of an alert that waits; what is left out stays. Orders nothing. One that the user placed is changed only where your limits let you manage what others placed.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  trades: true,
  input: z
    .object({
      id: uuidInput('Id of an alert: list_alerts'),
      when_value: whenFields.when_value.describe('The new level, as a text, for example "20"'),
      when_expires_at: z
        .union([z.literal('never'), z.iso.datetime({ offset: true })])
        .optional()
        .describe('The new expiry, ISO 8601, or "never"'),
      allow_immediate: z
        .boolean()
        .optional()
        .describe('true: a level that is passed already is told of at once; else it is refused'),
    })
    .strict(),
  output: z.object({ account: accountOut, alert: alertOut }),
  async run({ ask }, { id: asked, when_value: value, when_expires_at: expires, allow_immediate }) {
    const id = asked.toLowerCase();
    const account = await accountOfAlert(ask, id);
    const body = given({
      condition: value === undefined ? undefined : { value },
      expiresAt: expires === 'never' ? null : expires,
      allowImmediate: allow_immediate,
    });
    const changed = ask('PATCH /alerts/:id', { account: account.id, params: { id }, body });
    const alert = alertRow(await byToolFields(changed));
    const lines = [
      'ALERT CHANGED. Nothing is ordered. Money moved: no.',
      `Account ${account.id} on ${account.venue}: ${account.money}.`,
      alertLine(alert),
    ];
    return { data: { account, alert }, text: lines.join('\n') };
  },
});
