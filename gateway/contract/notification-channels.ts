/** Messages to a person's phone or chat: ntfy, Telegram, Discord. Nothing is sent unless a channel is made. */
import { z } from 'zod';
import { MESSAGE_KINDS } from '../domain/enumerations.ts';
import { DOCS, idParams } from './common.ts';
import { routesWith } from './route.ts';
import {
  deliveriesAnswer,
  deliveriesQuery,
  delivery,
  destinationAccounts,
  destinationFields,
  destinationName,
} from './webhooks.ts';

export const messageKind = z.enum(MESSAGE_KINDS).register(DOCS, {
  id: 'MessageKind',
  description:
    '`FILLED`, `FAILED`: an execution ended. `CLOSED`: a position. `FIRED`: a take-profit, stop-loss, trigger, TWAP, ladder or rebalance did its work, or an alert was met. `APPROVAL`: an order waits for you. `TROUBLE`: something asks for a look (a venue in trouble, legs out of balance, a liquidation that is near or has happened, a suspended agent). `OTHER`: the rest of the notifications',
});

const kinds = z.array(messageKind).min(1).max(7);

const ntfy = z.strictObject({
  service: z.literal('NTFY'),
  server: z.string().min(1).max(512).default('https://ntfy.sh').register(DOCS, {
    description: 'Your own server: https, or http to this machine',
  }),
  topic: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/, 'Letters, digits, - and _, at most 64')
    .register(DOCS, { description: 'Whoever knows the topic reads it: choose one that nobody guesses' }),
  token: z.string().min(1).max(256).optional().register(DOCS, { description: 'Access token of the server' }),
});
const telegram = z.strictObject({
  service: z.literal('TELEGRAM'),
  server: z.string().min(1).max(512).default('https://api.telegram.org').register(DOCS, {
    description: "Telegram's, or a Bot API server on this machine over http",
  }),
  token: z
    .string()
    .regex(/^\d{1,20}:[-_A-Za-z0-9]{20,64}$/, 'Expected the token that BotFather gave')
    .register(DOCS, { description: 'Token of your own bot' }),
  chatId: z.string().regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{5,32})$/, 'Expected the id of a chat, or @channel'),
});
const discord = z.strictObject({
  service: z.literal('DISCORD'),
  webhookUrl: z.string().min(1).max(512).register(DOCS, {
    description: 'As Discord shows it in the settings of a channel (Integrations, Webhooks)',
  }),
});

const service = z
  .discriminatedUnion('service', [ntfy, telegram, discord])
  .register(DOCS, { example: { service: 'NTFY', topic: 'tandem-u8f2k1' } });

export const notificationChannel = z
  .strictObject({
    ...destinationFields,
    service: z.enum(['NTFY', 'TELEGRAM', 'DISCORD']),
    address: z.string().register(DOCS, { description: 'Its server; topic, chat and tokens are kept secret' }),
    kinds,
  })
  .register(DOCS, { id: 'NotificationChannel' });
export type NotificationChannelBody = z.infer<typeof notificationChannel>;

const route = routesWith({ auth: 'K', noGrant: true, tag: 'Notifications' });
const oneRoute = routesWith({
  auth: 'K',
  noGrant: true,
  tag: 'Notifications',
  params: idParams,
});

export const listNotificationChannels = route({
  method: 'GET',
  path: '/notification-channels',
  summary: "Where the user's notifications are sent, oldest first",
  success: { 200: z.strictObject({ notificationChannels: z.array(notificationChannel) }) },
  refusals: [403],
});

export const createNotificationChannel = route({
  method: 'POST',
  path: '/notification-channels',
  summary: 'Send notifications to ntfy, Telegram or Discord',
  description:
    'Plain sentences such as `Filled: long BTC / short ETH $1,000, paper`, to a topic, bot or channel of your own. Tried again as webhooks are. Tokens, topic and chat are kept in the vault and never answered. At most 20 webhooks and notification channels a user (409).',
  body: z
    .strictObject({
      name: destinationName.optional(),
      to: service,
      kinds,
      tradeAccountIds: destinationAccounts.optional(),
      enabled: z.boolean().default(true),
    })
    .register(DOCS, {
      example: { to: { service: 'NTFY', topic: 'tandem-u8f2k1' }, kinds: ['FILLED', 'TROUBLE'] },
    }),
  success: { 201: notificationChannel },
  errors: ['RESOURCE_BUSY'],
  refusals: [403],
});

export const changeNotificationChannel = oneRoute({
  method: 'PATCH',
  path: '/notification-channels/:id',
  summary: 'Change what a channel hears, or turn it off and on',
  body: z
    .strictObject({
      name: destinationName.optional(),
      kinds: kinds.optional(),
      tradeAccountIds: destinationAccounts.optional(),
      enabled: z.boolean().optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: 'Expected at least one field',
    }),
  success: { 200: notificationChannel },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const removeNotificationChannel = oneRoute({
  method: 'DELETE',
  path: '/notification-channels/:id',
  summary: 'Remove a channel and its secrets',
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const testNotificationChannel = oneRoute({
  method: 'POST',
  path: '/notification-channels/:id/test',
  summary: 'Send a test message, once',
  description: 'Answers what came of it, after ten seconds at the latest.',
  success: { 200: delivery },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const listChannelDeliveries = oneRoute({
  method: 'GET',
  path: '/notification-channels/:id/deliveries',
  summary: 'What was sent, newest first',
  query: deliveriesQuery,
  success: { 200: deliveriesAnswer },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});
