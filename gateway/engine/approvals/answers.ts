/** Answers to the holder of a mandate about an order that waits, or waited, for a person's approval. */
import { type Approval, isOver } from '../../domain/approval.ts';
import { fail, type Result } from '../../domain/result.ts';
import { CANNOT_WRITE, type EngineError } from '../core/errors.ts';
import type { DeskAnswer } from '../ports/approval-desk.ts';

export function waitsAnswer({ id, kind, expiresAt }: Approval): DeskAnswer {
  return {
    code: 'RESOURCE_BUSY',
    message:
      kind === 'protect'
        ? 'Nothing is changed: it is less protection, and waits until the user approves it in Tandem'
        : 'Nothing is ordered: the order waits until the user approves it in Tandem',
    details: { reason: 'APPROVAL', approvalId: id, status: 'PENDING', expiresAt: iso(expiresAt) },
  };
}

export const FULL: DeskAnswer = {
  code: 'RESOURCE_BUSY',
  message: 'Nothing is ordered: too many orders wait for the user already',
  details: { reason: 'APPROVALS_FULL' },
};

/** The key belongs to another request of the same holder. */
export const OTHER_REQUEST: DeskAnswer = {
  code: 'VALIDATION_ERROR',
  message: 'Validation error',
  details: [
    {
      path: 'idempotency-key',
      message: 'This key was used with a different request',
      code: 'custom',
    },
  ],
};

export const UNWRITTEN: DeskAnswer = {
  code: 'DATABASE_ERROR',
  message: CANNOT_WRITE,
  details: { retry: true },
};

/** Answer to a known request; null: the request is new and has to be judged. */
export function answerOf(approval: Approval, now: number): DeskAnswer | null {
  if (approval.status === 'PENDING' && !isOver(approval, now)) return waitsAnswer(approval);
  const isKeyed = approval.request.idempotencyKey !== null;
  // Without a key, an equal request counts as a new order once the first can no longer be answered.
  if (!isKeyed && (isOver(approval, now) || approval.status === 'WITHDRAWN')) return null;
  return approval.status === 'APPROVED' ? doneAnswer(approval) : overAnswer(approval);
}

/** Answer to a repeated request without a key. With a key, the first answer is replayed instead. */
function doneAnswer({ id, madeId }: Approval): DeskAnswer {
  return {
    code: 'RESOURCE_BUSY',
    message: 'This order was approved and placed already. Send an Idempotency-Key to ask for another one',
    details: { reason: 'APPROVAL', approvalId: id, status: 'APPROVED', madeId },
  };
}

function overAnswer({ id, status, withdrawnBecause }: Approval): DeskAnswer {
  const reason = status === 'PENDING' ? 'EXPIRED' : status;
  const words = {
    DENIED: 'the user denied it',
    EXPIRED: 'the user did not answer in time',
    WITHDRAWN: withdrawnBecause ?? 'it was withdrawn',
    APPROVED: 'it was placed',
  };
  return {
    code: 'AGENT_LIMIT',
    message: `Nothing is ordered: ${words[reason]}`,
    details: { reason, approvalId: id, limits: [] },
  };
}

/** Answer to a person who decides on an approval that has ended. */
export function endedAnswer(
  { status, withdrawnBecause }: Approval,
  details: object = {},
): Result<never, EngineError> {
  const words = {
    PENDING: 'it waits',
    APPROVED: 'it was approved already',
    DENIED: 'it was denied already',
    EXPIRED: 'it has expired',
    WITHDRAWN: withdrawnBecause ?? 'it was withdrawn',
  };
  return fail({
    code: 'NOOP_ERROR',
    message: `Nothing to decide: ${words[status]}`,
    details: { status, ...details },
  });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
