/** Which route cancels what, and what became of it. */
import { accountOut, accountsOf } from './accounts.ts';
import { Refused } from './ask.ts';
import type { AccountOut } from './fields.ts';
import type { Outcome } from './outcome.ts';
import { statusOf } from './status.ts';
import type { ToolContext } from './tool.ts';

export interface CancelledRow {
  readonly id: string;
  readonly cancelled: boolean;
  readonly what: string;
}

/** A row, and whether it had ended by itself before: then it does nothing more either, and was not cancelled. */
export interface Cancelling {
  readonly row: CancelledRow;
  readonly hadEnded: boolean;
}

export async function cancelOne(context: ToolContext, id: string): Promise<Cancelling> {
  const before = await statusOf(context, id);
  if (before === null || before.account === null || before.id === null)
    return told(id, false, 'nothing that you can see has this id, or nothing was ordered under it');
  try {
    await ask(context, before.account, before);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isOver = error.refusal.code === 'NOOP_ERROR';
    const what = isOver
      ? `it had ended already: ${before.outcome}`
      : `NOT CANCELLED: ${error.refusal.message}`;
    return { ...told(id, isOver, what), hadEnded: isOver && before.outcome !== 'CANCELLED' };
  }
  const after = (await statusOf(context, id)) ?? before;
  return told(id, after.outcome === 'CANCELLED', whatBecame(after));
}

function told(id: string, cancelled: boolean, what: string): Cancelling {
  return { row: { id, cancelled, what }, hadEnded: false };
}

function whatBecame({ outcome, money_moved: moved }: Outcome): string {
  if (outcome === 'CANCELLED' && moved === 'yes') return 'cancelled; a part had been traded before and stays';
  return outcome === 'CANCELLED' ? 'cancelled, nothing was traded' : `now ${outcome}`;
}

async function ask(context: ToolContext, account: AccountOut, { kind, id }: Outcome): Promise<void> {
  const params = { id: id ?? '' };
  const at = { account: account.id };
  switch (kind) {
    case 'trigger':
      await context.ask('POST /triggers/:id/cancel', { ...at, params });
      return;
    case 'alert':
      await context.ask('POST /alerts/:id/cancel', { ...at, params });
      return;
    case 'schedule':
      await context.ask('POST /schedules/:id/cancel', { ...at, params });
      return;
    case 'ladder':
      await context.ask('POST /ladders/:ladderId/cancel', { ...at, params: { ladderId: params.id } });
      return;
    case 'order':
      await context.ask('POST /orders/:id/cancel', { ...at, params });
      return;
    case 'approval':
      await context.ask('DELETE /approvals/mine/:id', { params });
      return;
    case 'execution':
      return cancelExecution(context, account, params.id);
    default:
      throw notCancellable(kind);
  }
}

/** An execution is cancelled by its open orders. */
async function cancelExecution(context: ToolContext, account: AccountOut, id: string): Promise<void> {
  const { execution } = await context.ask('GET /executions/:id', { account: account.id, params: { id } });
  const open = execution.orders.filter(({ status }) => status === 'PENDING' || status === 'PARTIAL');
  const refusals: Refused[] = [];
  for (const order of open) {
    try {
      await context.ask('POST /orders/:id/cancel', { account: account.id, params: { id: order.id } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals.push(error);
    }
  }
  const [first = noop()] = refusals;
  if (refusals.length === open.length) throw first;
}

function noop(): Refused {
  return new Refused({ ok: false, status: 409, code: 'NOOP_ERROR', message: 'It has ended', details: {} });
}

function notCancellable(kind: Outcome['kind']): Refused {
  const message =
    kind === 'position'
      ? 'a position is closed with preview_change, not cancelled'
      : `a ${kind} cannot be cancelled`;
  return new Refused({ ok: false, status: 400, code: 'VALIDATION_ERROR', message, details: {} });
}

/** Everything of the caller that waits, on all accounts that it reaches. */
export async function idsOfMine(context: ToolContext): Promise<readonly string[]> {
  const { ask: query } = context;
  const found: string[] = [];
  const page = { limit: '2000' };
  for (const { id: account } of (await accountsOf(query)).map(accountOut)) {
    const [triggers, alerts, schedules, ladders, executions] = await Promise.all([
      query('GET /triggers', { account, query: { ...page, status: 'ACTIVE,PAUSED' } }),
      query('GET /alerts', { account, query: { ...page, status: 'ACTIVE,PAUSED' } }),
      query('GET /schedules', { account, query: { ...page, status: 'ACTIVE,PAUSED' } }),
      query('GET /ladders', { account, query: page }),
      query('GET /executions', { account, query: { ...page, status: 'ACTIVE' } }),
    ]);
    const rungs = (row: { readonly ladderId: string | null }) => row.ladderId !== null;
    const all = [
      ...triggers.triggers.filter((row) => !rungs(row)),
      ...alerts.alerts,
      ...schedules.schedules,
      ...ladders.ladders.filter(({ status }) => status === 'ACTIVE'),
      ...executions.executions,
    ];
    found.push(...all.filter(({ authority }) => isMine(context, authority)).map(({ id }) => id));
  }
  return found;
}

/** A grant is `you` to itself; a key is known by its label, and `you` is its user. */
function isMine(
  { principal, describe }: Pick<ToolContext, 'principal' | 'describe'>,
  { kind, name }: { readonly kind: string; readonly name: string },
): boolean {
  if (kind !== principal.kind) return false;
  return name === (kind === 'oauth_grant' ? 'you' : describe(principal).agent);
}
