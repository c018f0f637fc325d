/** Trading pause and panic: a pause refuses new orders, a panic closes everything. */

import { z } from 'zod';
import { ACCOUNT_MODES, LEFT_OPEN_SOURCES, NETWORKS, PANIC_STATUSES } from '../domain/enumerations.ts';
import { booleanQuery, connectorId, DOCS, decimal, instrumentId, isoTime, uuid } from './common.ts';
import { businessCode } from './errors.ts';
import { closeAllFigures } from './position-plans.ts';
import { routesWith } from './route.ts';
import { execution } from './trading.ts';

const leftOpen = z
  .strictObject({
    tradeAccountId: uuid,
    connector: connectorId,
    source: z.enum(LEFT_OPEN_SOURCES).register(DOCS, {
      description:
        '`DUST` and `OUTSIDE` as in `GET /positions/unassigned`. `OUTSIDE` is closed only with `includeOutside`, and does not keep the panic from being flat without it. `UNEXPLAINED`: the venue holds it and no trade on record says why (its history was lost, say); the panic cannot be flat until it is closed at the venue, or trading is resumed.',
    }),
    positionId: uuid.nullable().register(DOCS, { description: 'null: in no basket' }),
    symbol: instrumentId,
    quantity: decimal.meta({ description: 'Signed base units' }),
    reason: z.string(),
  })
  .register(DOCS, { id: 'LeftOpen' });

export const panicState = z
  .strictObject({
    status: z.enum(PANIC_STATUSES).register(DOCS, {
      description:
        '`CLOSING`: it goes on, also after a restart, until nothing is left. `FLAT`: no basket and no dust is open. `ENDED`: trading was resumed before.',
    }),
    startedAt: isoTime,
    finishedAt: isoTime.nullable(),
    includeOutside: z.boolean(),
    left: z.array(leftOpen).register(DOCS, { description: 'What is still open, and why' }),
  })
  .register(DOCS, { id: 'PanicState' });

export const safety = z
  .strictObject({
    paused: z.boolean(),
    reason: z.enum(['PAUSE', 'PANIC']).nullable(),
    pausedAt: isoTime.nullable(),
    panic: panicState
      .nullable()
      .register(DOCS, { description: 'The latest panic; null: there never was one' }),
  })
  .register(DOCS, { id: 'Safety', description: "Of all of the user's trade accounts" });

const PAUSED_TEXT =
  'While paused, every route that could open something answers 409 `RESOURCE_BUSY` with `details.reason` `PAUSED`, triggers that open do not fire and slices that open are not sent. Closing stays possible: triggers that close, take-profit, stop-loss and closing slices go on.';

const route = routesWith({ auth: 'K', tag: 'Safety' });

export const getSafety = route({
  method: 'GET',
  path: '/safety',
  summary: 'Are new orders accepted?',
  success: { 200: safety },
});

export const pauseTrading = route({
  method: 'POST',
  path: '/safety/pause',
  summary: "No new orders on any of the user's accounts",
  description: `${PAUSED_TEXT} A key that is limited to some trade accounts may not (403).`,
  idempotent: 'answer',
  success: { 200: safety },
  errors: ['NOOP_ERROR'],
});

export const resumeTrading = route({
  method: 'POST',
  path: '/safety/resume',
  summary: 'Accept new orders again',
  description:
    'For the user alone, signed in or by an API key that is not limited to some trade accounts. An OAuth grant gets 403, whatever its scopes: an agent may pause and panic, and what the user has stopped stays stopped for it.',
  idempotent: 'answer',
  success: { 200: safety },
  errors: ['NOOP_ERROR'],
  noGrant: true,
});

const cancelledCounts = {
  triggers: z.int().nonnegative(),
  schedules: z.int().nonnegative(),
  ladders: z.int().nonnegative(),
  orders: z.int().nonnegative(),
  autoRebalances: z.int().nonnegative(),
};

export const panicReport = z
  .strictObject({
    safety,
    cancelled: z.strictObject(cancelledCounts),
    executions: z.array(execution).register(DOCS, { description: 'The closing ones' }),
    failures: z.array(
      z.strictObject({
        tradeAccountId: uuid,
        kind: z.enum(['POSITION', 'ORDER', 'TRIGGER', 'SCHEDULE', 'LADDER', 'AUTO_REBALANCE']),
        id: uuid,
        errorCode: businessCode,
        message: z.string(),
      }),
    ),
    accounts: z
      .array(
        z.strictObject({
          tradeAccountId: uuid,
          alias: z.string(),
          connector: connectorId,
          mode: z.enum(ACCOUNT_MODES),
          network: z.enum(NETWORKS).nullable(),
          cancelled: z.strictObject(cancelledCounts),
          closing: z.int().nonnegative().register(DOCS, { description: 'Number of closing executions' }),
          failed: z.int().nonnegative().register(DOCS, { description: 'Number of its `failures`' }),
        }),
      )
      .register(DOCS, {
        description:
          'The same for each account, in the order in which they were acted on: real money, then test networks, then paper',
      }),
  })
  .register(DOCS, { id: 'PanicReport' });

export const planPanic = route({
  method: 'GET',
  path: '/safety/panic/plan',
  summary: 'What closing everything would close now',
  description:
    'Of every trade account that the caller may use. What is held in no basket is not counted. Answered at once; with `includeExpected` the venues are asked for their books first, for a second at most.',
  query: z.object({
    includeExpected: booleanQuery.default(false).register(DOCS, {
      description: 'false: `expectedCost` and `expectedSlippage` are null',
    }),
  }),
  success: {
    200: z
      .strictObject({
        accounts: z.array(
          z.strictObject({
            tradeAccountId: uuid,
            ...closeAllFigures,
            shortBooks: z
              .array(z.strictObject({ symbol: instrumentId, ticker: z.string(), isPartial: z.boolean() }))
              .register(DOCS, {
                description:
                  'Instruments whose book holds less than would be closed, as far as the worst price: `expectedCost` is of what would fill. `isPartial`: the known part of the book ends before that price. Empty without `includeExpected`',
              }),
          }),
        ),
      })
      .register(DOCS, { id: 'PanicPlan' }),
  },
});

export const panic = route({
  method: 'POST',
  path: '/safety/panic',
  summary: "Pause, cancel everything that waits and close every position of all of the user's accounts",
  description: `${PAUSED_TEXT} Accounts with real money come first. The answer lists what it started. Closing goes on until everything is flat or trading is resumed, across restarts too: \`GET /safety\` shows what is left and why, the event \`panic.updated\` and the notifications \`PANIC_INCOMPLETE\` and \`PANIC_FLAT\` tell of it. Take-profit and stop-loss stay until their position is closed. Baskets of one account are closed together: what one sells and another buys is booked between them, and every order reduces what the account holds. A repeated idempotency key gets the first answer; to have it looked at anew, send another key or none. A mandate allows it that is for all accounts and manages ALL; one that does not is a 403 \`AGENT_LIMIT\`: \`POST /positions/close-all\` closes what it may close.`,
  body: z
    .strictObject({
      confirm: z.literal('CLOSE ALL'),
      includeOutside: z.boolean().default(false).register(DOCS, {
        description: 'Also close what was traded outside Tandem and is in no basket',
      }),
    })
    .register(DOCS, { id: 'Panic' }),
  idempotent: 'answer',
  success: {
    202: panicReport,
  },
});
