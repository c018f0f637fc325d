import type { z } from 'zod';
import { notification } from '../../contract/notifications.ts';
import type { Notification } from '../../domain/notification.ts';
import { wireForm } from './wire-form.ts';

export function presentNotification(value: Notification): z.input<typeof notification> {
  const { legs, ...parameters } = value.parameters;
  return wireForm(notification, value, {
    parameters: legs === undefined ? parameters : { legs: [...legs], ...parameters },
  });
}
