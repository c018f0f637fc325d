/** Events for the user's pages about a changed mandate, and the rows of a suspension by the gateway itself. */
import type { ApiKeys } from '../auth/api-keys.ts';
import type { AuditTrail } from '../auth/audit.ts';
import type { MandateSurroundings } from '../auth/mandates.ts';
import { suspendedNotification } from '../domain/notification.ts';
import { agentName } from '../domain/oauth.ts';
import { notice } from '../engine/notices/notify.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import type { Grants } from '../oauth/grants.ts';

export function mandateNews({
  clock,
  ids,
  accountsOf,
  audit,
  grants,
  keys,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accountsOf: (userId: string) => readonly string[];
  /** Functions: authentication is made later. */
  readonly audit: () => AuditTrail;
  readonly keys: () => ApiKeys;
  readonly grants: Grants;
}): Pick<MandateSurroundings, 'isAlive' | 'ownerOf' | 'news' | 'selfSuspended'> {
  const news: MandateSurroundings['news'] = (userId, entityId) => ({
    events: accountsOf(userId).map((tradeAccountId) => ({
      tradeAccountId,
      event: 'agent.updated',
      entityId,
      timestamp: clock.now(),
    })),
  });
  return {
    news,
    isAlive: ({ kind, id }) =>
      kind === 'oauth_grant' ? grants.status(id) === 'active' : keys().alive(id) !== undefined,
    ownerOf: ({ kind, id }) => (kind === 'oauth_grant' ? grants.get(id)?.userId : keys().alive(id)?.userId),
    selfSuspended({ kind, id, userId }, reason) {
      const grant = kind === 'oauth_grant' ? grants.get(id) : undefined;
      const name = grant === undefined ? (keys().labelOf(id) ?? id) : agentName(grant);
      const told = notice({ ids, clock }, suspendedNotification(name, reason), userId, accountsOf(userId));
      return {
        notifications: told.notifications ?? [],
        events: [...(told.events ?? []), ...(news(userId, id).events ?? [])],
        audit: audit().entry(userId, 'agent.suspended', id, { method: 'gateway', client: null, ip: null }),
      };
    },
  };
}
