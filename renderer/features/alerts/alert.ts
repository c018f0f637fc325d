/** Alerts: their basket, and the body of a change. */
import type { Request, Row } from '../../../gateway/client/client.ts';
import { CONDITIONS } from '../../../gateway/domain/condition-table.ts';
import type { Basket } from '../basket/basket.ts';
import { weightText } from '../basket/basket.ts';
import { isSameWeight } from '../basket-weights/basket-weights.ts';

export type Alert = Row<'GET /alerts'>;
export type AlertChange = NonNullable<Request<'PATCH /alerts/{id}'>['body']>;

type Watched = Pick<Alert, 'condition' | 'legs'>;

export const isWaitingAlert = ({ status }: Pick<Alert, 'status'>) =>
  status === 'ACTIVE' || status === 'PAUSED';

export const isOfRatio = ({ condition }: Pick<Alert, 'condition'>) =>
  CONDITIONS[condition.type].names === 'ratio';

/** True: the alert watches the ratio of exactly these legs, or the price of one of them. */
export function isAboutBasket(alert: Watched, { legs }: Pick<Basket, 'legs'>): boolean {
  const { condition } = alert;
  if (!isOfRatio(alert)) return 'symbol' in condition && legs.some(({ id }) => id === condition.symbol);
  const sideOf = new Map(legs.map(({ id, side }) => [id, side]));
  return (
    legs.length === alert.legs.length && alert.legs.every(({ symbol, side }) => sideOf.get(symbol) === side)
  );
}

/** True: a chart of this basket can show the alert's level. A weighted ratio at other weights is another figure. */
export function isOnChartOf(alert: Watched, basket: Pick<Basket, 'legs'>): boolean {
  if (!isAboutBasket(alert, basket)) return !isOfRatio(alert);
  if (alert.condition.type !== 'WEIGHTED_RATIO') return true;
  const weights = new Map(basket.legs.map(({ id, weight }) => [id, weightText(weight)]));
  return alert.legs.every(({ symbol, weight }) => isSameWeight(Number(weights.get(symbol)), Number(weight)));
}

export interface AlertDraft {
  readonly level: string;
  /** ISO 8601; '': it does not expire. */
  readonly expiresAt: string;
  readonly allowImmediate: boolean;
}

export function alertDraftOf({ condition, expiresAt }: Pick<Alert, 'condition' | 'expiresAt'>): AlertDraft {
  return { level: condition.value, expiresAt: expiresAt ?? '', allowImmediate: false };
}

/** Only the values that differ from those when the form was opened; null: none differs. */
export function alertChange(
  standing: Pick<Alert, 'condition' | 'expiresAt'>,
  draft: AlertDraft,
): AlertChange | null {
  const level = draft.level.trim();
  const change = {
    ...(level === standing.condition.value ? {} : { condition: { value: level } }),
    ...(draft.expiresAt === (standing.expiresAt ?? '') ? {} : { expiresAt: draft.expiresAt || null }),
  };
  return Object.keys(change).length === 0 ? null : { ...change, allowImmediate: draft.allowImmediate };
}
