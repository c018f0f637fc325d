/** Notifications: pulled, not pushed; the event `notification.created` says that a new one is there. */
import { z } from 'zod';
import { BRACKET_KINDS, NOTIFICATION_CATEGORIES } from '../domain/enumerations.ts';
import { METRIC_NAMES } from '../domain/metrics.ts';
import { DOCS, decimal, instrumentId, isoTime, side, timeInput, uuid } from './common.ts';
import { direction } from './conditions.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { checkDateOrder, dateRangeQuery } from './date-range.ts';
import { routesWith } from './route.ts';

export const notificationCategory = z
  .enum(NOTIFICATION_CATEGORIES)
  .register(DOCS, { id: 'NotificationCategory' });

export const notification = z
  .strictObject({
    id: uuid,
    category: notificationCategory,
    parameters: z
      .strictObject({
        legs: z
          .array(z.strictObject({ id: instrumentId, symbol: z.string(), side }))
          .optional()
          .register(DOCS, { description: '`id` is the instrument ID, `symbol` the ticker' }),
        instrument: z.strictObject({ id: instrumentId, symbol: z.string() }).optional().register(DOCS, {
          description:
            'Whose price `level` is of; of `LIQUIDATION_NEAR` what the venue would close first. Left out: neither',
        }),
        type: z.string().optional().register(DOCS, { description: 'What it is about, e.g. `take_profit`' }),
        triggerId: uuid.optional(),
        alertId: uuid.optional(),
        scheduleId: uuid.optional(),
        ladderId: uuid.optional(),
        positionId: uuid.optional(),
        executionId: uuid.optional(),
        approvalId: uuid.optional(),
        tradeAccountId: uuid.optional(),
        connector: z.string().optional(),
        metric: z.enum(METRIC_NAMES).optional(),
        level: z
          .number()
          .optional()
          .register(DOCS, { description: 'For display; the trigger has it exactly' }),
        source: z.string().optional().register(DOCS, {
          description: 'Of a `probability`: who tells of the prediction market that it is of',
        }),
        marketKey: z
          .string()
          .optional()
          .register(DOCS, { description: 'Of a `probability`: the key of its market at `source`' }),
        lookback: z.int().positive().optional().register(DOCS, {
          description: 'Hours that a z-score or a spread looks back on; left out: `metric` is neither',
        }),
        direction: direction.optional().register(DOCS, {
          description:
            'Side of `level` on which it fires; left out: not known, as of notifications of older versions',
        }),
        distance: decimal.optional().register(DOCS, {
          description:
            'Of `LIQUIDATION_NEAR`: how far the price ratio (longs ÷ shorts; the price of what has one side) was from the liquidation, a fraction: `ratioMove` of `GET /positions/risk` without its sign',
        }),
        reason: z.string().optional(),
        semanticBracketType: z.enum(BRACKET_KINDS).optional(),
      })
      .register(DOCS, { id: 'NotificationParameters' }),
    isRead: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Notification' });

const moment = z
  .union([timeInput, z.int().nonnegative().max(8_640_000_000_000_000)])
  .register(DOCS, { description: 'ISO 8601 or epoch milliseconds' });

const route = routesWith({ auth: 'K', tag: 'Notifications' });

export const listNotifications = route({
  method: 'GET',
  path: '/notifications',
  summary: 'Notifications, newest first',
  query: z
    .object({
      ...pageQuery(100, 100),
      ...dateRangeQuery,
      scope: z.enum(['all', 'read', 'unread']).default('all'),
    })
    .superRefine(checkDateOrder),
  success: { 200: z.strictObject({ notifications: z.array(notification), nextCursor }) },
});

const updated = z.strictObject({ updated: z.int().nonnegative() });

export const readNotifications = route({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark one notification as read, or all up to a moment',
  description: '`updated` counts those that were unread; an unknown ID counts 0.',
  body: z
    .strictObject({ id: uuid.optional(), before: moment.optional() })
    .refine(
      (body) => (body.id === undefined) !== (body.before === undefined),
      'Exactly one of id and before is needed',
    )
    .register(DOCS, { id: 'ReadNotifications', example: { before: '2026-01-31T12:00:00Z' } }),
  success: { 200: updated },
});

export const unreadNotification = route({
  method: 'POST',
  path: '/notifications/unread',
  summary: 'Mark a notification as unread again',
  body: z.strictObject({ id: uuid }),
  success: { 200: updated },
});
