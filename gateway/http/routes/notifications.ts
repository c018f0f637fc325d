/** Notifications. Listing marks none as read; a key limited to some accounts sees only those accounts'. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { listNotifications, readNotifications, unreadNotification } from '../../contract/notifications.ts';
import type { Principal } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import type { NotificationOwner } from '../../engine/ports/store.ts';
import type { StoreError } from '../../engine/ports/unit-of-work.ts';
import { presentNotification } from '../present/notification.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';
import { notSaved } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

/** Requests of agents to their user: each agent sees its own alone, at `GET /approvals/mine/{id}`. */
const OF_APPROVALS = ['APPROVAL_NEEDED', 'APPROVAL_EXPIRED'] as const;

export function notificationRoutes({ store, clock, isAgent }: RestingRouteDeps): readonly BoundRoute[] {
  return [
    bind(listNotifications, async ({ principal, query }) => {
      const page = await store.notifications(
        {
          ...ownerOf(principal),
          ...(isAgent(principal) ? { without: OF_APPROVALS } : {}),
          ...(query.startDate === undefined ? {} : { from: query.startDate }),
          ...(query.endDate === undefined ? {} : { to: query.endDate }),
          ...(query.scope === 'all' ? {} : { isRead: query.scope === 'read' }),
        },
        pageAsked(query),
      );
      return { body: { notifications: page.rows.map(presentNotification), ...nextCursorOf(page) } };
    }),

    bind(readNotifications, async ({ principal, body }) => {
      const which = body.id === undefined ? { before: momentOf(body.before) } : { id: body.id };
      const updated = await store.markNotifications(ownerOf(principal), which, true, clock.now());
      return { body: { updated: counted(updated) } };
    }),

    bind(unreadNotification, async ({ principal, body }) => {
      const updated = await store.markNotifications(ownerOf(principal), body, false, clock.now());
      return { body: { updated: counted(updated) } };
    }),
  ];
}

function ownerOf(principal: Principal): NotificationOwner {
  const limited = principal.kind === 'api_key' ? principal.tradeAccountIds : null;
  return { userId: principal.userId, tradeAccountIds: limited === null ? null : [...limited] };
}

function momentOf(moment: string | number | undefined): number {
  return typeof moment === 'number' ? moment : Date.parse(moment ?? '');
}

function counted(result: Result<number, StoreError>): number {
  if (!result.ok) throw notSaved(result.error);
  return result.value;
}
