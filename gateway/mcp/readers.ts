/** Readers of each kind of thing, as outcomes. */
import { ofAlert } from './alerts.ts';
import { Refused } from './ask.ts';
import type { AccountOut } from './fields.ts';
import type { Outcome } from './outcome.ts';
import {
  type Execution,
  ofApproval,
  ofExecution,
  ofLadder,
  ofOrder,
  ofPosition,
  ofSchedule,
  ofTrigger,
  type Position,
} from './outcomes-of.ts';
import { type AfterClose, hasEnded, isClosedAgain, ofReversal, opensOpposite } from './reversal-outcome.ts';
import type { ToolContext } from './tool.ts';

export type Asking = Pick<ToolContext, 'ask' | 'previews' | 'kept' | 'principal' | 'clock'>;

/** null if the route finds no such object. */
async function found<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && (error.refusal.status === 404 || error.refusal.status === 400))
      return null;
    throw error;
  }
}

type Reader = (context: Asking, account: AccountOut, id: string) => Promise<Outcome | null>;

export type ReadKind =
  | 'approval'
  | 'execution'
  | 'trigger'
  | 'alert'
  | 'schedule'
  | 'ladder'
  | 'position'
  | 'order';

export const READERS: Readonly<Record<ReadKind, Reader>> = {
  execution: async ({ ask }, account, id) => {
    const answer = await found(ask('GET /executions/:id', { account: account.id, params: { id } }));
    if (answer === null) return null;
    const { execution } = answer;
    if (opensOpposite(execution)) {
      return ofReversal(execution, account, await afterClose({ ask }, account, execution));
    }
    const position = hasEnded(execution) ? await positionOf({ ask }, account, execution.positionId) : null;
    return ofExecution(execution, account, position);
  },
  trigger: async (context, account, id) => {
    const trigger = await found(context.ask('GET /triggers/:id', { account: account.id, params: { id } }));
    if (trigger === null) return null;
    const { executionId } = trigger;
    const led = executionId === null ? null : await READERS.execution(context, account, executionId);
    return ofTrigger(trigger, account, led);
  },
  alert: async ({ ask }, account, id) => {
    const alert = await found(ask('GET /alerts/:id', { account: account.id, params: { id } }));
    return alert === null ? null : ofAlert(alert, account);
  },
  schedule: async ({ ask }, account, id) => {
    const schedule = await found(ask('GET /schedules/:id', { account: account.id, params: { id } }));
    return schedule === null ? null : ofSchedule(schedule, account);
  },
  ladder: async ({ ask }, account, ladderId) => {
    const ladder = await found(ask('GET /ladders/:ladderId', { account: account.id, params: { ladderId } }));
    return ladder === null ? null : ofLadder(ladder, account);
  },
  position: async ({ ask }, account, id) => {
    const position = await found(ask('GET /positions/:id', { account: account.id, params: { id } }));
    return position === null ? null : ofPosition(position, account);
  },
  approval: async (context, account, id) => {
    const approval = await found(context.ask('GET /approvals/mine/:id', { params: { id } }));
    if (approval === null || approval.tradeAccountId !== account.id) return null;
    return (await madeOf(context, account, approval.madeId)) ?? ofApproval(approval, account);
  },
  order: async ({ ask }, account, id) => {
    const order = await found(ask('GET /orders/:id', { account: account.id, params: { id } }));
    return order === null ? null : ofOrder(order, account);
  },
};

async function positionOf(
  { ask }: Pick<Asking, 'ask'>,
  account: AccountOut,
  id: string | null,
): Promise<Position | null> {
  if (id === null) return null;
  return found(ask('GET /positions/:id', { account: account.id, params: { id } }));
}

async function afterClose(
  { ask }: Pick<Asking, 'ask'>,
  account: AccountOut,
  closing: Execution,
): Promise<AfterClose> {
  const opening = await childOf({ ask }, account, closing);
  if (opening === null || !hasEnded(opening)) return { opening, unwinding: null, opposite: null };
  const unwinding = isClosedAgain(opening) ? await childOf({ ask }, account, opening) : null;
  return { opening, unwinding, opposite: await positionOf({ ask }, account, opening.positionId) };
}

/** The execution that follows an ended one. It is committed with the end, so that no older one has to be read. */
async function childOf(
  { ask }: Pick<Asking, 'ask'>,
  account: AccountOut,
  { id, finishedAt }: Execution,
): Promise<Execution | null> {
  let cursor: string | undefined;
  do {
    const query = { limit: '100', includeSchedule: 'true', includeTriggers: 'true', cursor };
    const { executions, nextCursor } = await ask('GET /executions', { account: account.id, query });
    const child = executions.find(({ parentId }) => parentId === id);
    if (child !== undefined) return child;
    const last = executions.at(-1);
    const isPast = last === undefined || (finishedAt !== null && last.createdAt < finishedAt);
    cursor = isPast ? undefined : (nextCursor ?? undefined);
  } while (cursor !== undefined);
  return null;
}

/** Finds the order that an approved request created. */
async function madeOf(context: Asking, account: AccountOut, id: string | null): Promise<Outcome | null> {
  if (id === null) return null;
  for (const kind of MADE) {
    const outcome = await READERS[kind](context, account, id);
    if (outcome !== null) return outcome;
  }
  return null;
}

const MADE = ['execution', 'trigger', 'schedule', 'ladder'] as const;
