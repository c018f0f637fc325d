/** Orders of a holder of a mandate that wait for a person. Implemented in approvals; the warden asks. */
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
  /** Its `Idempotency-Key`, under which the answer is kept; null: it has none. */
  /** Why whoever asks wants it, in its own words; left out or null: it gave no reason. */
  readonly says?: string | null;
  readonly idempotency: Pick<IdempotencyRecord, 'userId' | 'route' | 'key' | 'requestHash'> | null;
  /** What a person approved; null: the request has not been approved. */
  readonly approved: ApprovedRequest | null;
}

/**
 * Given with a request that is made again because a person approved it. The warden leaves out the question whether a
 * person has to be asked, and nothing else: every limit binds as it is now.
 */
export interface ApprovedRequest {
  readonly approvalId: string;
  /** Worst price that was shown, by instrument: no order leaves at a worse one. */
  readonly worstPrices: ReadonlyMap<string, DecimalString>;
  /**
   * True: the request asks for no more than was shown, on the terms that were shown. What some requests ask for follows
   * from what is held (a reversal, a share of a position, a rebalance), which may have changed since.
   * @param loosens protection that would be lost, in words
   */
  readonly fits: (plan: readonly PlannedLeg[], loosens: readonly string[]) => boolean;
  /** Epoch ms at which it is placed. */
  readonly at: number;
  /**
   * Rows that are committed with what the request makes, so that an approval is used once. A conflict of theirs refuses
   * the whole unit.
   * @param made id of the execution, or of the trigger, ladder, schedule or rebalance
   */
  readonly alongside: (made: string) => UnitOfWork;
}

export interface PlannedLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Base units at the marks of now; null: it is sized later, or the instrument has no price. */
  readonly quantity: DecimalString | null;
  /** Mark price; null: none is known. */
  readonly mark: DecimalString | null;
  /** Worst price that the slippage allows; null: no mark is known. */
  readonly worstPrice: DecimalString | null;
  /** Worst-price notional in USD. */
  readonly worstUsd: DecimalString;
  /** Taker fee on it, USD. */
  readonly feeUsd: DecimalString;
  /** It takes out of what is held, and counts against no limit. */
  readonly reduces: boolean;
}

export interface ApprovalRequest {
  readonly holder: MandateHolder;
  readonly userId: string;
  readonly account: TradeAccount;
  readonly mandateVersion: number;
  readonly kind: MandateKind;
  readonly request: AskedRequest;
  readonly plan: readonly PlannedLeg[];
  /** Protection that would be lost, in words. Default none. */
  readonly loosens?: readonly string[];
  readonly reasons: readonly ApprovalReason[];
  /** Worst-price notional of the whole plan, USD. */
  readonly reserveUsd: DecimalString;
  /** The order would open a position, and it would wait (a trigger, ladder, schedule): what it counts as meanwhile. */
  readonly opensPosition: boolean;
  readonly rests: boolean;
  /** From the mandate. */
  readonly lifeSeconds: number;
  readonly driftBps: number;
  readonly passwordAboveUsd: DecimalString | null;
}

/** A question that no person has answered. What it would open counts as if it were reserved. */
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
   * The answer if the same request (account, route, parameters and body; with an `Idempotency-Key` the same key) was asked
   * before and waits, was denied, or is over. null: it has to be judged. Asked before judging, so that a request that is
   * repeated neither counts itself nor another time. From memory.
   */
  known(holder: MandateHolder, account: TradeAccount, request: AskedRequest): DeskAnswer | null;
  /**
   * Begins to wait. Counts in `waiting` from the call on, before anything is awaited, and no more if its commit fails.
   * Resolves once it is on disk: RESOURCE_BUSY with `details {reason: 'APPROVAL', approvalId, expiresAt}`; too many wait:
   * RESOURCE_BUSY with `details {reason: 'APPROVALS_FULL'}`; DATABASE_ERROR.
   */
  ask(request: ApprovalRequest): Promise<DeskAnswer>;
  /** From memory. */
  waiting(holder: MandateHolder): readonly WaitingApproval[];
}

/** Desk of a gateway without approvals: what needs one is refused. */
export const NO_APPROVALS: ApprovalDesk = {
  known: () => null,
  ask: async () => ({
    code: 'NOT_IMPLEMENTED_ERROR',
    message: 'Nobody can be asked on this gateway',
    details: {},
  }),
  waiting: () => [],
};
