/** Identity and rights of the caller. */
import { z } from 'zod';
import { accountsOf, accountOut as toAccount } from '../accounts.ts';
import { accountOut } from '../fields.ts';
import { limitsOf, limitsOut } from '../limits.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const whoami = tool({
  name: 'whoami',
  title: 'Who am I',
  description:
    'Your name, your user, your accounts, whether their money is real, whether you may trade, your limits with what is used of them, and whether trading is paused. Call it first.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.object({}).strict(),
  output: z.object({
    agent: z.string().describe('Your name on the consent page'),
    user: z.string(),
    may_trade: z.boolean(),
    paused: z.boolean().describe('true: nothing opens on any account; only the user can resume'),
    accounts: z.array(accountOut.extend({ status: z.string() })),
    limits: limitsOut,
    to_get_more: z.string().describe('What your user can do to let you do more'),
  }),
  async run(context) {
    const { ask, principal, mayTrade } = context;
    const [rows, safety, limits] = await Promise.all([
      accountsOf(ask),
      ask('GET /safety'),
      limitsOf(context),
    ]);
    const { agent, user } = context.describe(principal);
    const accounts = rows.map((row) => ({ ...toAccount(row), status: row.status }));
    const more = mayTrade
      ? 'Your user can change what you may do on the dashboard, under Agents.'
      : 'You may look and not trade. To let you trade, your user disconnects this agent on the dashboard, connects it again and ticks trading on the consent page.';
    const among = limits.rows.find(({ name }) => name === 'accounts')?.allowed ?? null;
    const isTraded = ({ id }: (typeof accounts)[number]) =>
      mayTrade && (among === null || among.includes(id));
    const traded = accounts.filter(isTraded).length;
    const all = `${accounts.length} account(s)`;
    const on = mayTrade && traded < accounts.length ? `${traded} of ${all}` : all;
    const lines = [
      `You are ${mayTrade ? 'allowed to trade' : 'READ ONLY'} on ${on}${safety.paused ? '; TRADING IS PAUSED by the user' : ''}.`,
      ...accounts.map((account) => {
        const { id, venue, money, status } = account;
        return `- account ${id} on ${venue}: ${money}, ${status}${mayTrade && !isTraded(account) ? ', not yours to trade' : ''}`;
      }),
      limits.words,
      more,
    ];
    return {
      data: {
        agent: untrusted(agent, 64),
        user: untrusted(user, 64),
        may_trade: mayTrade,
        paused: safety.paused,
        accounts,
        limits,
        to_get_more: more,
      },
      text: lines.join('\n'),
    };
  },
});
