/** Alerts, as tools present them. They order nothing. */

import { z } from 'zod';
import { crossingWords } from '../words/conditions.ts';
import { accountOut as accountOfRow, accountsOf } from './accounts.ts';
import { type Answer, type Ask, Refused } from './ask.ts';
import { type AccountOut, nullableText } from './fields.ts';
import { type Outcome, type OutcomeName, outcomeOf } from './outcome.ts';
import { transformWords } from './trade-fields.ts';

export type Alert = Answer<'GET /alerts/:id'>;

export const alertOut = z.object({
  id: z.string().describe('change_alert, cancel and get_status take it'),
  status: z
    .enum(['WAITING', 'PRICES_STALE', 'TOLD', 'CANCELLED', 'EXPIRED'])
    .describe('PRICES_STALE: it goes on by itself'),
  condition: z.string(),
  level: z.string(),
  last_value: nullableText.describe('As last seen; of one that was told, the value that it was told at'),
  told_at: nullableText,
  expires_at: nullableText,
  placed_by: z.string().describe('you, another agent, the user'),
});

const STATUS = {
  ACTIVE: 'WAITING',
  PAUSED: 'PRICES_STALE',
  COMPLETED: 'TOLD',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
} as const satisfies Record<Alert['status'], z.input<typeof alertOut>['status']>;

export function alertRow(alert: Alert): z.input<typeof alertOut> {
  return {
    id: alert.id,
    status: STATUS[alert.status],
    condition: alertWords(alert),
    level: alert.condition.value,
    last_value: alert.lastValue,
    told_at: alert.triggeredAt,
    expires_at: alert.expiresAt,
    placed_by: alert.authority.name ?? 'the user',
  };
}

export function alertWords({ condition, legs, priceSource }: Alert): string {
  const of = 'transform' in condition ? transformWords(condition.transform, condition.lookback) : '';
  const isRatio = condition.type === 'PRICE_RATIO' || condition.type === 'WEIGHTED_RATIO';
  const basket = legs.map(({ symbol, side }) => `${side === 'BUY' ? 'LONG' : 'SHORT'} ${symbol}`).join(', ');
  const named = () => {
    if ('symbol' in condition) return ` of ${condition.symbol}`;
    if ('marketKey' in condition) return ` of ${condition.source}/${condition.marketKey}`;
    return isRatio ? ` of ${basket}` : '';
  };
  return `${of}${condition.type}${named()} (${priceSource}) ${crossingWords(condition.direction)} ${condition.value}`;
}

export function alertLine({
  id,
  status,
  condition,
  last_value: seen,
  expires_at: until,
}: z.input<typeof alertOut>) {
  const last = seen === null ? '' : `, last seen ${seen}`;
  return `- ${id}: ${status}, ${condition}${last}${until === null ? '' : `, until ${until}`}`;
}

const OUTCOME: Readonly<Record<Alert['status'], OutcomeName>> = {
  ACTIVE: 'RESTING',
  PAUSED: 'RESTING',
  COMPLETED: 'NOTHING_ORDERED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
};

const NEXT: Partial<Readonly<Record<Alert['status'], string>>> = {
  COMPLETED: 'Nothing needs to be done: it was told, and an alert orders nothing.',
  EXPIRED: 'If it is still wanted, set a new alert.',
};

export function ofAlert(alert: Alert, account: AccountOut): Outcome {
  const { status, id, lastValue, triggeredAt, authority } = alert;
  const next = NEXT[status];
  return outcomeOf({
    outcome: OUTCOME[status],
    money_moved: 'no',
    kind: 'alert',
    id,
    account,
    asked: `an alert, which orders nothing, when ${alertWords(alert)}`,
    reason: status === 'COMPLETED' ? `It was told at ${triggeredAt}, at a value of ${lastValue}` : null,
    placed_by: authority.name,
    ...(next === undefined ? {} : { next }),
  });
}

/** The account of an alert of the caller's. @throws Refused: there is none of this id */
export async function accountOfAlert(ask: Ask, id: string): Promise<AccountOut> {
  for (const account of (await accountsOf(ask)).map(accountOfRow)) {
    try {
      await ask('GET /alerts/:id', { account: account.id, params: { id } });
      return account;
    } catch (error) {
      if (!(error instanceof Refused) || error.refusal.status !== 404) throw error;
    }
  }
  throw new Refused({
    ok: false,
    status: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: `No alert that you can see has the id ${id}`,
    details: [{ path: 'id', message: 'Not one of list_alerts', code: 'not_found' }],
  });
}

const FIELDS: Readonly<Record<string, string>> = {
  'condition.type': 'when_metric',
  'condition.direction': 'when_direction',
  'condition.value': 'when_value',
  'condition.symbol': 'when_instrument',
  'condition.transform': 'when_transform',
  'condition.lookback': 'when_lookback_hours',
  'condition.source': 'when_source',
  'condition.marketKey': 'when_market_key',
  priceSource: 'when_price',
  expiresAt: 'when_expires_at',
};

/** Sends a request, and names refusals by the fields of the tool. @throws Refused */
export async function byToolFields<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Refused) || !Array.isArray(error.refusal.details)) throw error;
    const details = error.refusal.details.map((one) => ({ ...one, path: fieldOf(one.path) }));
    throw new Refused({ ...error.refusal, details });
  }
}

function fieldOf(path: string): string {
  return FIELDS[path] ?? (path.startsWith('legs') ? path.replace(/^legs/, 'long, short') : path);
}
