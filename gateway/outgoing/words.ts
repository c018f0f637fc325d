/** Plain sentences of messages: the event, the basket, the amount, and the kind of money. */
import { dec, text, ZERO } from '../domain/decimal.ts';
import type { MessageKind } from '../domain/delivery.ts';
import { isOfBasket, METRICS, metricText, UNIT_SIGNS } from '../domain/metrics.ts';
import type { Execution, Position, Side } from '../domain/model.ts';
import type { MoneyWord } from '../domain/money.ts';
import type { Notification, NotificationCategory } from '../domain/notification.ts';
import { sideWord } from '../words/conditions.ts';
import { NOTIFICATION_TITLES } from '../words/notifications.ts';

const KINDS: Readonly<Record<NotificationCategory, MessageKind>> = {
  TAKE_PROFIT_HIT: 'FIRED',
  TAKE_PROFIT_FAILED: 'TROUBLE',
  STOP_LOSS_HIT: 'FIRED',
  STOP_LOSS_FAILED: 'TROUBLE',
  STOP_LOSS_NOT_SET: 'TROUBLE',
  PROTECTION_LOOSENED: 'TROUBLE',
  TRIGGER_EXECUTED: 'FIRED',
  TRIGGER_FAILED: 'TROUBLE',
  TRIGGER_EXPIRED: 'OTHER',
  ALERT_HIT: 'FIRED',
  ALERT_EXPIRED: 'OTHER',
  SCHEDULE_COMPLETED: 'FIRED',
  SCHEDULE_FAILED: 'TROUBLE',
  SCHEDULE_STOPPED: 'TROUBLE',
  PLAN_PAUSED_LEG_IMBALANCE: 'TROUBLE',
  LADDER_COMPLETED: 'FIRED',
  REBALANCE_DRIFT: 'TROUBLE',
  REBALANCE_EXECUTED: 'FIRED',
  LEG_IMBALANCE: 'TROUBLE',
  REVERSAL_FAILED: 'TROUBLE',
  EXTERNAL_OPEN: 'OTHER',
  EXTERNAL_CLOSE: 'OTHER',
  LIQUIDATION_NEAR: 'TROUBLE',
  POSITION_LIQUIDATED: 'TROUBLE',
  CONNECTOR_DEGRADED: 'TROUBLE',
  CONNECTOR_RECOVERED: 'OTHER',
  INSTRUMENT_RESTRICTED: 'TROUBLE',
  CLOCK_CHANGED: 'TROUBLE',
  VENUE_HISTORY_LOST: 'TROUBLE',
  ORDER_NEEDS_REVIEW: 'TROUBLE',
  CREDENTIALS_REFUSED: 'TROUBLE',
  CREDENTIALS_EXPIRING: 'TROUBLE',
  ACCOUNT_MODE_CHANGED: 'OTHER',
  OTHER_PROGRAM_TRADES: 'TROUBLE',
  DISK_SPACE: 'TROUBLE',
  APPROVAL_NEEDED: 'APPROVAL',
  APPROVAL_EXPIRED: 'APPROVAL',
  AGENT_CONNECTED: 'OTHER',
  AGENT_REVOKED: 'OTHER',
  AGENT_SUSPENDED: 'TROUBLE',
  AGENT_LIMIT: 'TROUBLE',
  PANIC_FLAT: 'OTHER',
  PANIC_INCOMPLETE: 'TROUBLE',
};

export function kindOfNotification(category: NotificationCategory): MessageKind {
  return KINDS[category];
}

/** Kind of money of an event, as the end of a sentence. */
export interface AccountWords {
  readonly money: MoneyWord;
  /** null: the user has no other account. */
  readonly alias: string | null;
  tickerOf(symbol: string): string;
}

const FILLED: Readonly<Record<Execution['intent'], string>> = {
  OPEN: 'Filled',
  ADJUST: 'Filled, adjusting',
  REDUCE: 'Filled, reducing',
  CLOSE: 'Filled, closing',
  REVERSE: 'Filled, reversing',
};

/** `Filled: long BTC / short ETH $1,000, paper` */
export function executionSentence(execution: Execution, account: AccountWords): string {
  const { intent, orders, status } = execution;
  // Orders of a reduction are opposite to its basket. A reversal's opening is an execution of its own.
  const closes = intent === 'CLOSE' || intent === 'REDUCE' || intent === 'REVERSE';
  const basket = basketWords(
    orders.map(({ symbol, side }) => ({ symbol, side: closes ? opposite(side) : side })),
    account,
  );
  const usd = orders.reduce(
    (sum, order) => sum.plus(dec(order.filledQuantity).mul(order.averagePrice ?? '0')),
    ZERO,
  );
  const amount = usd.isZero() ? '' : ` ${dollars(usd.toFixed())}`;
  if (status !== 'COMPLETED') {
    const what = status === 'CANCELLED' ? 'Cancelled' : 'Failed';
    const filled = usd.isZero() ? ', nothing filled' : `,${amount} filled`;
    const why = execution.error === null ? '' : `: ${execution.error}`;
    return `${what}: ${basket}${filled}, ${accountWord(account)}${why}`;
  }
  return `${FILLED[intent]}: ${basket}${amount}, ${accountWord(account)}`;
}

/** `Closed: long BTC / short ETH, +$12.34, paper` */
export function closedSentence(position: Position, account: AccountWords): string {
  const net = position.legs.reduce(
    (sum, leg) => sum.plus(leg.realizedPnl).minus(leg.feesPaid).minus(leg.fundingPaid),
    ZERO,
  );
  const sign = net.isNegative() ? '−' : '+';
  const basket = basketWords(position.legs, account);
  return `Closed: ${basket}, ${sign}${dollars(net.abs().toFixed())}, ${accountWord(account)}`;
}

export function notificationSentence(
  { category, parameters }: Notification,
  account: AccountWords | null,
): string {
  const { connector, reason = '', alertId, metric } = parameters;
  // An alert on a price or on the market has no basket, even if it was set with legs.
  const isOfMarket = alertId !== undefined && metric !== undefined && !isOfBasket(metric);
  const legs = isOfMarket ? [] : (parameters.legs ?? []);
  const basket = basketWords(
    legs.map(({ symbol, side }) => ({ symbol, side })),
    null,
  );
  const ofVenue = alertId === undefined ? (connector ?? '') : watchedBy(parameters);
  const subject = legs.length > 0 ? basket : ofVenue;
  const about = subject === '' ? '' : `: ${subject}`;
  const whose = account === null ? '' : `, ${accountWord(account)}`;
  const why = reason === '' ? '' : `. ${reason}`;
  return `${NOTIFICATION_TITLES[category]}${about}${levelWords(parameters)}${whose}${why}`;
}

/** Subject of an alert without a basket; empty: the market as a whole. */
function watchedBy({ instrument, source, marketKey }: Notification['parameters']): string {
  return marketKey === undefined ? (instrument?.symbol ?? '') : `${source}/${marketKey}`;
}

/** `, ETH price above 4000` of an alert: its condition is its only content. */
function levelWords(parameters: Notification['parameters']): string {
  const { alertId, metric, level, lookback, direction, instrument } = parameters;
  if (alertId === undefined || metric === undefined || level === undefined || direction === undefined)
    return '';
  const measure = metricText(metric, instrument?.symbol, lookback);
  // A small ratio as a number would be written with an exponent.
  const figure = `${text(dec(level))} ${UNIT_SIGNS[METRICS[metric].unit]}`.trimEnd();
  return `, ${measure} ${sideWord(direction)} ${figure}`;
}

interface Leg {
  readonly symbol: string;
  readonly side: Side;
}

/** @param account null: the symbols are tickers already */
function basketWords(legs: readonly Leg[], account: AccountWords | null): string {
  const of = (side: Side) =>
    legs
      .filter((leg) => leg.side === side)
      .map(({ symbol }) => account?.tickerOf(symbol) ?? symbol)
      .join(' + ');
  const [longs, shorts] = [of('BUY'), of('SELL')];
  return [longs === '' ? '' : `long ${longs}`, shorts === '' ? '' : `short ${shorts}`]
    .filter((words) => words !== '')
    .join(' / ');
}

function opposite(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

function accountWord({ money, alias }: AccountWords): string {
  const word = money === 'LIVE' ? 'LIVE' : money.toLowerCase();
  return alias === null ? word : `${word} (${alias})`;
}

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;

/** `$1,000`, and with cents below a hundred. @param usd not negative */
function dollars(usd: string): string {
  const value = dec(usd);
  const [whole = '0', cents] = (value.lt(100) ? value.toFixed(2) : value.toFixed(0)).split('.');
  return `$${whole.replace(GROUPS, ',')}${cents === undefined || cents === '00' ? '' : `.${cents}`}`;
}
