/** Outcome of a refused order: nothing was ordered, the user is asked, or nobody knows. */
import type { DispatchRefusal } from '../call/dispatch.ts';
import type { AccountOut } from './fields.ts';
import { type Outcome, type OutcomeName, outcomeOf } from './outcome.ts';
import { detailOf, faultOf, limitsOf } from './say.ts';

interface About {
  readonly previewId: string;
  readonly account: AccountOut | null;
  readonly asked: string;
}

/** Ends of an approval, as refusals of the request that asked for it name them. */
const ENDED: Readonly<Record<string, OutcomeName>> = {
  DENIED: 'DENIED',
  EXPIRED: 'EXPIRED',
  WITHDRAWN: 'CANCELLED',
};

export function refusedOutcome(refusal: DispatchRefusal, { previewId, account, asked }: About): Outcome {
  const reason = String(detailOf(refusal.details, 'reason') ?? '');
  const common = { account, asked, id: previewId, kind: 'preview' as const, money_moved: 'no' as const };
  const approval = approvalOf(refusal);
  if (reason === 'APPROVAL' && approval !== null) {
    return outcomeOf({
      ...common,
      outcome: 'WAITING_FOR_USER',
      kind: 'approval',
      id: approval.id,
      approval,
      reason: refusal.message,
    });
  }
  const ended = ENDED[reason];
  if (ended !== undefined) return outcomeOf({ ...common, outcome: ended, approval, reason: refusal.message });
  if (reason === 'OUTCOME_UNKNOWN' || isUnsure(refusal)) {
    return outcomeOf({ ...common, outcome: 'UNKNOWN', money_moved: 'not_known', reason: refusal.message });
  }
  const { happened, untrusted_text = null, fields, do: next } = faultOf(refusal);
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  return outcomeOf({
    ...common,
    outcome: 'NOTHING_ORDERED',
    reason: problems === '' ? happened : `${happened}: ${problems}`,
    untrusted_text,
    limits: limitsOf(refusal),
    next,
  });
}

/** True: the first request of this preview is still running, so its outcome is not known yet. */
function isUnsure({ code, message }: DispatchRefusal): boolean {
  return code === 'RESOURCE_BUSY' && message.includes('Idempotency-Key');
}

function approvalOf({ details }: DispatchRefusal): Outcome['approval'] {
  const id = detailOf(details, 'approvalId');
  const expiresAt = detailOf(details, 'expiresAt');
  if (typeof id !== 'string') return null;
  return { id, expires_at: typeof expiresAt === 'string' ? expiresAt : null };
}
