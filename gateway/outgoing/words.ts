/** Plain sentences of messages: what happened, to which basket, how much, and whose money. */
import { dec, text, ZERO } from '../domain/decimal.ts';
import type { MessageKind } from '../domain/delivery.ts';
import { isOfBasket, METRICS, metricText, UNIT_SIGNS } from '../domain/metrics.ts';
import type { Execution, Position, Side } from '../domain/model.ts';
import type { MoneyWord } from '../domain/money.ts';
import type { Notification, NotificationCategory } from '../domain/notification.ts';

interface Category {
  readonly kind: MessageKind;
  readonly title: string;
}

/** What each notification is to a person who reads it on a phone. */
// biome-ignore format: a table is read by its columns
const CATEGORIES: Readonly<Record<NotificationCategory, Category>> = {
  TAKE_PROFIT_HIT:       { kind: 'FIRED',    title: 'Take-profit hit' },
  TAKE_PROFIT_FAILED:    { kind: 'TROUBLE',  title: 'Take-profit failed' },
  STOP_LOSS_HIT:         { kind: 'FIRED',    title: 'Stop-loss hit' },
  STOP_LOSS_FAILED:      { kind: 'TROUBLE',  title: 'Stop-loss failed' },
  STOP_LOSS_NOT_SET:     { kind: 'TROUBLE',  title: 'Stop-loss cannot be compared' },
  PROTECTION_LOOSENED:   { kind: 'TROUBLE',  title: 'Less protection of a position' },
  TRIGGER_EXECUTED:      { kind: 'FIRED',    title: 'Trigger executed' },
  TRIGGER_FAILED:        { kind: 'TROUBLE',  title: 'Trigger failed' },
  TRIGGER_EXPIRED:       { kind: 'OTHER',    title: 'Trigger expired' },
  ALERT_HIT:             { kind: 'FIRED',    title: 'Alert' },
  ALERT_EXPIRED:         { kind: 'OTHER',    title: 'Alert expired' },
  SCHEDULE_COMPLETED:    { kind: 'FIRED',    title: 'TWAP completed' },
  SCHEDULE_FAILED:       { kind: 'TROUBLE',  title: 'TWAP failed' },
  SCHEDULE_STOPPED:      { kind: 'TROUBLE',  title: 'TWAP stopped by its bracket' },
  PLAN_PAUSED_LEG_IMBALANCE: { kind: 'TROUBLE', title: 'Plan paused with a leg behind' },
  LADDER_COMPLETED:      { kind: 'FIRED',    title: 'Ladder completed' },
  REBALANCE_DRIFT:       { kind: 'TROUBLE',  title: 'Weights have drifted' },
  REBALANCE_EXECUTED:    { kind: 'FIRED',    title: 'Rebalanced' },
  LEG_IMBALANCE:         { kind: 'TROUBLE',  title: 'Legs out of balance' },
  EXTERNAL_OPEN:         { kind: 'OTHER',    title: 'Traded past Tandem' },
  EXTERNAL_CLOSE:        { kind: 'OTHER',    title: 'Traded past Tandem against a position' },
  LIQUIDATION_NEAR:      { kind: 'TROUBLE',  title: 'Liquidation is near' },
  POSITION_LIQUIDATED:   { kind: 'TROUBLE',  title: 'Position liquidated' },
  CONNECTOR_DEGRADED:    { kind: 'TROUBLE',  title: 'Venue in trouble' },
  CONNECTOR_RECOVERED:   { kind: 'OTHER',    title: 'Venue works again' },
  INSTRUMENT_RESTRICTED: { kind: 'TROUBLE',  title: 'Instrument restricted by its venue' },
  CLOCK_CHANGED:         { kind: 'TROUBLE',  title: 'The clock was set' },
  VENUE_HISTORY_LOST:    { kind: 'TROUBLE',  title: 'Venue history does not match' },
  ORDER_NEEDS_REVIEW:    { kind: 'TROUBLE',  title: 'Venue contradicts itself about an order' },
  CREDENTIALS_REFUSED:   { kind: 'TROUBLE',  title: 'The venue refuses the credentials of an account' },
  CREDENTIALS_EXPIRING:  { kind: 'TROUBLE',  title: 'Credentials of an account end soon' },
  ACCOUNT_MODE_CHANGED:  { kind: 'OTHER',    title: 'Account mode changed at the venue' },
  OTHER_PROGRAM_TRADES:  { kind: 'TROUBLE',  title: 'Another program trades the account' },
  DISK_SPACE:            { kind: 'TROUBLE',  title: 'The disk of the data folder' },
  APPROVAL_NEEDED:       { kind: 'APPROVAL', title: 'An order waits for you' },
  APPROVAL_EXPIRED:      { kind: 'APPROVAL', title: 'An order expired unanswered' },
  AGENT_CONNECTED:       { kind: 'OTHER',    title: 'Agent connected' },
  AGENT_REVOKED:         { kind: 'OTHER',    title: 'Agent revoked' },
  AGENT_SUSPENDED:       { kind: 'TROUBLE',  title: 'Agent paused' },
  AGENT_LIMIT:           { kind: 'TROUBLE',  title: 'Waiting order of an agent paused by its limits' },
  PANIC_FLAT:            { kind: 'OTHER',    title: 'Everything is closed' },
  PANIC_INCOMPLETE:      { kind: 'TROUBLE',  title: 'Closing everything left something open' },
};

export function kindOfNotification(category: NotificationCategory): MessageKind {
  return CATEGORIES[category].kind;
}

/** Whose money an event is about, as the end of a sentence. */
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
  // The orders of what takes out are against the basket that it is about. A reversal's opening is an execution of its own.
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
  // An alert on a price or on the market is of no basket, whatever legs it was set with.
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
  return `${CATEGORIES[category].title}${about}${levelWords(parameters)}${whose}${why}`;
}

/** What an alert without a basket is of; empty: the market as a whole. */
function watchedBy({ instrument, source, marketKey }: Notification['parameters']): string {
  return marketKey === undefined ? (instrument?.symbol ?? '') : `${source}/${marketKey}`;
}

/** `, ETH price above 4000` of an alert: what was waited for is all that it says. */
function levelWords(parameters: Notification['parameters']): string {
  const { alertId, metric, level, lookback, direction, instrument } = parameters;
  if (alertId === undefined || metric === undefined || level === undefined || direction === undefined)
    return '';
  const measure = metricText(metric, instrument?.symbol, lookback);
  // A small ratio as a number would be written with an exponent.
  const figure = `${text(dec(level))} ${UNIT_SIGNS[METRICS[metric].unit]}`.trimEnd();
  return `, ${measure} ${direction === 'MORE_THAN' ? 'above' : 'below'} ${figure}`;
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
