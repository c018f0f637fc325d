/** Webhooks: private events, sent to an address of the user's own, signed. Nothing is sent unless one is made. */
import { z } from 'zod';
import { ACCOUNT_MODES, DELIVERY_STATUSES, NETWORKS } from '../domain/enumerations.ts';
import { arrayQuery, DOCS, idParams, isoTime, pathId, uuid } from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { nameInput } from './plain-text.ts';
import { PRIVATE_EVENTS } from './realtime.ts';
import { routesWith } from './route.ts';

export const destinationName = nameInput(64);
export const destinationAccounts = z
  .array(uuid)
  .min(1)
  .max(100)
  .nullable()
  .register(DOCS, { description: 'Only events of these trade accounts; null: of all, also later ones' });

const events = z
  .array(z.enum([...PRIVATE_EVENTS, '*']))
  .min(1)
  .max(PRIVATE_EVENTS.length + 1)
  .register(DOCS, { description: 'The events of the WebSocket’s private channels; `*`: all of them' });
const url = z.string().min(1).max(2_048).register(DOCS, {
  description: 'https, or http to this machine (127.0.0.1, [::1], localhost). No redirect is followed',
  example: 'http://127.0.0.1:5678/webhook/tandem',
});

/** Fields that every destination has. */
export const destinationFields = {
  id: uuid,
  name: z.string(),
  tradeAccountIds: z.array(uuid).nullable(),
  enabled: z.boolean(),
  waiting: z.int().register(DOCS, { description: 'Deliveries that wait, at most 1,000' }),
  skipped: z.int().register(DOCS, { description: 'Events that were left out because 1,000 waited already' }),
  lastAttempt: z
    .strictObject({
      at: isoTime,
      status: z.enum(DELIVERY_STATUSES),
      responseStatus: z.int().nullable(),
      error: z.string().nullable(),
    })
    .nullable()
    .register(DOCS, { description: 'Since the start of the gateway; null: none yet' }),
  createdAt: isoTime,
  updatedAt: isoTime,
};

const record = { ...destinationFields, url: z.string(), events };
export const webhook = z.strictObject(record).register(DOCS, { id: 'Webhook' });
export type WebhookBody = z.infer<typeof webhook>;
const createdWebhook = z
  .strictObject({
    ...record,
    secret: z
      .string()
      .register(DOCS, { description: 'Signs every delivery: `whsec_` and 43 characters, shown only here' }),
  })
  .register(DOCS, { id: 'CreatedWebhook' });

export const webhookEvent = z
  .strictObject({
    id: z.string().register(DOCS, {
      description: 'Of the event: the same in every delivery of it, also after a restart. Take each once',
    }),
    event: z.string().register(DOCS, { description: 'As on the WebSocket; `test`: a test' }),
    tradeAccountId: uuid.nullable(),
    mode: z.enum(ACCOUNT_MODES),
    network: z.enum(NETWORKS).nullable(),
    seq: z.int().register(DOCS, { description: 'Rises by one per trade account; 0: a test' }),
    timestamp: isoTime,
    data: z.strictObject({ entityId: z.string() }),
  })
  .register(DOCS, { id: 'WebhookEvent', description: 'The body of a delivery' });

export type WebhookEvent = z.infer<typeof webhookEvent>;

export const delivery = z
  .strictObject({
    id: uuid,
    event: webhookEvent,
    status: z.enum(DELIVERY_STATUSES).register(DOCS, {
      description: '`RETRYING`: an attempt failed and another follows; `FAILED`: none does',
    }),
    attempts: z.int(),
    nextAttemptAt: isoTime.nullable(),
    responseStatus: z.int().nullable().register(DOCS, { description: 'Of the last answer; null: none came' }),
    response: z
      .string()
      .nullable()
      .register(DOCS, { description: 'Beginning of the last answer, at most 1 KiB' }),
    error: z.string().nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
    finishedAt: isoTime.nullable(),
  })
  .register(DOCS, { id: 'Delivery' });
export type DeliveryBody = z.infer<typeof delivery>;

export const deliveriesQuery = z.object({
  ...pageQuery(200, 50),
  status: arrayQuery(DELIVERY_STATUSES).optional(),
});
export const deliveriesAnswer = z.strictObject({ deliveries: z.array(delivery), nextCursor });

const route = routesWith({ auth: 'K', noGrant: true, tag: 'Webhooks' });
const oneRoute = routesWith({ auth: 'K', noGrant: true, tag: 'Webhooks', params: idParams });

export const listWebhooks = route({
  method: 'GET',
  path: '/webhooks',
  summary: "The user's webhooks, oldest first",
  success: { 200: z.strictObject({ webhooks: z.array(webhook) }) },
  refusals: [403],
});

export const createWebhook = route({
  method: 'POST',
  path: '/webhooks',
  summary: 'Send events to an address',
  description:
    'Each event is a `POST` of a `WebhookEvent` with the header `tandem-signature: t=<epoch seconds>,v1=<hex>`: HMAC-SHA256 with the secret over `<t>.<body>`. Refuse what is older than five minutes, and what you have seen (`tandem-event-id`). Any 2xx within ten seconds is delivered; everything else is tried again, eight times over some ten hours. At most 20 webhooks and notification channels a user (409). API keys that are limited to some trade accounts, or have a mandate, cannot use these routes (403).',
  body: z
    .strictObject({
      name: destinationName.optional(),
      url,
      events,
      tradeAccountIds: destinationAccounts.optional(),
      enabled: z.boolean().default(true),
    })
    .register(DOCS, {
      example: { url: 'http://127.0.0.1:5678/webhook/tandem', events: ['execution.completed'] },
    }),
  success: { 201: createdWebhook },
  errors: ['RESOURCE_BUSY'],
  refusals: [403],
});

export const readWebhook = oneRoute({
  method: 'GET',
  path: '/webhooks/:id',
  summary: 'One webhook',
  success: { 200: webhook },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const changeWebhook = oneRoute({
  method: 'PATCH',
  path: '/webhooks/:id',
  summary: 'Change a webhook, or turn it off and on',
  description:
    'Events of before a change of `events` or `tradeAccountIds`, or of before it was turned on, are not sent. What waits when it is turned off ends `FAILED`.',
  body: z
    .strictObject({
      name: destinationName.optional(),
      url: url.optional(),
      events: events.optional(),
      tradeAccountIds: destinationAccounts.optional(),
      enabled: z.boolean().optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: 'Expected at least one field',
    }),
  success: { 200: webhook },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const removeWebhook = oneRoute({
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Remove a webhook, its secret and its log',
  success: { 204: null },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const rotateWebhookSecret = oneRoute({
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  summary: 'Give a webhook a new secret',
  description:
    'Until `previousUntil` every delivery is signed with both: the header has two `v1`. `keepPreviousSeconds: 0` ends the old one at once.',
  body: z.strictObject({ keepPreviousSeconds: z.int().min(0).max(604_800).default(86_400) }),
  success: {
    200: z
      .strictObject({ id: uuid, secret: z.string(), previousUntil: isoTime })
      .register(DOCS, { id: 'RotatedSecret' }),
  },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const testWebhook = oneRoute({
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Send a test event, once',
  description: 'Answers what came of it, after ten seconds at the latest. It is in the log.',
  success: { 200: delivery },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const listWebhookDeliveries = oneRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'What was delivered, newest first',
  description: 'Kept for seven days after its end.',
  query: deliveriesQuery,
  success: { 200: deliveriesAnswer },
  errors: ['RESOURCE_NOT_FOUND'],
  refusals: [403],
});

export const redeliverWebhook = route({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
  summary: 'Send an event again',
  description:
    'A new delivery with the same event id. 409 while the one of before still waits, or 1,000 others do.',
  params: z.strictObject({ id: pathId, deliveryId: pathId }),
  success: { 202: delivery },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY'],
  refusals: [403],
});
