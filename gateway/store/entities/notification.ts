import type { Notification } from '../../domain/notification.ts';
import { fixed, flag, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

/** `tradeAccountId` stands in the parameters, and here once more because lists are narrowed by it. */
export type NotificationRow = Notification & { readonly tradeAccountId: string | null };

export function notificationRow(notification: Notification): NotificationRow {
  return { ...notification, tradeAccountId: notification.parameters.tradeAccountId ?? null };
}

export const notificationEntity: TableEntity<NotificationRow> = {
  name: 'notification',
  tableName: 'notifications',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    tradeAccountId: nullable(fixed(text('trade_account_id'))),
    category: fixed(text('category')),
    parameters: fixed(json('parameters')),
    isRead: flag('is_read'),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
