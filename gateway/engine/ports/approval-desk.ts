/** Orders under mandates that wait for a person's approval. Implemented in approvals; the risk check uses it. */
import type { JsonValue } from '../../domain/canonical-json.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import type { ApprovalReason, MandateHolder, MandateKind } from '../../domain/mandate.ts';
import type { Side, TradeAccount } from '../../domain/model.ts';
import type { IdempotencyRecord, UnitOfWork } from './unit-of-work.ts';

/** A request as its caller sent it, so that it can be made again when a person has approved it. */
export interface AskedRequest {
  /** `METHOD path-pattern`, e.g. `POST /trade/open`. */
  readonly route: string;
  /** Path parameters, validated; null: the route has none. */
  readonly params: unknown;
  /** Validated body. */
  readonly body: unknown;
  /** Caller's own reason for the request; left out or null: it gave none. */
  readonly says?: string | null;
  /** Its `Idempotency-Key`, under which the answer is stored; null: none. */
  readonly idempotency: Pick<IdempotencyRecord, 'userId' | 'route' | 'key' | 'requestHash'> | null;
  /** The person's approval; null: the request has not been approved. */
  readonly approved: ApprovedRequest | null;
}

/**
 * Comes with a request that is made again after a person's approval. The risk check then skips only the question
 * whether a person has to approve: every limit applies as it is now.
 */
export interface ApprovedRequest {
  readonly approvalId: string;
  /** Worst price that was shown, by instrument: no order is sent at a worse one. */
  readonly worstPrices: ReadonlyMap<string, DecimalString>;
  /**
   * True: the request needs no more than was shown, on the shown terms. The size of some requests depends on the
   * current holdings (a reversal, a share of a position, a rebalance), which may have changed since.
   */
  readonly fits: (now: AskedFor) => boolean;
  /** Time of its placement, epoch ms. */
  readonly at: number;
  /**
   * Rows committed with the object that the request makes, so that an approval is used once. A conflict in these rows
   * refuses the whole unit.
   * @param made id of the execution, or of the trigger, ladder, schedule or rebalance
   */
  readonly alongside: (made: string) => UnitOfWork;
}

/** Request at a certain time. */
export interface AskedFor {
  readonly legs: readonly PlannedLeg[];
  /** Protection that would be lost, in words. */
  readonly loosens: readonly string[];
  /** Terms of the waiting order that it changes, before the change; null: it changes none. */
  readonly changes: JsonValue;
}

export interface PlannedLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Base units at current marks; null: it is sized later, or the instrument has no price. */
  readonly quantity: DecimalString | null;
  /** Mark price; null: unknown. */
  readonly mark: DecimalString | null;
  /** Worst price that the slippage allows; null: no mark is known. */
  readonly worstPrice: DecimalString | null;
  /** Worst-price notional in USD. */
  readonly worstUsd: DecimalString;
  /** Taker fee on `worstUsd`, USD. */
  readonly feeUsd: DecimalString;
  /** True: the leg reduces the holdings, and counts against no limit. */
  readonly reduces: boolean;
}

export interface ApprovalRequest {
  readonly holder: MandateHolder;
  readonly userId: string;
  readonly account: TradeAccount;
  readonly mandateVersion: number;
  readonly kind: MandateKind;
  readonly request: AskedRequest;
  readonly asked: AskedFor;
  readonly reasons: readonly ApprovalReason[];
  /** Worst-price notional of the whole plan, USD. */
  readonly reserveUsd: DecimalString;
  /** Effect on the limits meanwhile. `opensPosition`: it opens one; `rests`: it makes a trigger, ladder or schedule. */
  readonly opensPosition: boolean;
  readonly rests: boolean;
  /** Terms from the mandate. */
  readonly lifeSeconds: number;
  readonly driftBps: number;
  readonly passwordAboveUsd: DecimalString | null;
}

/** Request that no person has answered. The notional that it would open counts as reserved. */
export interface WaitingApproval {
  readonly id: string;
  readonly reserveUsd: DecimalString;
  readonly opensPosition: boolean;
  readonly rests: boolean;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Answer to the caller of a request that a person has to approve. */
export interface DeskAnswer {
  /** VALIDATION_ERROR: the `Idempotency-Key` belongs to another request that waits, or waited. */
  readonly code:
    | 'RESOURCE_BUSY'
    | 'AGENT_LIMIT'
    | 'DATABASE_ERROR'
    | 'NOT_IMPLEMENTED_ERROR'
    | 'VALIDATION_ERROR';
  readonly message: string;
  readonly details:
    | readonly { readonly path: string; readonly message: string; readonly code: string }[]
    | Readonly<Record<string, unknown>>;
}

export interface ApprovalDesk {
  /**
   * Answer to an earlier equal request (account, route, parameters and body; with an `Idempotency-Key` the same key)
   * that is pending, was denied, or is over. null: the request has to be judged. Called before judging, so that a
   * repeated request is not counted twice. From memory.
   */
  known(holder: MandateHolder, account: TradeAccount, request: AskedRequest): DeskAnswer | null;
  /**
   * Adds a pending request. It counts in `waiting` from the call on, before anything is awaited, unless its commit
   * fails. Resolves once on disk: RESOURCE_BUSY, `details {reason: 'APPROVAL', approvalId, expiresAt}`; or
   * RESOURCE_BUSY, `details {reason: 'APPROVALS_FULL'}` if too many are pending; DATABASE_ERROR.
   */
  ask(request: ApprovalRequest): Promise<DeskAnswer>;
  /** Pending requests of the holder, from memory. */
  waiting(holder: MandateHolder): readonly WaitingApproval[];
}

/** Approval queue of a gateway without approvals: refuses requests that need one. */
export const NO_APPROVALS: ApprovalDesk = {
  known: () => null,
  ask: async () => ({
    code: 'NOT_IMPLEMENTED_ERROR',
    message: 'Nobody can be asked on this gateway',
    details: {},
  }),
  waiting: () => [],
};
