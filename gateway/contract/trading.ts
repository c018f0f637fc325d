/** Leverage, opening baskets, executions and fills. */
import { z } from 'zod';
import {
  EXECUTION_INTENTS,
  EXECUTION_ORIGINS,
  EXECUTION_STATUSES,
  LEG_MODES,
  LIQUIDITIES,
  ORDER_ERROR_CODES,
  ORDER_STATUSES,
} from '../domain/enumerations.ts';
import { afterPlan } from './account-after.ts';
import { authority } from './authority.ts';
import { autoRebalanceInput } from './auto-rebalance.ts';
import { checkAmounts, clientId, slippage, totalUsd, tradeLegs } from './basket-order.ts';
import { bracketInput, bracketsMode } from './brackets.ts';
import {
  arrayQuery,
  booleanQuery,
  connectorId,
  DOCS,
  decimal,
  emptyObject,
  idParams,
  instrumentId,
  isoTime,
  marginMode,
  side,
  uuid,
} from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { legFailurePolicy } from './leg-failure.ts';
import { route, routesWith } from './route.ts';

// Schemas of requests

export const openTradeBody = z
  .strictObject({
    type: z.literal('MARKET'),
    legs: tradeLegs,
    totalUsd: totalUsd.optional(),
    slippage: slippage.default('0.01'),
    onLegFailure: legFailurePolicy.default('KEEP'),
    takeProfit: bracketInput.optional(),
    stopLoss: bracketInput.optional(),
    brackets: bracketsMode.default('KEEP'),
    autoRebalance: autoRebalanceInput.optional(),
    clientId: clientId.optional(),
    dryRun: z
      .boolean()
      .default(false)
      .register(DOCS, { description: 'true: answers 200 with the plan, records nothing' }),
  })
  .superRefine(checkAmounts)
  .register(DOCS, {
    id: 'OpenTrade',
    // Example that the documentation page fills in: an order that can be sent unchanged.
    example: {
      type: 'MARKET',
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
      ],
      dryRun: true,
    },
  });

// Schemas of answers

export const orderStatus = z.enum(ORDER_STATUSES).register(DOCS, { id: 'OrderStatus' });

export const orderErrorCode = z.enum(ORDER_ERROR_CODES).register(DOCS, { id: 'OrderErrorCode' });

export const executionErrorCode = z
  .enum([
    ...orderErrorCode.options,
    'VALIDATION_ERROR',
    'CONFIGURATION_ERROR',
    'NOOP_ERROR',
    'AGENT_LIMIT',
    'CANCELLED',
    'GATEWAY_RESTARTED',
    'PAUSED',
    'AGENT_DISCONNECTED',
    'CLOSE_ONLY',
    'VENUE_DOWN',
    'ACCOUNT_DOWN',
  ])
  .register(DOCS, {
    id: 'ExecutionErrorCode',
    description:
      "The first failing order's code, or why the execution as a whole ended: CANCELLED by its trader, NOOP_ERROR where nothing was left to do",
  });

export const executionOrder = z
  .strictObject({
    id: uuid,
    symbol: instrumentId,
    side,
    mode: z.enum(LEG_MODES),
    amount: decimal,
    status: orderStatus,
    quantity: decimal
      .nullable()
      .register(DOCS, { description: 'Base units sent to the venue, null until sized' }),
    filledQuantity: decimal.meta({
      description:
        'Base units. Of a closing order with the trades outside Tandem that it took in, so it may exceed what was asked for',
    }),
    averagePrice: decimal.nullable(),
    limitPrice: decimal.nullable(),
    reduceOnly: z.boolean(),
    attempt: z.int().nonnegative(),
    clientOrderId: z.string().nullable(),
    venueOrderId: z.string().nullable(),
    error: z.string().nullable(),
    errorCode: orderErrorCode.nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'ExecutionOrder' });

export const executionOrigin = z.enum(EXECUTION_ORIGINS);
export const executionIntent = z.enum(EXECUTION_INTENTS);

export const execution = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    type: z.literal('MARKET'),
    origin: executionOrigin,
    intent: executionIntent,
    status: z.enum(EXECUTION_STATUSES),
    error: z.string().nullable(),
    errorCode: executionErrorCode.nullable(),
    onLegFailure: legFailurePolicy,
    slippage: decimal,
    orders: z.array(executionOrder),
    positionId: uuid.nullable(),
    clientId: z.string().nullable(),
    parentId: uuid.nullable().register(DOCS, {
      description:
        'The execution whose filled legs this one closes again (`onLegFailure: UNWIND`), or the plan that placed it',
    }),
    authority,
    createdAt: isoTime,
    activeAt: isoTime.nullable(),
    finishedAt: isoTime.nullable(),
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Execution' });

export const fill = z
  .strictObject({
    id: uuid,
    executionId: uuid.nullable(),
    orderId: uuid.nullable(),
    positionId: uuid.nullable(),
    connector: connectorId,
    symbol: instrumentId,
    side,
    price: decimal,
    quantity: decimal,
    notional: decimal,
    fee: decimal,
    feeAsset: z.string(),
    realizedPnl: decimal,
    liquidity: z.enum(LIQUIDITIES),
    venueOrderId: z.string().nullable(),
    tradeId: z.string(),
    cloid: z.string().nullable(),
    isLiquidation: z.boolean(),
    isProvisional: z.boolean(),
    cause: z
      .enum([
        'TRADE',
        'INTERNAL',
        'CLOSED_OUTSIDE',
        'ADJUSTMENT',
        'ADL',
        'SETTLEMENT',
        'DELISTING',
        'BASELINE',
      ])
      .register(DOCS, {
        description:
          '`TRADE`: made by the venue. `ADL`, `SETTLEMENT`, `DELISTING`: closed by the venue without an order of the account (auto-deleveraging, expiry, delisting), spread over the baskets that held it. `BASELINE`: what the account held when it was connected, at its entry price. The others are transfers of the gateway, without a fee and with no part in the volume; another fill of the same quantity and price on the other side makes up for each. `INTERNAL`: between two baskets whose closes met, or from a basket to the dust of the account (`GET /positions/unassigned`). `CLOSED_OUTSIDE`: a basket took over what was traded against it outside Tandem. `ADJUSTMENT`: the venue no longer holds it and its history does not say why; it stands alone until the history does.',
      }),
    timestamp: isoTime,
  })
  .register(DOCS, { id: 'Fill' });

const planProblem = z
  .strictObject({
    code: orderErrorCode,
    message: z.string(),
    symbol: instrumentId.nullable().register(DOCS, { description: 'null: the basket as a whole' }),
  })
  .register(DOCS, { id: 'PlanProblem' });

export const expectedFill = z
  .strictObject({
    fillable: decimal.meta({
      description:
        'Base units that the book has no worse than `limitPrice`; less than `quantity`: the rest would not fill',
    }),
    averagePrice: decimal.nullable(),
    slippage: decimal.nullable().meta({
      description: 'Fraction of `price`, the mark; positive: worse than the mark, negative: better',
    }),
    cost: decimal.nullable().meta({ description: 'The same in USD' }),
    depth: decimal.meta({ description: 'USD offered as far as `limitPrice`' }),
    isPartial: z.boolean().meta({
      description:
        'true: the venue tells the best levels only, and they end before `limitPrice`: `fillable` and `depth` are at least these, what lies beyond is not known',
    }),
  })
  .register(DOCS, {
    id: 'ExpectedFill',
    description: "By the venue's order book of the moment, which moves before an order arrives",
  });

/** Of all orders of a plan together. */
export const expectedTotals = {
  expectedCost: decimal.nullable().meta({
    description:
      'USD that the legs together would pay past their marks by the books; null: a leg has no `expected`, or nothing of it would fill',
  }),
  expectedSlippage: decimal
    .nullable()
    .meta({ description: 'The same as a fraction of what would fill, at the marks' }),
} as const;

export const basketPlan = z
  .strictObject({
    legs: z.array(
      z.strictObject({
        symbol: instrumentId,
        ticker: z.string(),
        side,
        quantity: decimal,
        price: decimal.meta({ description: 'Mark price the leg was sized at' }),
        limitPrice: decimal.meta({ description: 'Worst price the order may fill at' }),
        notional: decimal,
        leverage: z.int().meta({
          description:
            "The venue's own, where the account holds something of the instrument: the venue sets margin aside at that one, whatever the setting says. Else the setting; the tier of the position that results may allow less",
        }),
        marginMode,
        margin: decimal.meta({
          description:
            "USD that the venue sets aside for what the leg adds to the account's net position, at `leverage` and the worse of mark and limit price. `after` counts at the expected price",
        }),
        fee: decimal.meta({
          description:
            'At most: taker fee of `quantity` at the worse of mark and limit price. `GET /fee` quotes the asked amount at mark',
        }),
        expected: expectedFill
          .nullable()
          .meta({ description: 'null: no book of the instrument is known, or the leg cannot be sent' }),
        problem: z.strictObject({ code: orderErrorCode, message: z.string() }).nullable(),
      }),
    ),
    grossNotional: decimal,
    netNotional: decimal,
    totalFee: decimal.meta({ description: 'Sum of the legs: see their `fee`' }),
    marginRequired: decimal.meta({
      description: 'Sum of the legs: see their `margin`. What only reduces needs none',
    }),
    freeMargin: decimal,
    netFundingHourly: decimal.meta({
      description: 'USD an hour at current rates; positive: the holder pays',
    }),
    ...expectedTotals,
    ...afterPlan,
    problems: z.array(planProblem),
  })
  .register(DOCS, { id: 'BasketPlan' });

export const leverageSetting = z
  .strictObject({ symbol: instrumentId, leverage: z.int().positive(), marginMode, updatedAt: isoTime })
  .register(DOCS, { id: 'LeverageSetting' });

// Routes

const leverageRoute = routesWith({ path: '/leverage', auth: 'K', account: true, tag: 'Trading' });

export const listLeverage = leverageRoute({
  method: 'GET',
  summary: "The account's leverage settings",
  description:
    'An instrument without a setting trades at min(5, its maximum), cross. What is held has the leverage that its venue keeps for it, which differs where it was changed outside Tandem or never set: `leverage` of a plan.',
  success: { 200: z.strictObject({ leverage: z.array(leverageSetting) }) },
});

export const putLeverage = leverageRoute({
  method: 'PUT',
  summary: 'Set leverage and margin mode of an instrument',
  description:
    '`marginMode` is required on every connector except those whose `marginMode` is `rejected`, where it must be left out. An agent, or a key with a mandate, whose user is asked about orders changes nothing while orders of its own wait: 409 `RESOURCE_BUSY`, `details.reason` `WAITING_ORDERS`.',
  body: z
    .strictObject({
      symbol: instrumentId,
      leverage: z.int().min(1, 'Must be greater than 0'),
      marginMode: marginMode.optional(),
    })
    .register(DOCS, { id: 'PutLeverage' }),
  idempotent: 'answer',
  success: { 200: emptyObject },
  errors: ['CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR', 'RESOURCE_BUSY'],
});

const executionRoute = routesWith({ method: 'GET', auth: 'K', account: true, tag: 'Executions' });

export const getExecution = executionRoute({
  path: '/executions/:id',
  summary: 'One execution, whatever its status: the way to read a failure reason',
  params: idParams,
  success: { 200: z.strictObject({ execution }) },
  errors: ['RESOURCE_NOT_FOUND'],
});

/** Routes that create an execution under an `Idempotency-Key`. */
const keyedRoute = z.enum([
  'POST /trade/open',
  'POST /positions/{id}/close',
  'POST /positions/{id}/adjust',
  'POST /positions/{id}/reverse',
  'POST /positions/{id}/rebalance',
]);
export type KeyedRoute = z.infer<typeof keyedRoute>;

export const getExecutionByKey = executionRoute({
  path: '/executions/by-key',
  summary: 'The execution that was acknowledged under an `Idempotency-Key`',
  description:
    'After a timeout: what became of the request, without sending it again. 404: nothing is acknowledged under this key so far; a request that is still on its way may be, so send it again with the same key rather than with another one. Keys are kept 24 hours, for the API key or agent that sent them; sessions of a user share theirs.',
  query: z.object({
    key: z.string().min(1).max(128).register(DOCS, { description: 'The `Idempotency-Key` that was sent' }),
    route: keyedRoute
      .default('POST /trade/open')
      .register(DOCS, { description: 'The route that it was sent to' }),
  }),
  success: { 200: z.strictObject({ execution }) },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const listExecutions = executionRoute({
  path: '/executions',
  summary: 'Executions, newest first',
  description:
    "`COMPLETED` also returns `FAILED` executions; `IDLE` cannot be selected; without `status` every status is returned. Executions that a schedule, or a trigger or a ladder's rung, placed are left out unless asked for; those of take-profit and stop-loss (`BRACKET`) are in.",
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(['ACTIVE', 'COMPLETED', 'CANCELLED']).optional(),
    includeSchedule: booleanQuery.default(false),
    includeTriggers: booleanQuery.default(false),
  }),
  success: { 200: z.strictObject({ executions: z.array(execution), nextCursor }) },
});

export const listFills = route({
  method: 'GET',
  path: '/fills',
  auth: 'K',
  account: true,
  tag: 'Fills',
  summary: 'Fills by time',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    orderBy: z.enum(['timestamp', '-timestamp']).default('-timestamp'),
  }),
  success: { 200: z.strictObject({ fills: z.array(fill), nextCursor }) },
});
