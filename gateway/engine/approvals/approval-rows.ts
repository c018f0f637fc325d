/** Rows committed with each step of an approval: the approval, its audit entry, its events, a notification. */
import type { Approval } from '../../domain/approval.ts';
import type { AuditAction, AuditEntry } from '../../domain/audit.ts';
import { type DecimalString, dec } from '../../domain/decimal.ts';
import { approvalNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { eventOf } from '../core/events.ts';
import { oneUnit } from '../core/unit-parts.ts';
import { notice, notificationLegs } from '../notices/notify.ts';
import type { MarketData } from '../ports/market.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

type RowDeps = Pick<EngineDeps, 'ids' | 'clock'> & { readonly market: Pick<MarketData, 'instrument'> };

/** Actor of the step, for the audit log. */
export type Actor = Pick<AuditEntry, 'method' | 'client' | 'ip'>;

/** No person acted: time ran out, or something that the approval needs is gone. */
export const BY_ITSELF: Actor = { method: 'gateway', client: null, ip: null };

export function asked(deps: RowDeps, approval: Approval, actor: Actor): UnitOfWork {
  // The amount comes first: a client's name can be long, and a narrow display cuts the end.
  const words = `${aboutWords(approval)}, asked for by ${approval.holderName}`;
  return oneUnit(
    stepped(deps, approval, 'approval.requested', actor),
    told(deps, approval, 'APPROVAL_NEEDED', words),
  );
}

export function expired(deps: RowDeps, approval: Approval): UnitOfWork {
  const words = `Nothing was ordered. ${aboutWords(approval)}, asked for by ${approval.holderName}`;
  return oneUnit(
    stepped(deps, approval, 'approval.expired', BY_ITSELF),
    told(deps, approval, 'APPROVAL_EXPIRED', words),
  );
}

/** A step without a notification: the user took it, or it needs no action. */
export function stepped(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  approval: Approval,
  action: Extract<AuditAction, `approval.${string}`>,
  actor: Actor,
): UnitOfWork {
  const entry: AuditEntry = {
    id: deps.ids.next(),
    userId: approval.userId,
    action,
    subjectId: approval.id,
    ...actor,
    says: action === 'approval.requested' ? approval.says : null,
    at: deps.clock.now(),
  };
  const what = action === 'approval.requested' ? 'created' : 'updated';
  return { approvals: [approval], audit: [entry], events: [eventOf(approval, `approval.${what}`)] };
}

/** New figures. Nobody decided anything, so there is no audit entry. */
export function replanned(approval: Approval): UnitOfWork {
  return { approvals: [approval], events: [eventOf(approval, 'approval.updated')] };
}

function aboutWords({ kind, plan }: Approval): string {
  const lost = (plan.loosens ?? []).join('; ');
  if (kind === 'protect') return `Less protection. ${lost}`;
  const counted = `Counts as ${usd(plan.worstUsd)} USD`;
  return lost === '' ? counted : `${counted}. Less protection: ${lost}`;
}

function usd(amount: DecimalString): string {
  return dec(amount).toFixed(2);
}

function told(
  deps: RowDeps,
  approval: Approval,
  category: 'APPROVAL_NEEDED' | 'APPROVAL_EXPIRED',
  words: string,
): UnitOfWork {
  const legs = notificationLegs(deps, approval.connector, approval.plan.legs);
  return notice(deps, approvalNotification(category, { ...approval, legs }, words), approval.userId, [
    approval.tradeAccountId,
  ]);
}
