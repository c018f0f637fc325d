/** Past events and pending orders of an account, in one row shape. */
import { z } from 'zod';
import { accountNamed } from '../accounts.ts';
import type { Answer } from '../ask.ts';
import { type AccountOut, accountInput, accountOut, nullableText } from '../fields.ts';
import { OUTCOMES, type Outcome } from '../outcome.ts';
import { ofApproval, ofExecution, ofLadder, ofSchedule, ofTrigger } from '../outcomes-of.ts';
import { followersIn, ofReversal, opensOpposite } from '../reversal-outcome.ts';
import { type ToolContext, tool } from '../tool.ts';

const MOST = 50;

const activity = z.object({
  id: z.string(),
  kind: z.enum(['execution', 'fill', 'trigger', 'schedule', 'ladder', 'approval']),
  at: z.string().describe('When it was made; an approval: until when it waits. ISO 8601'),
  outcome: z.enum(OUTCOMES).nullable().describe('null: a fill'),
  what: z.string(),
  placed_by: nullableText.describe('you, another agent, the user; null: a fill'),
});
type Row = z.input<typeof activity>;

export const listActivity = tool({
  name: 'list_activity',
  title: 'Activity',
  description:
    'What was done on an account (executions, fills) waits on it (resting: triggers, schedules, ladders), or waits for the user because you asked for it (approvals), newest first, at most 50 rows. get_status tells all about one of them.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  input: z
    .object({
      account: accountInput,
      kind: z
        .enum(['executions', 'fills', 'resting', 'approvals'])
        .describe('"executions", "fills", "resting" or "approvals"'),
      since: z.iso
        .datetime({ offset: true })
        .optional()
        .describe('Only what is newer, ISO 8601, for example "2026-01-31T12:00:00Z"'),
      limit: z.int().min(1).max(MOST).default(20).describe('Rows, 1 to 50'),
    })
    .strict(),
  output: z.object({ account: accountOut, rows: z.array(activity) }),
  async run(context, { account: id, kind, since, limit }) {
    const account = await accountNamed(context.ask, id);
    const from = since === undefined ? 0 : Date.parse(since);
    const rows = (await READ[kind](context, account, limit))
      .filter(({ at }) => Date.parse(at) >= from)
      .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
      .slice(0, limit);
    const lines = [
      `${rows.length} row(s) of ${kind} on account ${account.id}, ${account.venue}: ${account.money}.`,
      ...rows.map(
        ({ id: rowId, kind: rowKind, at, outcome, what }) =>
          `- ${at} ${rowKind} ${rowId}: ${outcome === null ? '' : `${outcome}, `}${what}`,
      ),
    ];
    return { data: { account, rows }, text: lines.join('\n') };
  },
});

type Context = Pick<ToolContext, 'ask' | 'waitingApprovals' | 'principal'>;
type Read = (context: Context, account: AccountOut, limit: number) => Promise<readonly Row[]>;

function rowOf(outcome: Outcome, kind: Row['kind'], at: string): Row {
  return {
    id: outcome.id ?? '',
    kind,
    at,
    outcome: outcome.outcome,
    what: outcome.reason === null ? outcome.asked : `${outcome.asked} (${outcome.reason})`,
    placed_by: outcome.placed_by,
  };
}

const READ: Readonly<Record<'executions' | 'fills' | 'resting' | 'approvals', Read>> = {
  async executions({ ask }, account, limit) {
    const { executions } = await ask('GET /executions', {
      account: account.id,
      query: { limit: String(limit), includeSchedule: 'true', includeTriggers: 'true' },
    });
    return executions.map((execution) => {
      // The executions that follow a close are newer, so that they are in the list if the close is.
      const outcome = opensOpposite(execution)
        ? ofReversal(execution, account, { ...followersIn(executions, execution), opposite: null })
        : ofExecution(execution, account, null);
      return rowOf(outcome, 'execution', execution.createdAt);
    });
  },
  async fills({ ask }, account, limit) {
    const { fills } = await ask('GET /fills', { account: account.id, query: { limit: String(limit) } });
    return fills.map(fillRow);
  },
  async approvals({ ask, waitingApprovals, principal }, account) {
    const asked = await Promise.all(
      waitingApprovals(principal).map((id) => ask('GET /approvals/mine/:id', { params: { id } })),
    );
    return asked
      .filter(({ tradeAccountId }) => tradeAccountId === account.id)
      .map((approval) => rowOf(ofApproval(approval, account), 'approval', approval.expiresAt));
  },
  async resting({ ask }, account, limit) {
    const query = { limit: String(limit) };
    const [triggers, schedules, ladders] = await Promise.all([
      ask('GET /triggers', { account: account.id, query: { ...query, status: 'ACTIVE,PAUSED,TRIGGERED' } }),
      ask('GET /schedules', { account: account.id, query: { ...query, status: 'ACTIVE,PAUSED' } }),
      ask('GET /ladders', { account: account.id, query }),
    ]);
    return [
      ...triggers.triggers.map((row) => rowOf(ofTrigger(row, account, null), 'trigger', row.createdAt)),
      ...schedules.schedules.map((row) => rowOf(ofSchedule(row, account), 'schedule', row.createdAt)),
      ...ladders.ladders
        .filter(({ status }) => status === 'ACTIVE')
        .map((row) => rowOf(ofLadder(row, account), 'ladder', row.createdAt)),
    ];
  },
};

function fillRow({
  id,
  side,
  quantity,
  symbol,
  price,
  fee,
  realizedPnl,
  timestamp,
  cause,
}: Answer<'GET /fills'>['fills'][number]): Row {
  return {
    id,
    kind: 'fill',
    at: timestamp,
    outcome: null,
    what: `${side} ${quantity} ${symbol} at ${price} USD, fee ${fee} USD, realised ${realizedPnl} USD before fees${cause === 'TRADE' ? '' : ` (${cause})`}`,
    placed_by: null,
  };
}
