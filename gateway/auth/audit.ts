/** Makes entries of the audit log. Each is committed with the action that it is about. */
import type { AuditAction, AuditEntry } from '../domain/audit.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';

/** Address, credential kind and client program of an action. */
export interface Origin {
  readonly method: AuditEntry['method'];
  readonly client: string | null;
  readonly ip: string | null;
}

export interface AuditTrail {
  /** @param says reason of the agent or program, in its own words */
  entry(
    userId: string,
    action: AuditAction,
    subjectId: string | null,
    origin: Origin,
    says?: string | null,
  ): AuditEntry;
}

const MAX_CLIENT_CHARS = 256;

export function createAuditTrail(options: {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}): AuditTrail {
  return {
    entry: (userId, action, subjectId, { method, client, ip }, says = null) => ({
      id: options.ids.next(),
      userId,
      action,
      subjectId,
      method,
      client: client?.slice(0, MAX_CLIENT_CHARS) ?? null,
      ip,
      says,
      at: options.clock.now(),
    }),
  };
}
