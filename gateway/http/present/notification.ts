import type { z } from 'zod';
import type { notification } from '../../contract/notifications.ts';
import type { Notification } from '../../domain/notification.ts';
import { iso } from './time.ts';

export function presentNotification(value: Notification): z.input<typeof notification> {
  const { legs, ...parameters } = value.parameters;
  return {
    id: value.id,
    category: value.category,
    parameters: legs === undefined ? parameters : { legs: [...legs], ...parameters },
    isRead: value.isRead,
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
  };
}
