/**
 * Notifications: pure builders of each category's `parameters`. A key that does not apply is left out, because readers
 * take its presence as a statement. `level` is a JSON number for display; the trigger has the exact level.
 */
import { askedLevel } from './bracket.ts';
import { type Condition, conditionMetric } from './condition-table.ts';
import type { DecimalString } from './decimal.ts';
import type { NOTIFICATION_CATEGORIES } from './enumerations.ts';
import type { Direction } from './measure.ts';
import { type Metric, TRANSFORM_METRICS } from './metrics.ts';
import type { Side } from './model.ts';
import type { Bracket, BracketKind, BracketMetric, Trigger } from './trigger.ts';

export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number];

export interface NotificationLeg {
  /** Instrument ID. */
  readonly id: string;
  /** Ticker. */
  readonly symbol: string;
  readonly side: Side;
}

export interface NotificationParameters {
  /** Instrument of the level's price, if the condition names one; in a liquidation, the first to be liquidated. */
  readonly instrument?: Pick<NotificationLeg, 'id' | 'symbol'>;
  readonly legs?: readonly NotificationLeg[];
  readonly type?: string;
  readonly triggerId?: string;
  readonly alertId?: string;
  readonly scheduleId?: string;
  readonly ladderId?: string;
  readonly positionId?: string;
  readonly executionId?: string;
  readonly approvalId?: string;
  readonly tradeAccountId?: string;
  readonly connector?: string;
  readonly metric?: Metric;
  readonly level?: number;
  /** Provider of the prediction market of a probability, and the market's key there. */
  readonly source?: string;
  readonly marketKey?: string;
  /** Hours that a z-score or a spread looks back on. */
  readonly lookback?: number;
  /** Side of the level on which it fires. */
  readonly direction?: Direction;
  /** From liquidation, a positive fraction, as `ratioMove` of `GET /positions/risk` says it. */
  readonly distance?: DecimalString;
  readonly reason?: string;
  readonly semanticBracketType?: BracketKind;
}

export interface NotificationText {
  readonly category: NotificationCategory;
  readonly parameters: NotificationParameters;
}

export interface Notification extends NotificationText {
  readonly id: string;
  readonly userId: string;
  readonly isRead: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Subject of most notifications: a basket on an account. An id is null where the basket has no such object.
 */
export interface NotificationSubject {
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly legs: readonly NotificationLeg[];
  readonly positionId: string | null;
  readonly executionId: string | null;
}

/** Categories of a trigger and of each bracket, by its outcome. */
const OUTCOMES = {
  TRIGGER: { executed: 'TRIGGER_EXECUTED', failed: 'TRIGGER_FAILED', expired: 'TRIGGER_EXPIRED' },
  ALERT: { executed: 'ALERT_HIT', failed: 'ALERT_EXPIRED', expired: 'ALERT_EXPIRED' },
  TAKE_PROFIT: { executed: 'TAKE_PROFIT_HIT', failed: 'TAKE_PROFIT_FAILED', expired: 'TRIGGER_EXPIRED' },
  STOP_LOSS: { executed: 'STOP_LOSS_HIT', failed: 'STOP_LOSS_FAILED', expired: 'TRIGGER_EXPIRED' },
} as const;

const BRACKET_METRICS: Readonly<Record<BracketMetric, Metric>> = {
  PERCENTAGE: 'pnl_pct',
  DOLLAR: 'pnl_usd',
  POSITION_VALUE: 'position_value',
  PRICE: 'price',
  PRICE_RATIO: 'price_ratio',
  WEIGHTED_RATIO: 'ratio',
};

function bracketMetric({ type, transform }: Bracket): Metric {
  return transform === undefined ? BRACKET_METRICS[type] : TRANSFORM_METRICS[transform];
}

function lookbackOf(watched: object): Pick<NotificationParameters, 'lookback'> {
  return 'lookback' in watched && typeof watched.lookback === 'number' ? { lookback: watched.lookback } : {};
}

function marketOf(condition: Condition): Pick<NotificationParameters, 'source' | 'marketKey'> {
  return 'marketKey' in condition ? { source: condition.source, marketKey: condition.marketKey } : {};
}

/**
 * Notification of an alert that was met, of a trigger or bracket that fired and traded (`HIT`, `EXECUTED`), failed to (`FAILED`), or expired.
 * @param level the firing level where trailing moved the level, else null
 * @param reason why the trigger failed, or that it fired late; null: neither
 * @param instrument that the condition names; null: none
 */
export function triggerNotification(
  trigger: Trigger,
  outcome: 'executed' | 'failed' | 'expired',
  legs: readonly NotificationLeg[],
  level: DecimalString | null,
  reason: string | null,
  instrument: NotificationParameters['instrument'] | null = null,
): NotificationText {
  const isAlert = trigger.kind === 'ALERT';
  const about = {
    ...subject({ ...trigger, legs }),
    ...stated(isAlert ? 'alertId' : 'triggerId', trigger.id),
    ...stated('ladderId', trigger.ladderId),
    ...stated('reason', reason),
  };
  if (trigger.condition !== null) {
    return {
      category: OUTCOMES[isAlert ? 'ALERT' : 'TRIGGER'][outcome],
      parameters: {
        ...about,
        type: isAlert ? 'alert' : 'trigger',
        ...(instrument === null ? {} : { instrument }),
        metric: conditionMetric(trigger.condition),
        ...marketOf(trigger.condition),
        level: Number(level ?? trigger.condition.value),
        ...lookbackOf(trigger.condition),
        direction: trigger.condition.direction,
      },
    };
  }
  const { bracketType, armed } = trigger;
  const parameters: NotificationParameters = {
    ...about,
    type: bracketType === 'TAKE_PROFIT' ? 'take_profit' : 'stop_loss',
    metric: bracketMetric(armed.bracket),
    level: Number(level ?? askedLevel(bracketType, armed.bracket)),
    ...lookbackOf(armed.bracket),
    direction: armed.direction,
    semanticBracketType: bracketType,
  };
  return { category: OUTCOMES[bracketType][outcome], parameters };
}

/** Notification of a schedule that completed, in full or (with the reason) in part, failed, or waits for its trader. */
export function scheduleNotification(
  category: 'SCHEDULE_COMPLETED' | 'SCHEDULE_FAILED' | 'SCHEDULE_STOPPED' | 'PLAN_PAUSED_LEG_IMBALANCE',
  about: NotificationSubject,
  scheduleId: string,
  reason: string | null,
): NotificationText {
  return {
    category,
    parameters: { ...subject(about), type: 'schedule', scheduleId, ...stated('reason', reason) },
  };
}

/** Notification of a stop that is not set, whose level cannot be compared, or whose close is refused. */
export function stopNotification(
  category: 'STOP_LOSS_NOT_SET' | 'STOP_LOSS_FAILED',
  about: NotificationSubject,
  reason: string,
): NotificationText {
  return { category, parameters: { ...subject(about), type: 'stop_loss', reason } };
}

/** Notification of a ladder whose rungs have all ended, some of them filled, or whose waiting rungs are paused. */
export function ladderNotification(
  about: NotificationSubject,
  ladderId: string,
  reason: string | null,
  category: 'LADDER_COMPLETED' | 'PLAN_PAUSED_LEG_IMBALANCE' = 'LADDER_COMPLETED',
): NotificationText {
  return {
    category,
    parameters: { ...subject(about), type: 'ladder', ladderId, ...stated('reason', reason) },
  };
}

/** Notification of a drift that was noticed (action NOTIFY, or a rebalance that could not be made), or traded away. */
export function rebalanceNotification(
  category: 'REBALANCE_DRIFT' | 'REBALANCE_EXECUTED',
  about: NotificationSubject,
  reason: string,
): NotificationText {
  return { category, parameters: { ...subject(about), type: 'rebalance', reason } };
}

/** Notification that some legs of a basket filled and others did not. */
export function legImbalanceNotification(about: NotificationSubject, reason: string): NotificationText {
  return { category: 'LEG_IMBALANCE', parameters: { ...subject(about), type: 'leg_imbalance', reason } };
}

/** Notification of a reversal that did not close its position, or did not open all of the opposite one. */
export function reversalNotification(about: NotificationSubject, reason: string): NotificationText {
  return { category: 'REVERSAL_FAILED', parameters: { ...subject(about), type: 'reversal', reason } };
}

/** Notification of an order about which the venue contradicts itself. */
export function orderReviewNotification(about: NotificationSubject, reason: string): NotificationText {
  return { category: 'ORDER_NEEDS_REVIEW', parameters: { ...subject(about), type: 'order_review', reason } };
}

/** Notification of a change of a position at the venue that no order of the gateway made. */
export function venueNotification(
  category: 'EXTERNAL_OPEN' | 'EXTERNAL_CLOSE' | 'POSITION_LIQUIDATED',
  about: NotificationSubject,
  reason: string | null,
): NotificationText {
  const type = category === 'POSITION_LIQUIDATED' ? 'liquidation' : 'external';
  return { category, parameters: { ...subject(about), type, ...stated('reason', reason) } };
}

/**
 * Notification that a liquidation is near.
 * @param first the instrument that the venue would close first
 * @param distance positive fraction
 */
export function liquidationNearNotification(
  about: NotificationSubject,
  first: Pick<NotificationLeg, 'id' | 'symbol'>,
  distance: DecimalString,
  reason: string,
): NotificationText {
  return {
    category: 'LIQUIDATION_NEAR',
    parameters: { ...subject(about), type: 'liquidation_near', instrument: first, distance, reason },
  };
}

export function connectorNotification(
  category: 'CONNECTOR_DEGRADED' | 'CONNECTOR_RECOVERED',
  connector: string,
  reason: string,
): NotificationText {
  return { category, parameters: { type: 'connector', connector, reason } };
}

/** Notification that one account is in trouble at its venue, while the venue is not, or works again, or has another mode. */
export function accountNotification(
  category: 'CONNECTOR_DEGRADED' | 'CONNECTOR_RECOVERED' | 'ACCOUNT_MODE_CHANGED' | 'OTHER_PROGRAM_TRADES',
  { id: tradeAccountId, connector }: { readonly id: string; readonly connector: string },
  reason: string,
): NotificationText {
  return { category, parameters: { type: 'account', tradeAccountId, connector, reason } };
}

/** Notification that the venue refuses an account's credentials, or that they end soon. */
export function credentialNotification(
  category: 'CREDENTIALS_REFUSED' | 'CREDENTIALS_EXPIRING',
  about: { readonly tradeAccountId: string; readonly connector: string },
  reason: string,
): NotificationText {
  const { tradeAccountId, connector } = about;
  return { category, parameters: { type: 'credentials', tradeAccountId, connector, reason } };
}

/** Notification that the venue takes fewer orders of an instrument than before, or soon will. */
export function instrumentNotification(
  about: Pick<NotificationParameters, 'connector' | 'legs' | 'positionId' | 'tradeAccountId'>,
  reason: string,
): NotificationText {
  return { category: 'INSTRUMENT_RESTRICTED', parameters: { ...about, type: 'instrument', reason } };
}

/** Notification that the machine's clock was set, or that the data folder's disk is full or soon will be. */
export function machineNotification(type: 'clock' | 'disk', reason: string): NotificationText {
  return { category: type === 'clock' ? 'CLOCK_CHANGED' : 'DISK_SPACE', parameters: { type, reason } };
}

/**
 * Notification that the venue gave one record the id of another: the venue's history is not the recorded one.
 */
export function historyLostNotification(
  about: { readonly tradeAccountId: string; readonly connector: string },
  reason: string,
): NotificationText {
  const { tradeAccountId, connector } = about;
  return {
    category: 'VENUE_HISTORY_LOST',
    parameters: { type: 'venue_history', tradeAccountId, connector, reason },
  };
}

/** Notification of a panic that has ended with everything closed, or goes on with holdings left. */
export function panicNotification(
  category: 'PANIC_FLAT' | 'PANIC_INCOMPLETE',
  legs: readonly NotificationLeg[],
  reason: string,
): NotificationText {
  return { category, parameters: { ...(legs.length === 0 ? {} : { legs }), type: 'panic', reason } };
}

/** Notification that an agent's or a program's order waits for a person, or that nobody answered in time. */
export function approvalNotification(
  category: 'APPROVAL_NEEDED' | 'APPROVAL_EXPIRED',
  about: {
    readonly id: string;
    readonly tradeAccountId: string;
    readonly connector: string;
    readonly legs: readonly NotificationLeg[];
  },
  reason: string,
): NotificationText {
  const { id: approvalId, tradeAccountId, connector, legs } = about;
  return {
    category,
    parameters: {
      ...(legs.length === 0 ? {} : { legs }),
      type: 'approval',
      approvalId,
      tradeAccountId,
      connector,
      reason,
    },
  };
}

/** `agent` is the name that the trader saw when connecting the agent. */
export function agentNotification(
  category: 'AGENT_CONNECTED' | 'AGENT_REVOKED',
  agent: string,
): NotificationText {
  return { category, parameters: { type: 'agent', reason: agent } };
}

/** Notification that the gateway has suspended an agent or an API key. */
export function suspendedNotification(name: string, reason: string): NotificationText {
  return { category: 'AGENT_SUSPENDED', parameters: { type: 'agent', reason: `${name}: ${reason}` } };
}

/** Notification that an agent's mandate did not allow its pending order to fire. The order is paused now. */
export function agentLimitNotification(
  about: NotificationSubject,
  which: Pick<NotificationParameters, 'triggerId' | 'scheduleId' | 'ladderId'>,
  reason: string,
): NotificationText {
  return { category: 'AGENT_LIMIT', parameters: { ...subject(about), ...which, type: 'agent', reason } };
}

export function subject(about: NotificationSubject): NotificationParameters {
  return {
    legs: about.legs,
    tradeAccountId: about.tradeAccountId,
    connector: about.connector,
    ...stated('positionId', about.positionId),
    ...stated('executionId', about.executionId),
  };
}

function stated(key: keyof NotificationParameters, value: string | null): NotificationParameters {
  return value === null ? {} : { [key]: value };
}
