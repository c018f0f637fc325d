/** Notifications: the filters of their lists, and marking them as read. */
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Notification } from '../domain/notification.ts';
import { ok } from '../domain/result.ts';
import type { PageRequest } from '../engine/ports/pages.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import { EMPTY_PAGE, pageOf, pageQuery } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, table, text } from './rows/table-entity.ts';
import type { OwnTransactions } from './writer/claim.ts';

/** `tradeAccountId` is in the parameters, and repeated as a column because lists filter by it. */
export type NotificationRow = Notification & { readonly tradeAccountId: string | null };

export function notificationRow(notification: Notification): NotificationRow {
  return { ...notification, tradeAccountId: notification.parameters.tradeAccountId ?? null };
}

export const notificationEntity = table<NotificationRow>('notifications', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  tradeAccountId: nullable(fixed(text('trade_account_id'))),
  category: fixed(text('category')),
  parameters: fixed(json('parameters')),
  isRead: flag('is_read'),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

type NotificationFilter = Parameters<RestingStore['notifications']>[0];

export function notificationsQuery(
  source: DataSource,
  filter: NotificationFilter,
  page: PageRequest,
): SelectQueryBuilder<NotificationRow> {
  const query = source
    .getRepository<NotificationRow>(notificationEntity.tableName)
    .createQueryBuilder('n')
    .where('n.userId = :userId', { userId: filter.userId });
  const { tradeAccountIds } = filter;
  if (tradeAccountIds !== null) {
    query.andWhere('n.tradeAccountId IN (:...tradeAccountIds)', { tradeAccountIds });
  }
  if (filter.from !== undefined) query.andWhere('n.createdAt >= :from', { from: filter.from });
  if (filter.to !== undefined) query.andWhere('n.createdAt < :to', { to: filter.to });
  // A literal, not a parameter: otherwise the query planner does not use the index of unread notifications.
  if (filter.isRead !== undefined) query.andWhere(`n.is_read = ${filter.isRead ? 1 : 0}`);
  const { without = [] } = filter;
  if (without.length > 0) query.andWhere('n.category NOT IN (:...without)', { without });
  return pageQuery(query, 'createdAt', true, page);
}

const SET = 'UPDATE notifications SET is_read = ?1, updated_at = ?2 WHERE user_id = ?3';
const OF_OWNER = '(?4 IS NULL OR trade_account_id IN (SELECT value FROM json_each(?4)))';
/** Updates with `is_read` as a literal, so that SQLite uses the index of unread notifications. */
export const MARKS = {
  readUntil: `${SET} AND is_read = 0 AND created_at <= ?5 AND ${OF_OWNER}`,
  unreadUntil: `${SET} AND is_read = 1 AND created_at <= ?5 AND ${OF_OWNER}`,
  one: `${SET} AND id = ?5 AND is_read <> ?1 AND ${OF_OWNER}`,
} as const;

export function notificationStore({ lists, one }: Reads, { exclusive }: OwnTransactions) {
  const notification = one(notificationEntity, 'WHERE id = ?');
  return {
    async notification(id) {
      const row = await notification(id);
      if (row === null) return null;
      const { tradeAccountId: _, ...found } = row;
      return found;
    },
    async notifications(filter, page) {
      if (filter.tradeAccountIds?.length === 0) return EMPTY_PAGE;
      const found = await notificationsQuery(await lists(), filter, page).getMany();
      const { rows, next } = pageOf(found, page.limit, (row) => row.createdAt);
      return { rows: rows.map(({ tradeAccountId, ...notification }) => notification), next };
    },
    /** The answer is the number of changed rows, so one statement of the writer replaces a read and a write. */
    async markNotifications(owner, which, isRead, now) {
      const sql = 'id' in which ? MARKS.one : isRead ? MARKS.readUntil : MARKS.unreadUntil;
      const marked = await exclusive(sql, [
        isRead ? 1 : 0,
        now,
        owner.userId,
        owner.tradeAccountIds === null ? null : JSON.stringify(owner.tradeAccountIds),
        'id' in which ? which.id : which.before,
      ]);
      return marked.ok ? ok(marked.value.changes) : marked;
    },
  } satisfies Partial<RestingStore>;
}
