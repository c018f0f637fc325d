/** Alerts of an account. */
import { z } from 'zod';
import { accountNamed } from '../accounts.ts';
import { alertLine, alertOut, alertRow } from '../alerts.ts';
import { accountInput, accountOut } from '../fields.ts';
import { tool } from '../tool.ts';

const MOST = 50;
const STATUSES = { waiting: 'ACTIVE,PAUSED', ended: 'COMPLETED,CANCELLED,EXPIRED', all: undefined } as const;

export const listAlerts = tool({
  name: 'list_alerts',
  title: 'Alerts',
  description:
    'Alerts of an account, newest first: conditions of the market that its user is told of. They order nothing. At most 50.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z
    .object({
      account: accountInput,
      status: z
        .enum(['waiting', 'ended', 'all'])
        .default('waiting')
        .describe('"waiting", "ended" (told, cancelled, expired) or "all"'),
    })
    .strict(),
  output: z.object({
    account: accountOut,
    alerts: z.array(alertOut),
    more: z.boolean().describe('true: there are older ones'),
  }),
  async run({ ask }, { account: id, status }) {
    const account = await accountNamed(ask, id);
    const { alerts, nextCursor } = await ask('GET /alerts', {
      account: account.id,
      query: { limit: String(MOST), status: STATUSES[status] },
    });
    const rows = alerts.map(alertRow);
    const more = nextCursor !== undefined;
    const lines = [
      `${rows.length} alert(s)${status === 'all' ? '' : ` that ${status === 'waiting' ? 'wait' : 'have ended'}`} on account ${account.id}, ${account.venue}: ${account.money}. They order nothing.`,
      ...rows.map(alertLine),
      ...(more ? ['There are older ones.'] : []),
    ];
    return { data: { account, alerts: rows, more }, text: lines.join('\n') };
  },
});
