/** Trades made on an account outside Tandem: pulling them, assigning them, simulating them on a paper account. */
import { z } from 'zod';
import { POSITION_STATUSES } from '../domain/enumerations.ts';
import {
  connectorId,
  DOCS,
  decimal,
  idParams,
  instrumentId,
  isoTime,
  positiveDecimalInput,
  side,
  uuid,
} from './common.ts';
import { position } from './positions.ts';
import { route, routesWith } from './route.ts';

const TAG = 'Venue sync';

const cloid = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Expected 1 to 64 letters, digits, _ or -');

const difference = z
  .strictObject({
    symbol: instrumentId,
    baskets: decimal.meta({ description: "Signed base units: what the gateway's baskets add up to" }),
    unassigned: decimal.meta({
      description:
        'Signed base units that the account holds in no basket (`GET /positions/unassigned`). Where it makes up the difference, it is explained.',
    }),
    venue: decimal.meta({ description: 'Signed base units that the venue holds' }),
  })
  .register(DOCS, { id: 'SyncDifference' });

const syncRoute = routesWith({ auth: 'K', account: true, tag: TAG });

export const syncAccountRoute = syncRoute({
  method: 'POST',
  path: '/sync',
  summary: "Pull the account's fills, orders and positions from the venue now",
  description:
    'The gateway also does so by itself, once a minute and after a lost connection. What was reduced outside is taken out of its basket where one basket alone holds the instrument and the fills explain the difference exactly; the basket is `MIXED` from then on. Everything else stays provisional until `POST /sync/positions` names its basket. `differences` is null while an execution is running.',
  body: z.strictObject({}).register(DOCS, { id: 'SyncRequest' }),
  bodyRequired: false,
  success: {
    200: z
      .strictObject({
        openOrders: z.int().nonnegative().register(DOCS, { description: 'Working orders at the venue' }),
        venuePositions: z
          .int()
          .nonnegative()
          .register(DOCS, { description: 'Instruments in which the venue holds a position' }),
        baskets: z.int().nonnegative().register(DOCS, { description: 'Open positions of the gateway' }),
        provisionalFills: z.int().nonnegative().register(DOCS, {
          description: 'Fills that wait for a position, or for their confirmation by the history',
        }),
        differences: z.array(difference).nullable(),
      })
      .register(DOCS, { id: 'SyncReport' }),
  },
  errors: ['CONFIGURATION_ERROR'],
});

export const accountDifference = z
  .strictObject({
    symbol: instrumentId,
    ticker: z.string(),
    baskets: decimal.meta({ description: 'Signed base units that the baskets add up to now' }),
    unassigned: decimal.meta({ description: 'Signed base units in no basket now' }),
    outside: decimal.meta({
      description:
        'The part of `unassigned` that was traded outside Tandem: `POST /sync/positions` makes a position of it',
    }),
    venue: decimal.nullable().register(DOCS, {
      description:
        'Signed base units that the venue held at `checkedAt`; null while something has changed since',
    }),
  })
  .register(DOCS, { id: 'AccountDifference' });

export const listDifferences = route({
  method: 'GET',
  path: '/sync/differences',
  auth: 'K',
  tag: TAG,
  summary: 'What the baskets do not explain, of each account',
  description:
    'Asks no venue: quantities of baskets are of now, those of the venue of the last comparison, which `POST /sync` repeats. An instrument is listed while something of it that was traded outside is in no basket, or while baskets and holdings in no basket do not add up to what the venue holds. No pagination.',
  success: {
    200: z.strictObject({
      accounts: z.array(
        z
          .strictObject({
            tradeAccountId: uuid,
            checkedAt: isoTime.nullable().register(DOCS, {
              description: 'When the venue was last compared; null: not since the start',
            }),
            differences: z.array(accountDifference),
          })
          .register(DOCS, { id: 'AccountDifferences' }),
      ),
    }),
  },
});

const leg = z.strictObject({ symbol: instrumentId, side });

const legsOnce = z
  .array(leg)
  .min(1)
  .max(20)
  .superRefine((legs, context) => {
    const twice = legs.findIndex(
      ({ symbol }, index) => legs.findIndex((one) => one.symbol === symbol) < index,
    );
    if (twice >= 0)
      context.addIssue({
        code: 'custom',
        path: [twice, 'symbol'],
        message: 'An instrument may be named only once',
      });
  });

export const syncPositionRoute = syncRoute({
  method: 'POST',
  path: '/sync/positions',
  summary: 'Make a position of what was traded outside Tandem',
  description:
    "Takes the provisional fills of the legs' instruments, or with `cloids` those of the named orders only. They become a position of origin `EXTERNAL`, or go to the open position of the same legs, which is then `MIXED`. The four `SYNC_CREATE_*` conflicts mean: wait, then send again. Fills must be 15 s old, the last execution must have ended 10 s ago; both are in `details`. Fills that the venue does not hold any more, for example from before a paper reset, make no position: `NOOP_ERROR`.",
  body: z
    .strictObject({
      legs: legsOnce,
      cloids: z.array(cloid).max(50).default([]),
    })
    .superRefine(({ cloids }, context) => {
      if (new Set(cloids).size !== cloids.length)
        context.addIssue({ code: 'custom', path: ['cloids'], message: 'An order may be named only once' });
    })
    .register(DOCS, {
      id: 'SyncPositionRequest',
      example: {
        legs: [
          { symbol: 'BTC-PERP', side: 'BUY' },
          { symbol: 'ETH-PERP', side: 'SELL' },
        ],
      },
    }),
  idempotent: 'answer',
  success: { 201: position },
  errors: [
    'SYNC_CREATE_EXECUTION_IN_FLIGHT',
    'SYNC_CREATE_EXECUTION_JUST_SETTLED',
    'SYNC_CREATE_FILLS_TOO_RECENT',
    'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL',
    'NOOP_ERROR',
    'CONFIGURATION_ERROR',
  ],
});

export const planSyncPosition = syncRoute({
  method: 'POST',
  path: '/sync/positions/plan',
  summary: 'What a position would be with what was traded outside Tandem',
  description:
    'Of `POST /sync/positions` with the same legs, at this moment: which fills go where, what stays open and what they realise. Nothing is recorded, no venue is asked, and the fills may be of any age. Refused as that would be.',
  body: z.strictObject({ legs: legsOnce }).register(DOCS, {
    id: 'PlanSyncPosition',
    example: { legs: [{ symbol: 'BTC-PERP', side: 'BUY' }] },
  }),
  success: {
    200: z
      .strictObject({
        positionId: uuid.nullable().register(DOCS, {
          description: 'The open position of these legs; null: they become one of their own',
        }),
        status: z.enum(POSITION_STATUSES).meta({ description: 'Of the position afterwards' }),
        fills: z.int().positive().meta({ description: 'How many it takes' }),
        legs: z.array(
          z.strictObject({
            symbol: instrumentId,
            ticker: z.string(),
            side,
            before: decimal.meta({ description: 'Base units that the position holds now' }),
            after: decimal.meta({ description: 'Base units that it holds then' }),
            entryPrice: decimal.meta({ description: 'Then' }),
          }),
        ),
        realizedPnl: decimal.meta({ description: 'Of what is reduced, of price only, USD' }),
        fees: decimal.meta({ description: 'Of the fills, paid, USD' }),
      })
      .register(DOCS, { id: 'SyncPositionPlan' }),
  },
  errors: ['NOOP_ERROR', 'CONFIGURATION_ERROR'],
});

export const provisionalFill = z
  .strictObject({
    id: uuid,
    symbol: instrumentId,
    side,
    price: decimal,
    quantity: decimal,
    cloid: z.string().nullable(),
    timestamp: isoTime,
  })
  .register(DOCS, { id: 'ProvisionalFill' });

export const listProvisionalFills = route({
  method: 'GET',
  path: '/fills/provisionals-lite',
  auth: 'K',
  account: true,
  tag: 'Fills',
  summary: 'Provisional fills, minimal fields, oldest first',
  description:
    "Fills that belong to no position yet, or that the venue's history has yet to confirm. No pagination.",
  success: { 200: z.strictObject({ fills: z.array(provisionalFill) }) },
});

export const unassignedHolding = z
  .strictObject({
    id: uuid.meta({ description: 'Of the fill that it began with' }),
    connector: connectorId,
    symbol: instrumentId,
    ticker: z.string(),
    source: z.enum(['OUTSIDE', 'DUST']).register(DOCS, {
      description:
        '`OUTSIDE`: traded outside Tandem and in no basket. `DUST`: left over from a basket that closed, too small for an order of its own; another close of the instrument takes it along.',
    }),
    quantity: decimal.meta({ description: 'Signed base units that are left of it: + long, − short' }),
    price: decimal.meta({ description: 'What it was traded, or left over, at' }),
    markPrice: decimal.nullable(),
    unrealizedPnl: decimal.nullable().register(DOCS, { description: 'USD' }),
    timestamp: isoTime,
  })
  .register(DOCS, { id: 'UnassignedHolding' });

export const listUnassigned = route({
  method: 'GET',
  path: '/positions/unassigned',
  auth: 'K',
  account: true,
  tag: 'Positions',
  summary: 'What the account holds in no basket, by instrument, oldest first',
  description:
    'Per instrument the venue’s net position is the sum of the baskets and of these holdings. A close, stop, unwind or panic never opens or enlarges a position that neither explains: what was traded against a basket outside Tandem, and is younger than it, is taken out of the basket as it closes (fills with cause `CLOSED_OUTSIDE`). No pagination.',
  success: { 200: z.strictObject({ items: z.array(unassignedHolding) }) },
});

const TRADE = {
  symbol: instrumentId,
  side,
  price: decimal,
  quantity: decimal,
  timestamp: isoTime,
};

export const fillReview = z
  .strictObject({
    id: uuid,
    code: z.literal('VENUE_HISTORY_LOST'),
    connector: z.string(),
    tradeId: z.string().register(DOCS, { description: 'As the venue gave it' }),
    recordedAs: z.string().register(DOCS, { description: '`tradeId` of the fill as it is kept here' }),
    executionId: uuid.nullable(),
    ...TRADE,
    known: z.strictObject(TRADE).register(DOCS, { description: 'The trade that this id stood for before' }),
    createdAt: isoTime,
  })
  .register(DOCS, { id: 'FillReview' });

export const listReviews = syncRoute({
  method: 'GET',
  path: '/sync/reviews',
  summary: 'Fills that came with the id of another trade, oldest first',
  description:
    'A venue that lost its history (a paper account whose files were taken away or put back from an older copy) may count its trades anew. Such a fill is a trade all the same: it is recorded under an id of its own, its order ends, its position takes it and every sum counts it. Until it is resolved the account is `DEGRADED` with the check `history`, and `/ready` says so. The same id with the same content is one trade told twice, and nothing to review. No pagination.',
  success: { 200: z.strictObject({ reviews: z.array(fillReview) }) },
});

export const resolveReviews = syncRoute({
  method: 'POST',
  path: '/sync/reviews/resolve',
  summary: 'Say that the account was compared with the venue',
  description:
    'Changes no fill and no position: what still differs from the venue is in `differences` of `POST /sync`. What is not under review counts 0.',
  body: z
    .strictObject({
      ids: z
        .array(uuid)
        .min(1)
        .max(1_000)
        .optional()
        .register(DOCS, { description: 'Default: all of the account' }),
    })
    .register(DOCS, { id: 'ResolveReviews' }),
  bodyRequired: false,
  idempotent: 'answer',
  success: { 200: z.strictObject({ resolved: z.int().nonnegative() }) },
});

export const paperOrderRoute = route({
  method: 'POST',
  path: '/trade-accounts/:id/paper/outside-order',
  auth: 'K',
  tag: TAG,
  summary: 'Trade a paper account outside Tandem',
  description:
    "Paper accounts only (501 elsewhere): an order as if it were placed in the venue's own interface, filled at once within 5 % of the mark. No execution knows of it; its fills appear as provisional. For trying out `/sync` and what a bot makes of foreign trades. Exactly one of `quantity` and `usd`. A `cloid` that the account has used before gets the first outcome again; with an `Idempotency-Key` and no `cloid`, the key names the order.",
  params: idParams,
  body: z
    .strictObject({
      symbol: instrumentId,
      side,
      quantity: positiveDecimalInput.optional(),
      usd: positiveDecimalInput.optional(),
      reduceOnly: z.boolean().default(false),
      cloid: cloid.optional(),
    })
    .refine((body) => (body.quantity === undefined) !== (body.usd === undefined), {
      path: ['quantity'],
      message: 'Exactly one of quantity and usd is needed',
    })
    .register(DOCS, { id: 'PaperOutsideOrder', example: { symbol: 'BTC-PERP', side: 'BUY', usd: '500' } }),
  idempotent: 'answer',
  success: {
    200: z
      .strictObject({
        cloid: z.string(),
        venueOrderId: z.string(),
        status: z
          .enum(['filled', 'cancelled'])
          .register(DOCS, { description: '`cancelled`: it filled in part, or not at all' }),
        filledQuantity: decimal,
        fills: z.array(
          z.strictObject({
            tradeId: z.string(),
            price: decimal,
            quantity: decimal,
            fee: decimal,
            timestamp: isoTime,
          }),
        ),
      })
      .register(DOCS, { id: 'PaperOutsideOrderOutcome' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR'],
});
