/**
 * What the command line reads of the gateway's answers. Looser than the contract on purpose: a newer gateway may answer
 * with more fields, and `--json` passes answers through as they came.
 */
import { z } from 'zod';
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

export const execution = z.looseObject({
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

const reviewedTrade = {
  symbol: z.string(),
  side,
  price: z.string(),
  quantity: z.string(),
  timestamp: z.string(),
};

export const reviewList = z.looseObject({
  reviews: z.array(
    z.looseObject({
      id: z.string(),
      tradeId: z.string(),
      ...reviewedTrade,
      known: z.looseObject(reviewedTrade),
    }),
  ),
});
export const resolvedReviews = z.looseObject({ resolved: z.number() });

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

export const position = z.looseObject({
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

export const plan = z.looseObject({
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

export const tradeAccount = z.looseObject({
  id: z.string(),
  alias: z.string(),
  connector: z.string(),
  mode: z.string(),
  status: z.string(),
});
export type TradeAccountAnswer = z.infer<typeof tradeAccount>;

export const apiKeyRecord = z.looseObject({
  id: z.string(),
  label: z.string(),
  scope: z.string(),
  keyPrefix: z.string(),
  expiresAt: optionalText,
  lastUsedAt: optionalText,
  createdAt: optionalText,
});
export const createdApiKey = apiKeyRecord.extend({ key: z.string() });

export const signIn = z.looseObject({ accessToken: z.string() });
export const symbolMap = z.record(z.string(), z.string());
export const connectorRow = z.looseObject({
  id: z.string(),
  mode: optionalText,
  marginMode: optionalText,
  status: z.string(),
  reason: optionalText,
});

export const executionEnvelope = z.looseObject({ execution });
export const planEnvelope = z.looseObject({ plan });
export const executionPage = z.looseObject({
  executions: z.array(execution),
  nextCursor: z.string().optional(),
});
export const positionPage = z.looseObject({
  positions: z.array(position),
  nextCursor: z.string().optional(),
});
export const tradeAccountList = z.looseObject({ tradeAccounts: z.array(tradeAccount) });
export const apiKeyList = z.looseObject({ apiKeys: z.array(apiKeyRecord) });
export const connectorList = z.looseObject({ connectors: z.array(connectorRow) });

/** Throws CliError when the answer is not what this version understands. */
export function read<S extends z.ZodType>(schema: S, answer: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new CliError(
    `the gateway's answer to ${what} is not understood (at '${at}'); are both of one version?`,
  );
}
