/** Notification of the user about an agent; committed with the change that it reports. */
import { agentNotification, type Notification } from '../domain/notification.ts';
import { agentName, type OAuthGrant } from '../domain/oauth.ts';
import type { Ids } from '../engine/ports/system.ts';

export function agentNotice(
  ids: Ids,
  category: 'AGENT_CONNECTED' | 'AGENT_REVOKED',
  grant: Pick<OAuthGrant, 'userId' | 'clientId' | 'clientName'>,
  now: number,
): Notification {
  return {
    id: ids.next(),
    userId: grant.userId,
    ...agentNotification(category, agentName(grant)),
    isRead: false,
    createdAt: now,
    updatedAt: now,
  };
}
