import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Notification } from '../domain/notification.ts';
import { ok, type Result } from '../domain/result.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { NotificationOwner, Store } from '../engine/ports/store.ts';
import type { StoreError } from '../engine/ports/unit-of-work.ts';
import { type NotificationRow, notificationEntity } from './entities/notification.ts';
import { pageOf, pageQuery } from './rows/keyset-page.ts';
import type { Writer } from './writer/writer.ts';

export type NotificationFilter = Parameters<Store['notifications']>[0];

export function notificationsQuery(
  source: DataSource,
  filter: NotificationFilter,
  page: PageRequest,
): SelectQueryBuilder<NotificationRow> {
  const query = source
    .getRepository<NotificationRow>(notificationEntity.name)
    .createQueryBuilder('n')
    .where('n.userId = :userId', { userId: filter.userId });
  const { tradeAccountIds } = filter;
  if (tradeAccountIds !== null) {
    query.andWhere('n.tradeAccountId IN (:...tradeAccountIds)', { tradeAccountIds });
  }
  if (filter.from !== undefined) query.andWhere('n.createdAt >= :from', { from: filter.from });
  if (filter.to !== undefined) query.andWhere('n.createdAt <= :to', { to: filter.to });
  // Written out, not as a parameter: only so does the planner see that the index of the unread ones will do.
  if (filter.isRead !== undefined) query.andWhere(`n.is_read = ${filter.isRead ? 1 : 0}`);
  return pageQuery(query, 'createdAt', true, page);
}

export async function notificationPage(
  source: DataSource,
  filter: NotificationFilter,
  page: PageRequest,
): Promise<Page<Notification>> {
  if (filter.tradeAccountIds?.length === 0) return { rows: [], next: null };
  const found = await notificationsQuery(source, filter, page).getMany();
  const { rows, next } = pageOf(found, page.limit, (row) => row.createdAt);
  return { rows: rows.map(({ tradeAccountId, ...notification }) => notification), next };
}

const SET = 'UPDATE notifications SET is_read = ?1, updated_at = ?2 WHERE user_id = ?3';
const OF_OWNER = '(?4 IS NULL OR trade_account_id IN (SELECT value FROM json_each(?4)))';
/** `is_read` as a literal, for the index of the unread ones. */
export const MARKS = {
  readUntil: `${SET} AND is_read = 0 AND created_at <= ?5 AND ${OF_OWNER}`,
  unreadUntil: `${SET} AND is_read = 1 AND created_at <= ?5 AND ${OF_OWNER}`,
  one: `${SET} AND id = ?5 AND is_read <> ?1 AND ${OF_OWNER}`,
} as const;

/** The number of changed rows is the answer, so the statement is the writer's, not a read and a write. */
export async function markNotifications(
  writer: Writer,
  owner: NotificationOwner,
  which: { readonly id: string } | { readonly before: number },
  isRead: boolean,
  now: number,
): Promise<Result<number, StoreError>> {
  const sql = 'id' in which ? MARKS.one : isRead ? MARKS.readUntil : MARKS.unreadUntil;
  const marked = await writer.exclusive(sql, [
    isRead ? 1 : 0,
    now,
    owner.userId,
    owner.tradeAccountIds === null ? null : JSON.stringify(owner.tradeAccountIds),
    'id' in which ? which.id : which.before,
  ]);
  return marked.ok ? ok(marked.value.changes) : marked;
}
