/** The realtime protocol of `GET /ws`: JSON text messages, at most 64 KiB each. */
import { z } from 'zod';
import { ACCOUNT_MODES, NETWORKS } from '../domain/enumerations.ts';
import { DOCS, isoTime } from './common.ts';

export const MAX_MESSAGE_BYTES = 64 * 1024;
export const MAX_CHANNELS = 256;

/** Error codes of the realtime protocol; clients branch on the code, never on `message`. */
export const REALTIME_ERRORS = [
  'INVALID_JSON',
  'BINARY_NOT_SUPPORTED',
  'UNKNOWN_OP',
  'INVALID_MESSAGE',
  'UNKNOWN_CHANNEL',
  'TOO_MANY_CHANNELS',
  'UNAUTHENTICATED',
  'RESOURCE_NOT_FOUND',
  'INTERNAL_ERROR',
  'TOO_MANY_MESSAGES',
] as const;
export type RealtimeErrorCode = (typeof REALTIME_ERRORS)[number];

export const messageId = z
  .union([z.string().max(128), z.number()])
  .register(DOCS, { description: 'Chosen by the client, returned in the answer' });
export type MessageId = z.infer<typeof messageId>;

const channelName = z.string().min(1).max(128);
const channelNames = z.array(channelName).min(1).max(MAX_CHANNELS);
/** The last `seq` that the client has received. */
const sequence = z.int().nonnegative();

const secret = z.string().min(1).max(16_384);

export const clientMessages = {
  auth: z
    .strictObject({
      op: z.literal('auth'),
      id: messageId.optional(),
      token: secret.optional().register(DOCS, { description: 'Access token of a session' }),
      apiKey: secret.optional(),
      ticket: secret
        .optional()
        .register(DOCS, { description: 'From `POST /auth/ws-ticket`: single use, valid 30 seconds' }),
    })
    .refine(
      ({ token, apiKey, ticket }) =>
        [token, apiKey, ticket].filter((given) => given !== undefined).length === 1,
      'Exactly one of token, apiKey and ticket is needed',
    ),
  subscribe: z.strictObject({
    op: z.literal('subscribe'),
    id: messageId.optional(),
    channels: channelNames,
    resumeFrom: z
      .union([sequence, z.record(channelName, sequence)])
      .optional()
      .register(DOCS, {
        description:
          'Replay the private events after this seq. A number when exactly one `user:` channel is listed, else an object of channel → seq',
      }),
  }),
  unsubscribe: z.strictObject({
    op: z.literal('unsubscribe'),
    id: messageId.optional(),
    channels: channelNames,
  }),
  ping: z.strictObject({ op: z.literal('ping'), id: messageId.optional() }),
} as const;

export const clientMessage = z
  .discriminatedUnion('op', [
    clientMessages.auth,
    clientMessages.subscribe,
    clientMessages.unsubscribe,
    clientMessages.ping,
  ])
  .register(DOCS, { id: 'RealtimeClientMessage' });
export type ClientMessage = z.infer<typeof clientMessage>;

const answerId = messageId.nullable();

export const ackMessage = z
  .strictObject({
    op: z.literal('ack'),
    id: answerId,
    subscriptions: z
      .array(z.string())
      .register(DOCS, { description: 'Every live subscription of the connection' }),
    authenticated: z.boolean().register(DOCS, {
      description:
        'Whether private channels can be subscribed. False after `auth` with an OAuth grant token: it is accepted, but the connection stays anonymous',
    }),
    seq: z.record(z.string(), z.int().nonnegative()).optional().register(DOCS, {
      description:
        'After `subscribe`, per private channel: every event with a greater seq will be delivered. Keep it for `resumeFrom`',
    }),
  })
  .register(DOCS, { id: 'RealtimeAck' });

export const errorMessage = z
  .strictObject({
    op: z.literal('error'),
    id: answerId.meta({
      description: 'Of the message that failed; null when it had none or nothing was asked',
    }),
    code: z.enum(REALTIME_ERRORS),
    message: z.string(),
  })
  .register(DOCS, { id: 'RealtimeError' });

export const pongMessage = z
  .strictObject({ op: z.literal('pong'), id: answerId })
  .register(DOCS, { id: 'RealtimePong' });

/** Message of a public channel: `prices:{connector}`, `funding:{connector}`, `baskets:{connector}` or `status`. */
export const publicMessage = z
  .strictObject({
    channel: z.string(),
    event: z.enum(['snapshot', 'update']),
    timestamp: isoTime,
    data: z.array(z.record(z.string(), z.unknown())).register(DOCS, {
      description:
        'Rows as in GET /prices, GET /funding, GET /markets (`baskets:` channels) and GET /connectors (`status`). An update holds the changed rows only',
    }),
  })
  .register(DOCS, { id: 'RealtimePublicMessage' });

const RESTING_EVENTS = ['created', 'updated', 'completed', 'failed', 'cancelled'] as const;

/** Every event of a private channel; `data.entityId` is the id of the entity that the event's first word names. */
export const PRIVATE_EVENTS = [
  'execution.completed',
  'execution.failed',
  'position.created',
  'position.updated',
  'position.closed',
  'order.updated',
  ...RESTING_EVENTS.map((event) => `trigger.${event}` as const),
  ...RESTING_EVENTS.map((event) => `schedule.${event}` as const),
  ...RESTING_EVENTS.map((event) => `ladder.${event}` as const),
  'alert.created',
  'alert.updated',
  'alert.completed',
  'alert.cancelled',
  'approval.created',
  'approval.updated',
  'notification.created',
  'panic.updated',
  'agent.updated',
] as const;

/** Whose money the trade account of a private channel is. */
const money = {
  mode: z
    .enum(ACCOUNT_MODES)
    .register(DOCS, { description: "The trade account's, as in GET /trade-accounts" }),
  network: z
    .enum(NETWORKS)
    .nullable()
    .register(DOCS, { description: 'LIVE accounts only: real money on `mainnet`, none on `testnet`' }),
};

/** Message of the private channel `user:{tradeAccountId}`. */
export const privateMessage = z
  .strictObject({
    channel: z.string(),
    event: z.enum(PRIVATE_EVENTS).register(DOCS, {
      description:
        '`execution.created`: it was accepted, and from now on its orders are open. `trigger.*`, `schedule.*`, `ladder.*`, `alert.*`: `completed` also in part, `cancelled` also by expiry and where a bracket stopped a plan, `updated` for what does not end it. `panic.updated`: `GET /safety` says how far a panic is; its entity is the trade account. `agent.updated`: the mandate of a grant or an API key, or the limits over all of them, changed, or it was suspended or resumed',
    }),
    seq: z
      .int()
      .positive()
      .register(DOCS, { description: 'Rises by one per trade account; survives restarts' }),
    timestamp: isoTime,
    ...money,
    data: z.strictObject({ entityId: z.string() }),
  })
  .register(DOCS, { id: 'RealtimePrivateMessage' });

export const resyncMessage = z
  .strictObject({
    channel: z.string(),
    event: z.literal('resync'),
    seq: z.int().nonnegative().register(DOCS, { description: 'Events after this one follow' }),
    timestamp: isoTime,
    ...money,
  })
  .register(DOCS, {
    id: 'RealtimeResync',
    description:
      'What was asked to resume is not kept any more (7 days) or never existed: read the state anew over HTTP',
  });

export const serverMessage = z
  .union([ackMessage, errorMessage, pongMessage, resyncMessage, publicMessage, privateMessage])
  .register(DOCS, { id: 'RealtimeServerMessage' });
