/** Text of a notification in a trader's words, and the screen to which it leads. */
import type { Answer } from '../../../gateway/client/client.ts';
import { isOfBasket, METRICS, metricText, UNIT_SIGNS } from '../../../gateway/domain/metrics.ts';
import { sideWord } from '../../../gateway/words/conditions.ts';
import { NOTIFICATION_TITLES } from '../../../gateway/words/notifications.ts';
import { basketName } from '../basket-name/basket-name.ts';

export type Notification = Answer<'GET /notifications'>['notifications'][number];
export type Category = Notification['category'];

/** A group of categories in the filter and in the preferences. */
export interface CategoryGroup {
  readonly title: string;
  readonly categories: readonly Category[];
}

export const CATEGORY_GROUPS: readonly CategoryGroup[] = [
  {
    title: 'Take-profit and stop-loss',
    categories: [
      'TAKE_PROFIT_HIT',
      'TAKE_PROFIT_FAILED',
      'STOP_LOSS_HIT',
      'STOP_LOSS_FAILED',
      'STOP_LOSS_NOT_SET',
      'PROTECTION_LOOSENED',
    ],
  },
  { title: 'Alerts', categories: ['ALERT_HIT', 'ALERT_EXPIRED'] },
  { title: 'Triggers', categories: ['TRIGGER_EXECUTED', 'TRIGGER_FAILED', 'TRIGGER_EXPIRED'] },
  {
    title: 'TWAPs and ladders',
    categories: [
      'SCHEDULE_COMPLETED',
      'SCHEDULE_FAILED',
      'SCHEDULE_STOPPED',
      'PLAN_PAUSED_LEG_IMBALANCE',
      'LADDER_COMPLETED',
    ],
  },
  { title: 'Rebalancing', categories: ['REBALANCE_DRIFT', 'REBALANCE_EXECUTED'] },
  {
    title: 'Positions',
    categories: [
      'LEG_IMBALANCE',
      'REVERSAL_FAILED',
      'ORDER_NEEDS_REVIEW',
      'EXTERNAL_OPEN',
      'EXTERNAL_CLOSE',
      'LIQUIDATION_NEAR',
      'POSITION_LIQUIDATED',
    ],
  },
  { title: 'Closing everything', categories: ['PANIC_FLAT', 'PANIC_INCOMPLETE'] },
  {
    title: 'Venues and agents',
    categories: [
      'CONNECTOR_DEGRADED',
      'CONNECTOR_RECOVERED',
      'CREDENTIALS_REFUSED',
      'CREDENTIALS_EXPIRING',
      'ACCOUNT_MODE_CHANGED',
      'OTHER_PROGRAM_TRADES',
      'DISK_SPACE',
      'INSTRUMENT_RESTRICTED',
      'VENUE_HISTORY_LOST',
      'CLOCK_CHANGED',
      'APPROVAL_NEEDED',
      'APPROVAL_EXPIRED',
      'AGENT_CONNECTED',
      'AGENT_REVOKED',
      'AGENT_SUSPENDED',
      'AGENT_LIMIT',
    ],
  },
];

/** Urgency of a notification: `attention` asks its reader to act or to check. */
export type Weight = 'information' | 'attention';

const ATTENTION: ReadonlySet<Category> = new Set<Category>([
  'TAKE_PROFIT_FAILED',
  'STOP_LOSS_FAILED',
  'STOP_LOSS_NOT_SET',
  'PROTECTION_LOOSENED',
  'TRIGGER_FAILED',
  'SCHEDULE_FAILED',
  'SCHEDULE_STOPPED',
  'PLAN_PAUSED_LEG_IMBALANCE',
  'REBALANCE_DRIFT',
  'LEG_IMBALANCE',
  'REVERSAL_FAILED',
  'EXTERNAL_CLOSE',
  'LIQUIDATION_NEAR',
  'POSITION_LIQUIDATED',
  'CONNECTOR_DEGRADED',
  'PANIC_INCOMPLETE',
  'VENUE_HISTORY_LOST',
  'ORDER_NEEDS_REVIEW',
  'CREDENTIALS_REFUSED',
  'CREDENTIALS_EXPIRING',
  'OTHER_PROGRAM_TRADES',
  'INSTRUMENT_RESTRICTED',
  'CLOCK_CHANGED',
  'APPROVAL_NEEDED',
  'AGENT_SUSPENDED',
  'AGENT_LIMIT',
]);

const AGENTS: ReadonlySet<Category> = new Set<Category>([
  'AGENT_CONNECTED',
  'AGENT_REVOKED',
  'AGENT_SUSPENDED',
]);

const OF_ACCOUNTS: ReadonlySet<Category> = new Set<Category>([
  'CONNECTOR_DEGRADED',
  'CONNECTOR_RECOVERED',
  'CREDENTIALS_REFUSED',
  'CREDENTIALS_EXPIRING',
  'ACCOUNT_MODE_CHANGED',
  'OTHER_PROGRAM_TRADES',
]);

/** Categories about holdings outside Tandem, unless the notification names a position. */
const PAST_TANDEM: ReadonlySet<Category> = new Set<Category>([
  'EXTERNAL_OPEN',
  'EXTERNAL_CLOSE',
  'LIQUIDATION_NEAR',
]);

export function weightOf(category: Category): Weight {
  return ATTENTION.has(category) ? 'attention' : 'information';
}

export interface NotificationText {
  readonly title: string;
  /** The basket, the agent or the venue. Empty: the notification has no subject. */
  readonly subject: string;
  /** Level and reason. Empty: the notification has neither. */
  readonly detail: string;
}

/** @param formatNumber for the level, which the gateway gives as a number for display */
export function notificationText(
  { category, parameters }: Pick<Notification, 'category' | 'parameters'>,
  formatNumber: (value: number) => string,
): NotificationText {
  const { connector, reason, metric, level, lookback, direction, instrument } = parameters;
  const title = NOTIFICATION_TITLES[category];
  // The reason is a whole sentence, which has no space beside a subject.
  if (category === 'AGENT_SUSPENDED') return { title, subject: '', detail: reason ?? '' };
  if (AGENTS.has(category)) return { title, subject: reason ?? '', detail: '' };
  const legs = legsOf(parameters);
  const subject =
    legs.length > 0
      ? basketName(legs, (ticker) => ticker).text
      : (instrument?.symbol ?? marketOf(parameters) ?? connector ?? '');
  const parts: string[] = [];
  if (metric !== undefined && level !== undefined) {
    const name = metricText(metric, instrument?.symbol, lookback);
    const figure = `${formatNumber(level)} ${UNIT_SIGNS[METRICS[metric].unit]}`.trimEnd();
    parts.push(
      direction === undefined
        ? bareLevel(category, name, figure)
        : levelText(category, name, direction, figure),
    );
  }
  if (reason !== undefined && reason !== '') parts.push(reason);
  return { title, subject, detail: sentence(parts.join(' · ')) };
}

/** Legs of the notification's basket. Alerts on a price or the market have no basket, even if they name legs. */
export function legsOf({ legs, alertId, metric }: Notification['parameters']) {
  const isOfMarket = alertId !== undefined && metric !== undefined && !isOfBasket(metric);
  return legs === undefined || isOfMarket ? [] : legs;
}

/** Market that an alert without basket and instrument watches: the market as a whole, not a venue. */
function marketOf({ alertId, metric, source, marketKey }: Notification['parameters']): string | undefined {
  if (alertId === undefined) return undefined;
  if (metric === 'probability')
    return marketKey === undefined ? 'Prediction market' : `${source}/${marketKey}`;
  return metric === undefined ? '' : sentence(METRICS[metric].name);
}

/** `price ratio above 3`, in the words of the order's condition. */
function levelText(
  category: Category,
  name: string,
  direction: NonNullable<Notification['parameters']['direction']>,
  level: string,
): string {
  const condition = `${name} ${sideWord(direction)} ${level}`;
  return category === 'TRIGGER_EXPIRED' || category === 'ALERT_EXPIRED'
    ? `waited for ${condition}`
    : condition;
}

/** Text for older notifications, which have the level but not the direction in which it was crossed. */
function bareLevel(category: Category, name: string, level: string): string {
  if (category === 'TRIGGER_EXPIRED') return `waited for ${name} ${level}`;
  if (category === 'TRIGGER_EXECUTED' || category.endsWith('_HIT')) return `${name} reached ${level}`;
  return `${name} ${level}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Address to which the notification leads, inside the router's base; null: none. */
export function notificationHref({
  category,
  parameters,
}: Pick<Notification, 'category' | 'parameters'>): string | null {
  if (parameters.approvalId !== undefined) return `/approvals/${encodeURIComponent(parameters.approvalId)}`;
  if (AGENTS.has(category)) return '/agents';
  if (OF_ACCOUNTS.has(category)) return '/accounts';
  if (category === 'PANIC_FLAT' || category === 'PANIC_INCOMPLETE') return '/positions';
  if (parameters.positionId !== undefined) return `/positions/${encodeURIComponent(parameters.positionId)}`;
  if (PAST_TANDEM.has(category)) return '/positions/past-tandem';
  if (parameters.ladderId !== undefined) return '/orders/ladders';
  if (parameters.scheduleId !== undefined) return '/orders/twap';
  if (parameters.alertId !== undefined) return '/orders/alerts';
  if (parameters.triggerId !== undefined) return '/orders/triggers';
  if (parameters.executionId !== undefined) return '/orders/executions';
  return null;
}
