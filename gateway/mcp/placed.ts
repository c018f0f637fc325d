/**
 * Finds the order placed under a preview. The preview's id is part of the idempotency key. The record committed with
 * the order is found by that key, for a day and across restarts. The key names the grant too: no other one finds it.
 */

import type { Principal } from '../domain/model.ts';
import type { RouteLabel } from './ask.ts';
import { callerKey } from './caller-key.ts';
import type { AccountOut } from './fields.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { type Asking, READERS, type ReadKind } from './readers.ts';

export function placingKey(principal: Principal, previewId: string): string {
  return `mcp:${callerKey(principal)}:${previewId}`;
}

/** Routes that a preview can lead to. */
export const PLACING_ROUTES = [
  'POST /trade/open',
  'POST /triggers/open',
  'POST /schedules',
  'POST /ladders',
  'POST /positions/:id/close',
  'POST /positions/:id/adjust',
  'POST /positions/:id/reverse',
  'POST /positions/:id/rebalance',
  'POST /positions/:id/margin',
  'PUT /positions/:id/brackets',
  'PUT /positions/:id/auto-rebalance',
] as const satisfies readonly RouteLabel[];

/** null: nothing was placed under it. */
export async function placedUnder(
  context: Asking,
  accounts: readonly AccountOut[],
  previewId: string,
): Promise<Outcome | null> {
  const key = placingKey(context.principal, previewId);
  for (const route of PLACING_ROUTES) {
    const record = await context.kept(context.principal, route, key);
    if (record === null) continue;
    if (record.status === 0) return unknownOutcome(previewId);
    return outcomeOfAnswer(context, accounts, route, JSON.parse(record.answer));
  }
  return null;
}

/** Claimed by an act that must not be done twice and has no answer: the process ended in between. */
function unknownOutcome(previewId: string): Outcome {
  return outcomeOf({
    outcome: 'UNKNOWN',
    money_moved: 'not_known',
    kind: 'preview',
    id: previewId,
    reason: 'The gateway ended before the venue had answered',
  });
}

interface Made {
  readonly kind: ReadKind;
  readonly id: string;
}

function madeBy(route: string, answer: Readonly<Record<string, unknown>>): Made | null {
  const { execution, id } = answer as {
    readonly execution?: { readonly id?: unknown };
    readonly id?: unknown;
  };
  if (typeof execution?.id === 'string') return { kind: 'execution', id: execution.id };
  if (typeof id !== 'string') return null;
  if (route === 'POST /ladders') return { kind: 'ladder', id };
  if (route === 'POST /schedules' || 'slices' in answer) return { kind: 'schedule', id };
  return route === 'PUT /positions/:id/auto-rebalance' ? null : { kind: 'trigger', id };
}

/** Present outcome of a placing route's answer. */
export async function outcomeOfAnswer(
  context: Asking,
  accounts: readonly AccountOut[],
  route: string,
  answer: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const made = madeBy(route, answer);
  for (const account of made === null ? [] : accounts) {
    const outcome = made === null ? null : await READERS[made.kind](context, account, made.id);
    if (outcome !== null) return outcome;
  }
  return changed(route, answer);
}

/** Changes that are no order: protection, margin, standing weights. */
function changed(route: string, answer: Readonly<Record<string, unknown>>): Outcome {
  const positionId = typeof answer['positionId'] === 'string' ? answer['positionId'] : null;
  const isMargin = route === 'POST /positions/:id/margin';
  return outcomeOf({
    outcome: isMargin ? 'FILLED' : 'RESTING',
    money_moved: isMargin ? 'yes' : 'no',
    kind: 'change',
    id: positionId,
    asked: isMargin ? 'a change of margin' : 'a change of what watches the position',
    position_id: positionId,
    next: 'list_positions shows the position with it.',
  });
}
