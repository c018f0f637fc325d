/** Finds the route that cancels an object, and its outcome. */
import { accountOut, accountsOf } from './accounts.ts';
import { Refused } from './ask.ts';
import type { AccountOut } from './fields.ts';
import type { Outcome } from './outcome.ts';
import { heldOf, type Position } from './outcomes-of.ts';
import { detailOf } from './say.ts';
import { statusOf } from './status.ts';
import type { ToolContext } from './tool.ts';

export interface CancelledRow {
  readonly id: string;
  readonly cancelled: boolean;
  readonly what: string;
  /** Former terms in words, and the position's holdings and protection now. Left out: it concerns no position. */
  readonly was?: string;
  readonly position_now?: string;
}

/** A row, and whether the object had ended by itself before: then there was nothing to cancel. */
export interface Cancelling {
  readonly row: CancelledRow;
  readonly hadEnded: boolean;
}

export async function cancelOne(context: ToolContext, id: string): Promise<Cancelling> {
  const before = await statusOf(context, id);
  if (before === null || before.account === null || before.id === null) {
    const what = 'nothing that you can see has this id, or nothing was ordered under it';
    return { row: { id, cancelled: false, what }, hadEnded: false };
  }
  try {
    await ask(context, before.account, before);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isOver = error.refusal.code === 'NOOP_ERROR';
    const what = isOver
      ? `it had ended already: ${before.outcome}`
      : isAsked(error)
        ? `NOT CANCELLED YET: it waits for your user. ${error.refusal.message}`
        : `NOT CANCELLED: ${error.refusal.message}`;
    const row = await rowOf(context, id, before, { cancelled: isOver, what });
    return { row, hadEnded: isOver && before.outcome !== 'CANCELLED' };
  }
  const after = (await statusOf(context, id)) ?? before;
  const told = { cancelled: after.outcome === 'CANCELLED', what: whatBecame(after) };
  return { row: await rowOf(context, id, before, told), hadEnded: false };
}

/** Keeps orders that protect or reduce, unless they are named. */
export async function keptOne(context: ToolContext, id: string): Promise<CancelledRow> {
  const before = await statusOf(context, id);
  const what = 'KEPT: it protects or reduces a position. Call cancel with its id in ids to end it';
  return rowOf(context, id, before, { cancelled: false, what });
}

function isAsked({ refusal }: Refused): boolean {
  return detailOf(refusal.details, 'reason') === 'APPROVAL';
}

async function rowOf(
  context: ToolContext,
  id: string,
  before: Outcome | null,
  told: Pick<CancelledRow, 'cancelled' | 'what'>,
): Promise<CancelledRow> {
  const { account = null, position_id: positionId = null, asked = '' } = before ?? {};
  const now =
    account === null || positionId === null ? null : await positionNow(context, account, positionId);
  return { id, ...told, ...(now === null ? {} : { was: asked, position_now: now }) };
}

/** null: the position cannot be read. */
async function positionNow(context: ToolContext, account: AccountOut, id: string): Promise<string | null> {
  try {
    const position = await context.ask('GET /positions/:id', { account: account.id, params: { id } });
    if (position.status === 'CLOSED') return 'The position is closed.';
    const held = (heldOf(position) ?? []).map(
      ({ side, quantity_base, instrument }) =>
        `${side === 'BUY' ? 'long' : 'short'} ${quantity_base} ${instrument}`,
    );
    const { stopLoss, takeProfit } = position;
    return `Held: ${held.join(', ')}. ${protectedBy('stop-loss', stopLoss)}, ${protectedBy('take-profit', takeProfit)}.`;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

function protectedBy(name: string, bracket: Position['stopLoss']): string {
  return bracket === null ? `NO ${name}` : `${name} at ${bracket.type} ${bracket.value} (${bracket.status})`;
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
export interface Mine {
  /** Orders that open, and alerts. */
  readonly opening: readonly string[];
  /** Protects or reduces a position. */
  readonly protecting: readonly string[];
}

export async function idsOfMine(context: ToolContext): Promise<Mine> {
  const { ask: query } = context;
  const opening: string[] = [];
  const protecting: string[] = [];
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
      ...triggers.triggers
        .filter((row) => !rungs(row))
        .map(({ kind, ...row }) => ({ ...row, reduces: kind === 'CLOSE' })),
      ...alerts.alerts.map((row) => ({ ...row, reduces: false })),
      ...schedules.schedules.map(({ kind, reduceOnly, ...row }) => {
        return { ...row, reduces: kind === 'CLOSE' || reduceOnly };
      }),
      ...ladders.ladders
        .filter(({ status }) => status === 'ACTIVE')
        .map((row) => ({ ...row, reduces: false })),
      ...executions.executions.map(({ intent, ...row }) => {
        return { ...row, reduces: intent === 'CLOSE' || intent === 'REDUCE' };
      }),
    ];
    for (const { id, authority, reduces } of all)
      if (isMine(context, authority)) (reduces ? protecting : opening).push(id);
  }
  return { opening, protecting };
}

/** A grant is `you` to itself; a key is known by its label, and `you` is its user. */
function isMine(
  { principal, describe }: Pick<ToolContext, 'principal' | 'describe'>,
  { kind, name }: { readonly kind: string; readonly name: string },
): boolean {
  if (kind !== principal.kind) return false;
  return name === (kind === 'oauth_grant' ? 'you' : describe(principal).agent);
}
