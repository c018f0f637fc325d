/** Effects of a fault script's actions, batch by batch. Without a script there are none. */
import type { OrderOutcome, PlaceOrder } from '../../../engine/ports/venue.ts';
import type { AddressedEvent } from '../accounts/account-streams.ts';
import type { OrderDirective } from '../exchange/exchange.ts';
import type { BatchFaults, FaultAction } from './faults.ts';
import { unansweredOrder } from './refused-answers.ts';

export type EventFault = (events: readonly AddressedEvent[]) => readonly AddressedEvent[];

/** Longest time that the script's actions of `kind` ask for, ms. */
export function longestOf(
  script: BatchFaults | null,
  kind: 'delay' | 'down' | 'disconnect_stream' | 'late_history' | 'silent_account',
): number {
  let longest = 0;
  for (const action of script?.flat() ?? []) {
    if (action.kind !== kind) continue;
    longest = Math.max(longest, action.kind === 'delay' ? action.delayMs : action.forMs);
  }
  return longest;
}

/** Both scripts' actions for one batch. */
export function bothOf(first: BatchFaults | null, second: BatchFaults | null): BatchFaults | null {
  if (first === null || second === null) return first ?? second;
  return first.map((actions, leg) => [...actions, ...(second[leg] ?? [])]);
}

export function neverArrives(script: BatchFaults | null, leg: number): boolean {
  return has(script, leg, 'drop_request');
}

/** Outcomes of a batch, without the answers that the script loses. */
export function withLostAnswers(
  script: BatchFaults | null,
  orders: readonly PlaceOrder[],
  outcomes: readonly OrderOutcome[],
): readonly OrderOutcome[] {
  return outcomes.map((outcome, leg) => {
    const order = orders[leg];
    return order !== undefined && has(script, leg, 'drop_answer') ? unansweredOrder(order) : outcome;
  });
}

export function directiveOf(script: BatchFaults | null, leg: number): OrderDirective | undefined {
  if (script === null) return undefined;
  let directive: OrderDirective = {};
  for (const action of script[leg] ?? []) {
    if (action.kind === 'reject') {
      directive = { ...directive, reject: { reason: action.reason, message: action.message } };
    } else if (action.kind === 'fill') {
      directive = { ...directive, fillFraction: action.fraction };
    } else if (action.kind === 'fill_at_mark') {
      directive = { ...directive, fillAtMark: true };
    }
  }
  return directive;
}

export function eventFaultsOf(
  script: BatchFaults | null,
  orders: readonly PlaceOrder[],
): readonly EventFault[] {
  if (script === null) return [];
  const faults: EventFault[] = [];
  const doubled = new Set(
    orders.filter((_, leg) => has(script, leg, 'duplicate_fill')).map(({ clientOrderId }) => clientOrderId),
  );
  if (doubled.size > 0) {
    faults.push((events) =>
      events.flatMap((addressed) => {
        const { event } = addressed;
        return event.kind === 'fill' && doubled.has(event.fill.clientOrderId ?? '')
          ? [addressed, addressed]
          : [addressed];
      }),
    );
  }
  if (orders.some((_, leg) => has(script, leg, 'reorder_stream')))
    faults.push((events) => events.toReversed());
  return faults;
}

function has(script: BatchFaults | null, leg: number, kind: FaultAction['kind']): boolean {
  return script?.[leg]?.some((action) => action.kind === kind) ?? false;
}
