/** Positions, and the routes that open, close and adjust them. */
import { z } from 'zod';
import { POSITION_ORIGINS, POSITION_STATUSES } from '../domain/enumerations.ts';
import { autoRebalance } from './auto-rebalance.ts';
import { clientId, slippage } from './basket-order.ts';
import { openingBrackets, positionBracket, protection } from './brackets.ts';
import {
  arrayQuery,
  connectorId,
  DOCS,
  decimal,
  decimalInput,
  idParams,
  instrumentId,
  isoTime,
  marginMode,
  positiveDecimalInput,
  side,
  uuid,
} from './common.ts';
import { watchFields } from './conditions.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { checkReducingFailure, closingLegFailure, legFailurePolicy } from './leg-failure.ts';
import { route, routesWith } from './route.ts';
import { checkSlicing, schedule, slicingFields } from './schedules.ts';
import { basketPlan, execution, executionIntent, openTradeBody } from './trading.ts';
import { trigger } from './triggers.ts';

export const positionLeg = z
  .strictObject({
    symbol: instrumentId,
    ticker: z.string(),
    side,
    quantity: decimal,
    entryPrice: decimal,
    markPrice: decimal.nullable(),
    notional: decimal.meta({ description: 'quantity × mark price, USD' }),
    leverage: z.int().register(DOCS, {
      description: "The venue's own of what is held; the setting where the venue does not answer",
    }),
    marginMode,
    marginUsed: decimal.meta({
      description:
        'USD; isolated: what the venue holds for the leg, profit and loss included; else notional ÷ leverage',
    }),
    targetWeight: decimal.meta({
      description: 'Share of gross notional that was asked for, whatever has filled',
    }),
    currentWeight: decimal.meta({ description: 'Share of gross notional at mark prices' }),
    unrealizedPnl: decimal,
    realizedPnl: decimal,
    feesPaid: decimal,
    fundingPaid: decimal.meta({ description: 'USD; positive: paid by the holder' }),
    liquidationPrice: decimal.nullable().register(DOCS, {
      description: "The venue's, of the account's net position in the instrument; null where none applies",
    }),
  })
  .register(DOCS, { id: 'PositionLeg' });

export const position = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    status: z.enum(POSITION_STATUSES),
    origin: z.enum(POSITION_ORIGINS),
    entryRatio: decimal.nullable().register(DOCS, {
      description:
        "The basket's weighted ratio at its entry prices: Π price^w of longs ÷ Π price^w of shorts, w = share of the entry notional",
    }),
    markRatio: decimal.nullable().register(DOCS, {
      description:
        'The same at the mark prices, with the weights of the entry: what differs is what prices did',
    }),
    entryPrice: decimal
      .nullable()
      .register(DOCS, { description: "The basket's price at entry: longs ÷ shorts" }),
    markPrice: decimal
      .nullable()
      .register(DOCS, { description: 'The same at the mark prices, with the weights of the entry' }),
    grossNotional: decimal,
    netNotional: decimal,
    marginUsed: decimal.meta({
      description:
        'Σ notional ÷ leverage; of an isolated leg what the venue holds for it, added margin included',
    }),
    unrealizedPnl: decimal,
    unrealizedPnlPct: decimal
      .nullable()
      .register(DOCS, { description: 'Percent of the gross notional at entry' }),
    realizedPnl: decimal.meta({ description: 'Of price only: fees and funding stand beside it' }),
    feesPaid: decimal,
    fundingPaid: decimal.meta({ description: 'USD; positive: paid by the holder' }),
    netPnl: decimal.meta({
      description:
        'USD, after fees and funding: unrealizedPnl + realizedPnl − feesPaid − fundingPaid. Of a closed position as `netPnl` of `GET /positions/closed`',
    }),
    takeProfit: positionBracket.nullable(),
    stopLoss: positionBracket.nullable(),
    protection: protection.meta({ description: 'Both in figures; empty: there is none' }),
    autoRebalance: autoRebalance.nullable(),
    legs: z.array(positionLeg),
    createdAt: isoTime,
    updatedAt: isoTime,
    closedAt: isoTime.nullable(),
  })
  .register(DOCS, { id: 'Position' });

export const positionLite = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    basketKey: z.string(),
    legs: z.array(z.strictObject({ symbol: instrumentId, side, quantity: decimal })),
  })
  .register(DOCS, { id: 'PositionLite' });

export const orderPlaced = z
  .strictObject({
    execution,
    intent: executionIntent,
    position: position
      .optional()
      .register(DOCS, { description: 'The open position that the execution changes' }),
  })
  .register(DOCS, { id: 'OrderPlaced' });

const accepted = { 202: orderPlaced } as const;
const ACTION_ERRORS = ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR', 'NOT_IMPLEMENTED_ERROR'] as const;

export const openTrade = route({
  method: 'POST',
  path: '/trade/open',
  auth: 'K',
  account: true,
  tag: 'Trading',
  summary: 'Open a basket at market, or add to the open one',
  description:
    'Acknowledges only: the 202 is sent once the execution is on disk; the fill and the position arrive as events. A timeout is not a failure: ask `GET /executions/by-key` what is acknowledged under the `Idempotency-Key`, or repeat the request with it. The basket of an account is its set of long and short instruments; opening it again adds to the position (`intent: ADJUST`). Nothing is silently enlarged: a leg that cannot be sent as asked fails the execution while `IDLE`.',
  body: openTradeBody,
  idempotent: true,
  success: {
    202: orderPlaced
      .extend({
        brackets: openingBrackets.optional().register(DOCS, {
          description: 'Where the order brings a take-profit or stop-loss, or one of an agent stays',
        }),
      })
      .register(DOCS, { id: 'OpenPlaced' }),
    200: z
      .strictObject({
        plan: basketPlan,
        brackets: openingBrackets.optional(),
        protection: protection.meta({
          description: 'Of the whole position once all has filled at the marks',
        }),
      })
      .register(DOCS, { id: 'PlanAnswer' }),
  },
  errors: ['RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR', ...LIMIT_ERRORS],
});

export const closeFraction = positiveDecimalInput.refine(
  (value) => /^0*(0(\.\d+)?|1(\.0+)?)$/.test(value),
  'Must be at most 1',
);

const closeFields = {
  fraction: closeFraction.default('1'),
  slippage: slippage.optional(),
  onLegFailure: closingLegFailure.default('RETRY'),
  clientId: clientId.optional(),
} as const;

const positionRoute = routesWith({ auth: 'K', account: true, tag: 'Positions' });

export const closePosition = positionRoute({
  method: 'POST',
  path: '/positions/:id/close',
  summary: 'Close a position, or a fraction of it: now, in slices, or when a condition is met',
  description:
    'MARKET answers 202 with the execution; its orders are tried again inside the slippage bound when they do not fill at once. TWAP answers 200 with the schedule, TRIGGER 200 with the trigger. Orders are reduce-only wherever the net position at the venue allows it.',
  params: idParams,
  body: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('MARKET'), ...closeFields }),
      z.strictObject({ type: z.literal('TWAP'), ...closeFields, ...slicingFields }).superRefine(checkSlicing),
      z.strictObject({ type: z.literal('TRIGGER'), ...closeFields, ...watchFields }),
    ])
    .register(DOCS, { id: 'ClosePosition', example: { type: 'MARKET', fraction: '0.5' } }),
  idempotent: true,
  success: { ...accepted, 200: z.union([trigger, schedule]).register(DOCS, { id: 'RestingClose' }) },
  errors: [...ACTION_ERRORS, 'CONFIGURATION_ERROR'],
});

const adjustFields = {
  intent: z.enum(['INCREASE', 'REDUCE']),
  usd: positiveDecimalInput.optional(),
  fraction: positiveDecimalInput.optional(),
  targets: z
    .array(z.strictObject({ symbol: instrumentId, quantity: decimalInput }))
    .min(1)
    .max(20)
    .optional(),
  slippage: slippage.optional(),
} as const;

function checkAdjust(
  body: z.output<z.ZodObject<typeof adjustFields>>,
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  const given = [body.usd, body.fraction, body.targets].filter((value) => value !== undefined).length;
  if (given !== 1) refuse([], 'Exactly one of usd, fraction or targets is needed');
  const isTooMuch = body.fraction !== undefined && !closeFraction.safeParse(body.fraction).success;
  if (body.intent === 'REDUCE' && isTooMuch) refuse(['fraction'], 'Must be at most 1');
  const symbols = body.targets?.map((target) => target.symbol) ?? [];
  if (new Set(symbols).size !== symbols.length) refuse(['targets'], 'A symbol may be named only once');
}

/** Request of an adjustment, without the fields that only sending needs. */
export const adjustmentBody = z.strictObject(adjustFields).superRefine(checkAdjust);

export const adjustPosition = positionRoute({
  method: 'POST',
  path: '/positions/:id/adjust',
  summary: 'Increase or reduce a position',
  description:
    'Exactly one of `usd` (spread by target weights when increasing, by current weights when reducing), `fraction` of every leg, or `targets` (absolute quantities; other legs stay). Quantities named in `targets` become the target weights; the legs that are not named keep their proportions to each other.',
  params: idParams,
  body: z
    .strictObject({
      ...adjustFields,
      onLegFailure: legFailurePolicy.default('KEEP').register(DOCS, {
        description:
          'What happens when a leg fails. With REDUCE there is no UNWIND: what was closed is not opened again',
      }),
      clientId: clientId.optional(),
    })
    .superRefine((body, context) => {
      checkAdjust(body, context);
      checkReducingFailure(body.intent === 'REDUCE', body, context);
    })
    .register(DOCS, { id: 'AdjustPosition', example: { intent: 'INCREASE', usd: '100' } }),
  idempotent: true,
  success: accepted,
  errors: [...ACTION_ERRORS, ...LIMIT_ERRORS],
});

export const listPositions = positionRoute({
  method: 'GET',
  path: '/positions',
  summary: 'Positions, open and closed',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(POSITION_STATUSES).optional(),
    orderBy: z.enum(['createdAt', '-createdAt', 'updatedAt', '-updatedAt']).default('-createdAt'),
  }),
  success: { 200: z.strictObject({ positions: z.array(position), nextCursor }) },
});

export const listPositionsLite = positionRoute({
  method: 'GET',
  path: '/positions/lite',
  summary: 'Open positions, minimal fields',
  success: { 200: z.strictObject({ positions: z.array(positionLite) }) },
});

export const getPosition = positionRoute({
  method: 'GET',
  path: '/positions/:id',
  summary: 'One position',
  params: idParams,
  success: { 200: position },
  errors: ['RESOURCE_NOT_FOUND'],
});
