/**
 * Schemas of the fields that the command line reads in the gateway's answers. Looser than the contract on purpose: a
 * newer gateway may answer with more fields, and `--json` passes answers through as they came.
 */
import { z } from 'zod';
import type { RouteName } from '../client/route-types.ts';
import { CliError } from './cli-error.ts';

const side = z.enum(['BUY', 'SELL']);
const optionalText = z.string().nullish();

const order = z.looseObject({
  symbol: z.string(),
  side,
  status: z.string(),
  quantity: optionalText,
  filledQuantity: z.string(),
  averagePrice: optionalText,
  limitPrice: optionalText,
  error: optionalText,
  errorCode: optionalText,
});

const execution = z.looseObject({
  id: z.string(),
  status: z.enum(['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED']),
  intent: optionalText,
  error: optionalText,
  errorCode: optionalText,
  positionId: optionalText,
  createdAt: z.string(),
  finishedAt: optionalText,
  orders: z.array(order),
});
export type ExecutionAnswer = z.infer<typeof execution>;

const executionEnvelope = z.looseObject({ execution });

const reviewedTrade = {
  symbol: z.string(),
  side,
  price: z.string(),
  quantity: z.string(),
  timestamp: z.string(),
};

const review = z.looseObject({
  id: z.string(),
  tradeId: z.string(),
  ...reviewedTrade,
  known: z.looseObject(reviewedTrade),
});

const positionLeg = z.looseObject({
  symbol: z.string(),
  ticker: optionalText,
  side,
  quantity: z.string(),
  entryPrice: optionalText,
  markPrice: optionalText,
  notional: optionalText,
  unrealizedPnl: optionalText,
  liquidationPrice: optionalText,
});

const position = z.looseObject({
  id: z.string(),
  connector: z.string(),
  status: z.string(),
  grossNotional: optionalText,
  netNotional: optionalText,
  unrealizedPnl: optionalText,
  unrealizedPnlPct: optionalText,
  realizedPnl: optionalText,
  feesPaid: optionalText,
  fundingPaid: optionalText,
  legs: z.array(positionLeg),
  createdAt: z.string(),
  closedAt: optionalText,
});
export type PositionAnswer = z.infer<typeof position>;

const problem = z.looseObject({ code: z.string(), message: z.string() });

const plan = z.looseObject({
  legs: z.array(
    z.looseObject({
      symbol: z.string(),
      ticker: optionalText,
      side,
      quantity: optionalText,
      price: optionalText,
      limitPrice: optionalText,
      notional: optionalText,
      leverage: z.union([z.number(), z.string()]).nullish(),
      marginMode: optionalText,
      margin: optionalText,
      fee: optionalText,
      problem: problem.nullish(),
    }),
  ),
  grossNotional: optionalText,
  netNotional: optionalText,
  totalFee: optionalText,
  marginRequired: optionalText,
  freeMargin: optionalText,
  netFundingHourly: optionalText,
  problems: z.array(z.looseObject({ code: z.string(), message: z.string(), symbol: optionalText })),
});
export type PlanAnswer = z.infer<typeof plan>;

const tradeAccount = z.looseObject({
  id: z.string(),
  alias: z.string(),
  connector: z.string(),
  mode: z.string(),
  status: z.string(),
});
export type TradeAccountAnswer = z.infer<typeof tradeAccount>;

const apiKeyRecord = z.looseObject({
  id: z.string(),
  label: z.string(),
  scope: z.string(),
  keyPrefix: z.string(),
  expiresAt: optionalText,
  lastUsedAt: optionalText,
  createdAt: optionalText,
});
const session = z.looseObject({ accessToken: z.string() });
const connector = z.looseObject({
  id: z.string(),
  mode: optionalText,
  marginMode: optionalText,
  status: z.string(),
  reason: optionalText,
});
const check = z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string().nullish() });
const nextCursor = z.string().optional();

const SCHEMAS = {
  'GET /version': z.looseObject({ version: z.string() }),
  'GET /ready': z.looseObject({ ready: z.boolean(), checks: z.array(check) }),
  'GET /connectors': z.looseObject({ connectors: z.array(connector) }),
  'GET /instruments/symbol-to-id-map': z.record(z.string(), z.string()),
  'POST /auth/login': session,
  'POST /auth/register': session,
  'POST /api-keys': apiKeyRecord.extend({ key: z.string() }),
  'GET /api-keys': z.looseObject({ apiKeys: z.array(apiKeyRecord) }),
  'GET /trade-accounts': z.looseObject({ tradeAccounts: z.array(tradeAccount) }),
  'POST /trade/open': executionEnvelope,
  'POST /positions/{id}/close': executionEnvelope,
  'GET /executions/by-key': executionEnvelope,
  'GET /executions/{id}': executionEnvelope,
  'GET /executions': z.looseObject({ executions: z.array(execution), nextCursor }),
  'GET /positions': z.looseObject({ positions: z.array(position), nextCursor }),
  'GET /sync/reviews': z.looseObject({ reviews: z.array(review) }),
  'POST /sync/reviews/resolve': z.looseObject({ resolved: z.number() }),
} satisfies Partial<Readonly<Record<RouteName, z.ZodType>>>;

type Answers = { readonly [Route in keyof typeof SCHEMAS]: z.output<(typeof SCHEMAS)[Route]> };
const ANSWERS: { readonly [Route in keyof Answers]: z.ZodType<Answers[Route]> } = SCHEMAS;

/** Throws CliError when the answer does not fit this version's schema. */
export function read<Route extends keyof Answers>(route: Route, answer: unknown): Answers[Route] {
  return readAs(ANSWERS[route], answer, route);
}

/** The answer of `POST /trade/open` to a dry run. */
export function readPlan(answer: unknown): PlanAnswer {
  return readAs(z.looseObject({ plan }), answer, 'POST /trade/open').plan;
}

function readAs<T>(schema: z.ZodType<T>, answer: unknown, route: RouteName): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new CliError(
    `the gateway's answer to ${route} is not understood (at '${at}'); are both of one version?`,
  );
}
