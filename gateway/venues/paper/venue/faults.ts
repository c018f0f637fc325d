/**
 * Fault scripts, for tests only: which faults happen, and when. A script is plain JSON, so it can be handed to a
 * gateway under test or sent over the socket of a venue in its own process. Batches and orders count from when the
 * script is set.
 */
import type { PlaceOrder, RejectionReason } from '../../../engine/ports/venue.ts';

export interface FaultMatch {
  /** 1 = the first batch since the script was set. */
  readonly batch?: number;
  /** 1 = the first order since the script was set, over all batches. */
  readonly order?: number;
  /** 0 = the first order of a batch. */
  readonly leg?: number;
  readonly symbol?: string;
  /** How often the rule applies: once by default; null: without limit. */
  readonly times?: number | null;
}

export type FaultAction =
  | { readonly kind: 'reject'; readonly reason: RejectionReason; readonly message: string }
  /** Decimal fraction of the quantity that may fill; the rest is cancelled. */
  | { readonly kind: 'fill'; readonly fraction: string }
  /** The whole quantity fills at the mark price, beside the book. */
  | { readonly kind: 'fill_at_mark' }
  /** Delay on top of the profile's latency; the largest delay of a batch counts. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** The order executes, and is answered `unknown`. */
  | { readonly kind: 'drop_answer' }
  /** The order never arrives: answered `unknown`, not executed. */
  | { readonly kind: 'drop_request' }
  /** The stream sends each fill of the order twice. */
  | { readonly kind: 'duplicate_fill' }
  /** The stream sends the events of the order's batch in reverse order. */
  | { readonly kind: 'reorder_stream' }
  /** Cuts the account streams before the batch's events; events during the cut are only in the history. */
  | { readonly kind: 'disconnect_stream'; readonly forMs: number }
  /** For `forMs` nothing is told of the account: no event, no lookup, no history. */
  | { readonly kind: 'silent_account'; readonly forMs: number }
  /** The history leaves out the batch and all later items for `forMs`; lookups show them. */
  | { readonly kind: 'late_history'; readonly forMs: number }
  /** The venue goes down as the batch arrives: no order of the batch executes. */
  | { readonly kind: 'down'; readonly forMs: number }
  /** Lookups by client order id do not answer. Matched by `times` alone. */
  | { readonly kind: 'lookup_unknown' };

export interface FaultRule {
  readonly match: FaultMatch;
  readonly action: FaultAction;
}

export interface FaultScript {
  readonly rules: readonly FaultRule[];
}

/** Fault actions that hit one batch, one list per order. */
export type BatchFaults = readonly (readonly FaultAction[])[];

/** Runs a fault script: counts batches and orders, and uses rules up. */
export class FaultDesk {
  private script: { readonly rule: FaultRule; left: number }[] = [];
  private batches = 0;
  private orders = 0;

  set(script: FaultScript): void {
    this.script = script.rules.map((rule) => ({
      rule,
      left: rule.match.times === null ? Number.POSITIVE_INFINITY : (rule.match.times ?? 1),
    }));
    this.batches = 0;
    this.orders = 0;
  }

  /** Faults of a batch; null: no script is set, the usual case, which costs nothing. */
  batch(orders: readonly PlaceOrder[]): BatchFaults | null {
    if (this.script.length === 0) return null;
    this.batches += 1;
    return orders.map((order, leg) => {
      this.orders += 1;
      return this.use(
        ({ match, action }) =>
          action.kind !== 'lookup_unknown' &&
          (match.batch === undefined || match.batch === this.batches) &&
          (match.order === undefined || match.order === this.orders) &&
          (match.leg === undefined || match.leg === leg) &&
          (match.symbol === undefined || match.symbol === order.symbol),
      );
    });
  }

  lookupFails(): boolean {
    return this.use(({ action }) => action.kind === 'lookup_unknown').length > 0;
  }

  private use(matches: (rule: FaultRule) => boolean): readonly FaultAction[] {
    const actions: FaultAction[] = [];
    for (const entry of this.script) {
      if (entry.left > 0 && matches(entry.rule)) {
        entry.left -= 1;
        actions.push(entry.rule.action);
      }
    }
    return actions;
  }
}
