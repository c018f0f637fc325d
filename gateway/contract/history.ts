/** History: the fills of one position, and closed positions as trades. */
import { z } from 'zod';
import { POSITION_ORIGINS, TRADE_STEP_KINDS } from '../domain/enumerations.ts';
import {
  booleanQuery,
  connectorId,
  DOCS,
  decimal,
  instrumentId,
  isoTime,
  pathId,
  side,
  uuid,
} from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { checkDateOrder, dateRangeQuery } from './date-range.ts';
import { route } from './route.ts';
import { fill } from './trading.ts';

const netFunding = decimal.meta({ description: 'USD; positive: received' });

export const closedTradeLeg = z
  .strictObject({
    symbol: instrumentId,
    ticker: z.string(),
    side,
    quantity: decimal.meta({ description: 'All that was ever entered, base units' }),
    entryPrice: decimal.nullable().register(DOCS, { description: 'Quantity-weighted over all entries' }),
    exitPrice: decimal.nullable().register(DOCS, { description: 'Quantity-weighted over all exits' }),
    realizedPnl: decimal.meta({ description: 'Of price only, USD' }),
    fees: decimal.meta({ description: 'USD paid' }),
    funding: netFunding,
  })
  .register(DOCS, { id: 'ClosedTradeLeg' });

export const closedTradeStep = z
  .strictObject({
    kind: z.enum(TRADE_STEP_KINDS),
    executionId: uuid.nullable().register(DOCS, { description: 'null: not by an execution of the gateway' }),
    at: isoTime,
    legs: z.array(
      z.strictObject({
        symbol: instrumentId,
        side,
        quantity: decimal,
        price: decimal.meta({ description: 'Quantity-weighted' }),
        fee: decimal,
        realizedPnl: decimal,
      }),
    ),
  })
  .register(DOCS, { id: 'ClosedTradeStep' });

export const closedTrade = z
  .strictObject({
    id: uuid.meta({ description: "The position's" }),
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    origin: z.enum(POSITION_ORIGINS),
    legs: z.array(closedTradeLeg),
    realizedPnl: decimal,
    fees: decimal,
    funding: netFunding,
    netPnl: decimal.meta({ description: 'realizedPnl − fees + funding' }),
    returnPct: decimal
      .nullable()
      .register(DOCS, { description: 'netPnl in percent of all that was entered' }),
    openedAt: isoTime,
    closedAt: isoTime,
    durationSeconds: z.int(),
    steps: z
      .array(closedTradeStep)
      .optional()
      .register(DOCS, { description: 'With `includeSteps`, oldest first' }),
  })
  .register(DOCS, { id: 'ClosedTrade' });

export const listClosedTrades = route({
  method: 'GET',
  path: '/positions/closed',
  auth: 'K',
  account: true,
  tag: 'Positions',
  summary: 'Closed positions with what each leg was entered and left at, newest close first',
  description:
    'A page may hold fewer trades than `limit` and still carry `nextCursor`, because closed positions without a confirmed fill are skipped: go on until `nextCursor` is absent. `startDate` and `endDate` are about the close.',
  query: z
    .object({
      ...pageQuery(200, 20),
      ...dateRangeQuery,
      includeSteps: booleanQuery.default(false),
    })
    .superRefine(checkDateOrder),
  success: { 200: z.strictObject({ positions: z.array(closedTrade), nextCursor }) },
});

export const fundingPayment = z
  .strictObject({
    id: z.string(),
    connector: connectorId,
    tradeAccountId: uuid,
    timestamp: isoTime,
    symbol: instrumentId,
    ticker: z.string(),
    positionId: uuid.nullable().register(DOCS, { description: 'null: on what is in no basket' }),
    paidOn: z.enum(['POSITION', 'OUTSIDE', 'DUST']).register(DOCS, {
      description: 'OUTSIDE: on holdings traded outside Tandem; DUST: on what a close has left over',
    }),
    legs: z
      .array(z.strictObject({ symbol: instrumentId, side }))
      .register(DOCS, { description: 'Of the basket; empty: it is in none' }),
    rate: decimal.meta({ description: 'Decimal fraction per interval; positive: longs pay shorts' }),
    side: side.nullable().meta({ description: 'BUY: a long was held. null: as `notional` says it' }),
    notional: decimal.nullable().register(DOCS, {
      description: 'USD that it was paid on: |amount ÷ rate|; null: the rate or the amount is 0',
    }),
    amount: netFunding,
  })
  .register(DOCS, { id: 'FundingPayment' });

export const listFundingPayments = route({
  method: 'GET',
  path: '/funding/payments',
  auth: 'K',
  account: true,
  tag: 'Fills',
  summary: 'Funding payments, newest first, and what they come to',
  description:
    "A payment of the venue on an instrument is divided among the baskets that held it, a row each; `amount` of all rows of one payment adds up to the venue's.",
  query: z.object({ ...pageQuery(2_000, 50), ...dateRangeQuery }).superRefine(checkDateOrder),
  success: {
    200: z.strictObject({
      payments: z.array(fundingPayment),
      total: decimal.meta({
        description:
          'USD of all payments between `startDate` and `endDate`, on whatever page; positive: received',
      }),
      nextCursor,
    }),
  },
});

export const listPositionFills = route({
  method: 'GET',
  path: '/fills/:positionId',
  auth: 'K',
  account: true,
  tag: 'Fills',
  summary: 'The fills of one position, newest first',
  params: z.strictObject({ positionId: pathId }),
  query: z.object(pageQuery(2000, 2000)),
  success: { 200: z.strictObject({ fills: z.array(fill), nextCursor }) },
  errors: ['RESOURCE_NOT_FOUND'],
});
