/**
 * Checks of the fields that the command line reads in the gateway's answers. Looser than the contract, which has their
 * types, on purpose: a newer gateway may answer with more fields, and `--json` passes answers through as they came.
 */
import { z } from 'zod';
import type { Answer, Execution, RouteName } from '../client/route-types.ts';
import { side } from '../contract/common.ts';
import { houseLimits, mandate } from '../contract/mandate.ts';
import { CliError } from './cli-error.ts';
import { fundingPayments, orderBooks } from './market-answers.ts';
import { closePlan, dryRun, protection, reversePlan } from './plan-answers.ts';

/** Routes of the orders at market. */
export type MarketRoute = 'POST /trade/open' | 'POST /positions/{id}/close' | 'POST /positions/{id}/reverse';

export type PlacedAnswer = { [Route in MarketRoute]: Answer<Route> }[MarketRoute];

export type ExecutionAnswer = Execution;
export type PositionAnswer = Answer<'GET /positions'>['positions'][number];
export type TradeAccountAnswer = Answer<'GET /trade-accounts'>['tradeAccounts'][number];
type DryRunAnswer = Extract<Answer<'POST /trade/open'>, { readonly plan: unknown }>;
export type PlanAnswer = DryRunAnswer['plan'];
export type ClosePlanAnswer = Answer<'POST /positions/{id}/close/plan'>;
export type OrderAnswer = Answer<'GET /orders'>['orders'][number];
export type AlertAnswer = Answer<'GET /alerts'>['alerts'][number];
export type TriggerAnswer = Answer<'GET /triggers'>['triggers'][number];
export type ScheduleAnswer = Answer<'GET /schedules'>['schedules'][number];
export type LadderAnswer = Answer<'GET /ladders'>['ladders'][number];
export type BookAnswer = Answer<'GET /books'>['books'][number];
export type FundingAnswer = Answer<'GET /funding/payments'>['payments'][number];
export type MarketAnswer = Answer<'GET /markets'>['markets'][number];
export type WebhookAnswer = Answer<'GET /webhooks'>['webhooks'][number];
export type ChannelAnswer = Answer<'GET /notification-channels'>['notificationChannels'][number];
export type DeliveryAnswer = Answer<'POST /webhooks/{id}/test'>;
export type FaultAnswer = Answer<'POST /trade-accounts/{id}/paper/faults'>;
export type SafetyAnswer = Answer<'GET /safety'>;
export type ApprovalAnswer = Answer<'GET /approvals/{id}'>;
type ReviewAnswer = Answer<'GET /sync/reviews'>['reviews'][number];
type ApiKeyAnswer = Answer<'GET /api-keys'>['apiKeys'][number];
type AgentAnswer = Answer<'GET /agents'>['agents'][number];
type ConnectorAnswer = Answer<'GET /connectors'>['connectors'][number];

/** Fields of `Of` with text values. @param optional fields that may be null or missing */
function texts<Of>(needed: readonly (keyof Of & string)[], optional: readonly (keyof Of & string)[] = []) {
  return Object.fromEntries([
    ...needed.map((name) => [name, z.string()] as const),
    ...optional.map((name) => [name, z.string().nullish()] as const),
  ]);
}

const order = z.looseObject({
  ...texts<ExecutionAnswer['orders'][number]>(
    ['symbol', 'status', 'filledQuantity'],
    ['quantity', 'averagePrice', 'limitPrice', 'error', 'errorCode'],
  ),
  side,
});
const execution = z.looseObject({
  ...texts<ExecutionAnswer>(
    ['id', 'createdAt'],
    ['intent', 'error', 'errorCode', 'positionId', 'finishedAt'],
  ),
  status: z.enum(['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED']),
  orders: z.array(order),
});
const executionEnvelope = z.looseObject({ execution });

const reviewedTrade = { ...texts<ReviewAnswer>(['symbol', 'price', 'quantity', 'timestamp']), side };
const review = z.looseObject({
  ...texts<ReviewAnswer>(['id', 'tradeId']),
  ...reviewedTrade,
  known: z.looseObject(reviewedTrade),
});

const positionLeg = z.looseObject({
  ...texts<PositionAnswer['legs'][number]>(
    ['symbol', 'quantity'],
    ['ticker', 'entryPrice', 'markPrice', 'notional', 'unrealizedPnl', 'liquidationPrice'],
  ),
  side,
});
const position = z.looseObject({
  ...texts<PositionAnswer>(
    ['id', 'connector', 'status', 'createdAt'],
    [
      'grossNotional',
      'netNotional',
      'unrealizedPnl',
      'unrealizedPnlPct',
      'realizedPnl',
      'feesPaid',
      'fundingPaid',
      'netPnl',
      'closedAt',
    ],
  ),
  legs: z.array(positionLeg),
  protection,
});

const tradeAccount = z.looseObject(texts<TradeAccountAnswer>(['id', 'alias', 'connector', 'mode', 'status']));
const apiKeyRecord = z.looseObject(
  texts<ApiKeyAnswer>(['id', 'label', 'scope', 'keyPrefix'], ['expiresAt', 'lastUsedAt', 'createdAt']),
);
const agent = z.looseObject({
  ...texts<AgentAnswer>(['id', 'name', 'kind', 'state'], ['lastSeenAt']),
  mandate: z.looseObject({ terms: mandate.loose() }).nullable(),
  usage: z.looseObject({ openedUsd24h: z.string() }).nullable(),
});
const house = z.looseObject({ version: z.number(), limits: houseLimits.loose() });
const session = z.looseObject({ accessToken: z.string() });
const credentialField = z.looseObject({
  name: z.string(),
  label: z.string(),
  secret: z.boolean(),
  required: z.boolean(),
});
const connector = z.looseObject({
  ...texts<ConnectorAnswer>(
    ['id', 'status'],
    ['mode', 'marginMode', 'reason', 'displayName', 'override', 'until'],
  ),
  capabilities: z.array(z.string()).optional(),
  trading: z.enum(['UP', 'CLOSE_ONLY', 'DOWN']).optional(),
  credentials: z.array(credentialField).nullish(),
});
const check = z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string().nullish() });
const nextCursor = z.string().optional();

const approval = z.looseObject({
  ...texts<ApprovalAnswer>(
    ['id', 'status', 'kind', 'route', 'planHash', 'createdAt', 'expiresAt'],
    ['aboveUsd', 'says', 'madeId', 'withdrawnBecause'],
  ),
  asker: z.looseObject({ kind: z.string(), name: z.string() }),
  account: z.looseObject({
    alias: z.string().nullable(),
    connector: z.string(),
    mode: z.string(),
    network: z.string().nullable(),
  }),
  terms: z.array(z.looseObject({ name: z.string(), value: z.string() })),
  protection,
  reasons: z.array(z.string()),
  plan: z.looseObject({
    ...texts<ApprovalAnswer['plan']>(['worstUsd', 'feeUsd', 'exposureBeforeUsd', 'exposureAfterUsd']),
    legs: z.array(
      z.looseObject({
        ...texts<ApprovalAnswer['plan']['legs'][number]>(
          ['symbol', 'worstUsd', 'feeUsd'],
          ['quantity', 'mark', 'markNow', 'worstPrice', 'marginMode'],
        ),
        leverage: z.number().nullish(),
        side,
        reduces: z.boolean(),
      }),
    ),
  }),
});

const workingOrder = z.looseObject({
  ...texts<OrderAnswer>(
    ['id', 'symbol', 'status', 'filledQuantity', 'executionId', 'createdAt'],
    ['quantity', 'averagePrice', 'limitPrice', 'errorCode', 'error'],
  ),
  side,
});
const bracket = z.looseObject({ type: z.string(), value: z.string(), level: z.string().nullish() });
const restingLegs = z.array(z.looseObject({ symbol: z.string(), side, amount: z.string() }));
const trigger = z.looseObject({
  ...texts<TriggerAnswer>(
    ['id', 'kind', 'status', 'createdAt'],
    ['bracketType', 'lastValue', 'expiresAt', 'pauseReason', 'error', 'executionId'],
  ),
  legs: restingLegs,
  condition: z.looseObject({ type: z.string(), direction: z.string(), value: z.string() }).nullable(),
  bracket: bracket.nullable(),
});
const alert = z.looseObject({
  ...texts<AlertAnswer>(['id', 'status', 'createdAt'], ['lastValue', 'expiresAt', 'triggeredAt']),
  legs: z.array(z.looseObject({ symbol: z.string(), side })),
  condition: z.looseObject({ type: z.string(), direction: z.string(), value: z.string() }),
});
const schedule = z.looseObject({
  ...texts<ScheduleAnswer>(
    ['id', 'kind', 'status', 'totalUsd', 'filledUsd', 'createdAt'],
    ['nextSliceAt', 'pauseReason', 'error'],
  ),
  legs: restingLegs,
  sliceCount: z.number(),
  slicesCompleted: z.number(),
});
const slice = z.looseObject({
  ...texts<Answer<'GET /schedules/{id}'>['slices'][number]>(
    ['scheduledAt', 'status', 'filledUsd'],
    ['executedAt', 'executionId', 'error'],
  ),
  index: z.number(),
});
const ladder = z.looseObject({
  ...texts<LadderAnswer>(
    ['id', 'status', 'totalUsd', 'metric', 'direction', 'start', 'end', 'createdAt'],
    ['symbol', 'expiresAt'],
  ),
  legs: restingLegs,
  levels: z.number(),
  filledLevels: z.number(),
  rungs: z.array(
    z.looseObject({ index: z.number(), level: z.string(), usd: z.string(), status: z.string() }),
  ),
});
const safety = z.looseObject({
  ...texts<SafetyAnswer>([], ['reason', 'pausedAt']),
  paused: z.boolean(),
  panic: z
    .looseObject({
      status: z.string(),
      left: z.array(
        z.looseObject(
          texts<NonNullable<SafetyAnswer['panic']>['left'][number]>([
            'symbol',
            'quantity',
            'reason',
            'source',
          ]),
        ),
      ),
    })
    .nullable(),
});
const destination = {
  ...texts<WebhookAnswer>(['id', 'name']),
  enabled: z.boolean(),
  waiting: z.number(),
  skipped: z.number(),
  lastAttempt: z
    .looseObject(texts<NonNullable<WebhookAnswer['lastAttempt']>>(['at', 'status'], ['error']))
    .nullish(),
};
const webhook = z.looseObject({ ...destination, url: z.string(), events: z.array(z.string()) });
const channel = z.looseObject({ ...destination, service: z.string(), kinds: z.array(z.string()) });
const delivery = z.looseObject({
  ...texts<DeliveryAnswer>(['id', 'status', 'createdAt'], ['nextAttemptAt', 'error']),
  event: z.looseObject({ id: z.string(), event: z.string() }),
  attempts: z.number(),
  responseStatus: z.number().nullish(),
});
const paperFault = z.looseObject({
  ...texts<FaultAnswer>(['id', 'kind', 'endsAt'], ['symbol', 'fraction']),
  executed: z.boolean().nullish(),
  times: z.number().nullish(),
});
const positionBracket = bracket.extend({ status: z.string() }).nullable();

const SCHEMAS = {
  'GET /version': z.looseObject({ version: z.string() }),
  'GET /ready': z.looseObject({ ready: z.boolean(), checks: z.array(check) }),
  'GET /connectors': z.looseObject({
    connectors: z.array(connector),
    // A gateway of an earlier version does not say.
    credentialStore: z.looseObject({ refusal: z.string().nullable() }).optional(),
  }),
  'GET /instruments/symbol-to-id-map': z.record(z.string(), z.string()),
  'POST /auth/login': session,
  'POST /auth/register': session,
  'POST /api-keys': apiKeyRecord.extend({ key: z.string() }),
  'GET /api-keys': z.looseObject({ apiKeys: z.array(apiKeyRecord) }),
  'GET /agents': z.looseObject({ agents: z.array(agent), house }),
  'POST /agents/pause-all': z.looseObject({ suspended: z.array(z.string()) }),
  'PUT /agents/limits': house,
  'GET /trade-accounts': z.looseObject({ tradeAccounts: z.array(tradeAccount) }),
  'POST /trade-accounts': tradeAccount.extend({ exchangeIdentifier: z.string() }),
  'POST /connectors/{id}/wallet-approvals': z.looseObject({
    id: z.string(),
    message: z.string().optional(),
    terms: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    expiresAt: z.string(),
  }),
  'POST /connectors/{id}/wallet-approvals/{approvalId}': tradeAccount.extend({
    exchangeIdentifier: z.string(),
  }),
  'GET /trade-accounts/{id}/arming': z.looseObject({
    armed: z.boolean(),
    perOrderUsd: z.string(),
    totalUsd: z.string(),
    allow: z.looseObject({ apiKeys: z.boolean(), grants: z.boolean() }),
  }),
  'POST /connectors/{id}/check': z.looseObject({
    override: z.string().nullable(),
    ok: z.boolean(),
    steps: z.array(
      z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string(), remedy: z.string().nullable() }),
    ),
    proven: z.looseObject({ at: z.string(), version: z.string(), override: z.string().nullable() }).nullish(),
  }),
  'GET /approvals': z.looseObject({ approvals: z.array(approval), waiting: z.number(), nextCursor }),
  'GET /approvals/{id}': approval,
  'POST /approvals/{id}/approve': approval,
  'POST /approvals/{id}/deny': approval,
  'GET /executions/by-key': executionEnvelope,
  'GET /executions/{id}': executionEnvelope,
  'GET /executions': z.looseObject({ executions: z.array(execution), nextCursor }),
  'GET /positions': z.looseObject({ positions: z.array(position), nextCursor }),
  'GET /portfolio': z.looseObject(
    texts<Answer<'GET /portfolio'>>(
      ['unrealizedPnl', 'realizedPnl', 'fees', 'funding'],
      ['equity', 'balance', 'deposits'],
    ),
  ),
  'GET /markets': z.looseObject({
    markets: z.array(
      z.looseObject({
        ...texts<MarketAnswer>(
          ['id', 'symbol', 'price', 'priceChange24h'],
          ['funding', 'volume24h', 'openInterest'],
        ),
        tradeability: z.looseObject({ status: z.string() }),
      }),
    ),
    totals: z.looseObject({ markets: z.number() }),
  }),
  'GET /books': orderBooks,
  'GET /funding/payments': fundingPayments,
  'GET /orders': z.looseObject({ orders: z.array(workingOrder), nextCursor }),
  'GET /orders/{id}': workingOrder,
  'POST /orders/{id}/cancel': workingOrder,
  'GET /positions/{id}': position,
  'POST /positions/{id}/close/plan': closePlan,
  'POST /positions/{id}/reverse/plan': reversePlan,
  'PUT /positions/{id}/brackets': z.looseObject({ takeProfit: positionBracket, stopLoss: positionBracket }),
  'GET /alerts': z.looseObject({ alerts: z.array(alert), nextCursor }),
  'GET /alerts/{id}': alert,
  'POST /alerts': alert,
  'PATCH /alerts/{id}': alert,
  'GET /triggers': z.looseObject({ triggers: z.array(trigger), nextCursor }),
  'GET /triggers/{id}': trigger,
  'POST /triggers/open': trigger,
  'GET /schedules': z.looseObject({ schedules: z.array(schedule), nextCursor }),
  'GET /schedules/{id}': schedule.extend({ slices: z.array(slice) }),
  'POST /schedules': schedule,
  'GET /ladders': z.looseObject({ ladders: z.array(ladder), nextCursor }),
  'GET /ladders/{ladderId}': ladder,
  'POST /ladders': ladder,
  'GET /safety': safety,
  'POST /safety/pause': safety,
  'POST /safety/resume': safety,
  'POST /safety/panic': z.looseObject({
    safety,
    cancelled: z.record(z.string(), z.number()),
    executions: z.array(z.looseObject({ id: z.string() })),
    failures: z.array(z.looseObject({ kind: z.string(), id: z.string(), message: z.string() })),
  }),
  'POST /trade-accounts/{id}/paper/faults': paperFault,
  'GET /trade-accounts/{id}/paper/faults': z.looseObject({ paperFaults: z.array(paperFault) }),
  'DELETE /trade-accounts/{id}/paper/faults': z.looseObject({ ended: z.number() }),
  'GET /webhooks': z.looseObject({ webhooks: z.array(webhook) }),
  'POST /webhooks': webhook.extend({ secret: z.string() }),
  'POST /webhooks/{id}/rotate-secret': z.looseObject({ secret: z.string(), previousUntil: z.string() }),
  'POST /webhooks/{id}/test': delivery,
  'GET /webhooks/{id}/deliveries': z.looseObject({ deliveries: z.array(delivery), nextCursor }),
  'GET /notification-channels': z.looseObject({ notificationChannels: z.array(channel) }),
  'POST /notification-channels': channel,
  'GET /sync/reviews': z.looseObject({ reviews: z.array(review) }),
  'POST /sync/reviews/resolve': z.looseObject({ resolved: z.number() }),
} satisfies Partial<Readonly<Record<RouteName, z.ZodType>>>;

/** Throws CliError when the answer does not fit this version's schema. */
export function read<Route extends keyof typeof SCHEMAS>(route: Route, answer: Answer<Route>): Answer<Route> {
  return fitting(SCHEMAS[route], answer, route);
}

/** The execution in the answer to an order. */
export function readPlaced(route: MarketRoute, answer: PlacedAnswer): ExecutionAnswer {
  if (isObject(answer) && 'execution' in answer)
    return fitting(execution, answer.execution, route, 'execution.');
  throw notUnderstood(route, 'execution');
}

/** The answer of `POST /trade/open` to a dry run. */
export function readDryRun(answer: Answer<'POST /trade/open'>): DryRunAnswer {
  if (isObject(answer) && 'plan' in answer) return fitting(dryRun, answer, 'POST /trade/open');
  throw notUnderstood('POST /trade/open', 'plan');
}

/** True for a JSON object, whatever the type promises: the answer may come from another program. */
function isObject(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null;
}

function fitting<T>(schema: z.ZodType, value: T, route: RouteName, within = ''): T {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value;
  throw notUnderstood(route, `${within}${error.issues[0]?.path.join('.') ?? ''}`);
}

function notUnderstood(route: RouteName, at: string): CliError {
  return new CliError(
    `the gateway's answer to ${route} is not understood (at '${at}'); are both of one version?`,
  );
}
