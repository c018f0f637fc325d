/** Checks of live venues: does everything work that trading there needs. */
import { z } from 'zod';
import { NETWORKS } from '../domain/enumerations.ts';
import { connectorId, DOCS, isoTime, uuid } from './common.ts';
import { routesWith } from './route.ts';

const venueCheckReport = z
  .strictObject({
    connector: connectorId,
    network: z.enum(NETWORKS),
    override: z.string().nullable().register(DOCS, {
      description: 'Loopback address that stood in for the venue: then it says nothing about the real one',
    }),
    tradeAccountId: uuid.nullable(),
    at: isoTime,
    version: z.string().register(DOCS, { description: 'Of the gateway that checked' }),
    ok: z.boolean().register(DOCS, { description: 'Every step went well' }),
    steps: z.array(
      z.strictObject({
        name: z.string().register(DOCS, {
          description:
            '`connection`, `clock`, `instruments`, `signing`, `rights`, `notice`, `account_mode`, `balances`, `fees`, `rate_limits`, `market_stream`, `account_stream`; with `orders` also `orders` (none could be sent), `order_far`, `order_expired`, `order_batch`, `order_unknown`, `order_open`, `order_repeated`, `order_lookup`, `leverage`, `order_close`, `order_fills`, `order_fees`',
        }),
        ok: z.boolean(),
        detail: z.string(),
        remedy: z.string().nullable().register(DOCS, { description: 'What a person can do' }),
      }),
    ),
    proven: z
      .strictObject({
        at: isoTime,
        version: z.string().register(DOCS, { description: 'Of the gateway that checked' }),
        network: z.enum(NETWORKS),
        override: z.string().nullable(),
      })
      .nullable()
      .register(DOCS, { description: 'The last check with `orders` in which every step went well' }),
    transcript: z
      .array(z.strictObject({ question: z.string(), answer: z.string() }))
      .optional()
      .register(DOCS, {
        description:
          'What the venue was asked and answered, without secrets and addresses; where it was asked for',
      }),
  })
  .register(DOCS, { id: 'VenueCheck' });
export type VenueCheckBody = z.infer<typeof venueCheckReport>;

const checks = routesWith({
  auth: 'K',
  tag: 'Trade accounts',
  path: '/connectors/:id/check',
  params: z.object({ id: connectorId }),
  success: { 200: venueCheckReport },
});

export const runVenueCheck = checks({
  method: 'POST',
  summary: 'Check whether everything works that trading at a live venue needs',
  description:
    'Asks the venue some ten questions and takes up to half a minute. With `tradeAccountId` it looks at the account too. A step that fails is part of the answer; it is no error. Nothing is ordered, except with `orders`, which only a session may set: then it sends the smallest orders of one instrument that the account does not hold, 12 USD at most each, buys once, sells again, and needs neither arming nor more than a minute or two. On the main network that is real money: `confirm` has to be the alias of the account, else 400 on path `confirm`. The account must be free of baskets, waiting orders and running executions; its fills are in its history, in no basket.',
  body: z.strictObject({
    tradeAccountId: uuid.optional(),
    transcript: z.boolean().default(false),
    orders: z
      .boolean()
      .default(false)
      .register(DOCS, { description: 'Send orders too; needs `tradeAccountId`' }),
    confirm: z.string().optional().register(DOCS, { description: "The account's alias, typed by a person" }),
  }),
  errors: ['RESOURCE_NOT_FOUND', 'NOT_IMPLEMENTED_ERROR'],
});

export const readVenueCheck = checks({
  method: 'GET',
  summary: 'What the last check of a live venue found',
  errors: ['RESOURCE_NOT_FOUND'],
});
