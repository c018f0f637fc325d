/** Timeline of a position, newest first: from its fills, executions, resting orders and brackets. */
import type { Execution, Row } from '../../../gateway/client/client.ts';
import { triggerText } from '../../features/condition-text/condition-text.ts';

type Fill = Row<'GET /fills'>;
type Trigger = Row<'GET /triggers'>;
type Schedule = Row<'GET /schedules'>;
type PositionRow = Row<'GET /positions'>;

export type TimelineTone = 'plain' | 'good' | 'bad';

export interface TimelineEntry {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  /** Details of the entry; may be empty. */
  readonly detail: string;
  readonly tone: TimelineTone;
}

export interface TimelineSources {
  readonly position: Pick<PositionRow, 'id' | 'createdAt' | 'closedAt' | 'autoRebalance'>;
  readonly fills: readonly Fill[];
  /** Executions of this and other positions; other positions' executions are left out. */
  readonly executions: readonly Execution[];
  readonly triggers: readonly Trigger[];
  readonly schedules: readonly Schedule[];
}

const INTENTS: Readonly<Record<Execution['intent'], string>> = {
  OPEN: 'Opened',
  ADJUST: 'Adjusted',
  REDUCE: 'Reduced',
  CLOSE: 'Closed',
  REVERSE: 'Closed to reverse',
};

/** Origin of an execution that its placer did not send directly; empty: an order of their own. */
export const ORIGINS: Readonly<Record<Execution['origin'], string>> = {
  API: '',
  TRIGGER: 'by trigger',
  SCHEDULE: 'by TWAP',
  LADDER: 'by ladder',
  REBALANCE: 'by rebalance',
  BRACKET: 'by take-profit or stop-loss',
};

/** Text formats of the timeline. */
export interface TimelineWords {
  /** Instrument id → ticker. */
  readonly tickerOf: (symbol: string) => string;
  /** Base units of an instrument, with the decimals of its step: `0.00850`. */
  readonly size: (symbol: string, value: string) => string;
  /** A price of an instrument, with the decimals of its tick: `117,557.0`. */
  readonly price: (symbol: string, value: string) => string;
  /** A level of a condition. */
  readonly level: (value: string) => string;
  /** USD: `$1,234.50`. */
  readonly money: (value: string) => string;
}

export function timelineOf(sources: TimelineSources, words: TimelineWords): readonly TimelineEntry[] {
  const { position } = sources;
  const triggers = sources.triggers.filter(({ positionId }) => positionId === position.id);
  const entries = [
    ...executionEntries(sources, words),
    ...fillsWithoutExecution(sources, words),
    ...triggers.flatMap((trigger) => triggerEntries(trigger, words)),
    ...sources.schedules
      .filter(({ positionId }) => positionId === position.id)
      .map((one) => scheduleEntry(one, words)),
    ...rebalanceEntries(position),
  ];
  // Among entries of the same time the key decides, so that the order is stable.
  return entries.sort((a, b) => (a.at === b.at ? (a.key < b.key ? -1 : 1) : a.at < b.at ? 1 : -1));
}

function executionEntries(
  { position, fills, executions }: TimelineSources,
  words: TimelineWords,
): TimelineEntry[] {
  const known = new Map(executions.map((one) => [one.id, one]));
  const ids = new Set([
    ...executions.filter(({ positionId }) => positionId === position.id).map(({ id }) => id),
    ...fills.flatMap(({ executionId }) => executionId ?? []),
  ]);
  return [...ids].map((id) => {
    const filled = fills.filter(({ executionId }) => executionId === id);
    return executionEntry(id, known.get(id), filled, words);
  });
}

function executionEntry(
  id: string,
  execution: Execution | undefined,
  fills: readonly Fill[],
  words: TimelineWords,
): TimelineEntry {
  const traded = fillsText(fills, words);
  const at = execution?.finishedAt ?? execution?.createdAt ?? latest(fills);
  if (execution === undefined) return { key: id, at, title: 'Traded', detail: traded, tone: 'plain' };
  const origin = ORIGINS[execution.origin];
  const done = [INTENTS[execution.intent], origin].filter((word) => word !== '').join(' ');
  const { title, tone } = outcome(execution, done);
  const detail = [execution.error ?? '', traded].filter((word) => word !== '').join(' · ');
  return { key: id, at, title, detail, tone };
}

function outcome(execution: Execution, done: string): { title: string; tone: TimelineTone } {
  switch (execution.status) {
    case 'IDLE':
      return { title: `${done}: preparing`, tone: 'plain' };
    case 'ACTIVE':
      return { title: `${done}: working`, tone: 'plain' };
    case 'COMPLETED':
      return { title: done, tone: 'good' };
    case 'CANCELLED':
      return { title: `${done}: cancelled`, tone: 'plain' };
    case 'FAILED':
      return { title: `${done}: failed`, tone: 'bad' };
  }
}

/** Fills from trades outside Tandem and from liquidations. */
function fillsWithoutExecution({ fills }: TimelineSources, words: TimelineWords): TimelineEntry[] {
  const outside = fills.filter(({ executionId }) => executionId === null);
  return outside.map((fill) => ({
    key: fill.id,
    at: fill.timestamp,
    title: fill.isLiquidation ? 'Liquidated by the venue' : 'Traded outside Tandem',
    detail: fillsText([fill], words),
    tone: fill.isLiquidation ? 'bad' : 'plain',
  }));
}

/** `BTC bought 0.00100 at 100,000.0` for each instrument; the last price for several fills. */
function fillsText(fills: readonly Fill[], { tickerOf, size, price: priceOf }: TimelineWords): string {
  const parts = fills.map(
    ({ symbol, side, quantity, price }) =>
      `${tickerOf(symbol)} ${side === 'BUY' ? 'bought' : 'sold'} ${size(symbol, quantity)} at ${priceOf(symbol, price)}`,
  );
  return parts.length <= 4
    ? parts.join(', ')
    : `${parts.slice(0, 3).join(', ')} and ${parts.length - 3} more fills`;
}

function latest(fills: readonly Fill[]): string {
  return fills.map(({ timestamp }) => timestamp).reduce((a, b) => (a > b ? a : b), '');
}

const TRIGGER_ENDS: Readonly<
  Partial<Record<Trigger['status'], { readonly word: string; readonly tone: TimelineTone }>>
> = {
  TRIGGERED: { word: 'firing', tone: 'plain' },
  COMPLETED: { word: 'fired', tone: 'good' },
  FAILED: { word: 'failed', tone: 'bad' },
  CANCELLED: { word: 'cancelled', tone: 'plain' },
  EXPIRED: { word: 'expired', tone: 'plain' },
};

function triggerName({ bracketType, kind }: Trigger): string {
  if (bracketType === 'TAKE_PROFIT') return 'Take-profit';
  if (bracketType === 'STOP_LOSS') return 'Stop-loss';
  return kind === 'CLOSE' ? 'Closing trigger' : 'Opening trigger';
}

function triggerEntries(trigger: Trigger, { tickerOf, level }: TimelineWords): TimelineEntry[] {
  const name = triggerName(trigger);
  const detail = triggerText(trigger, tickerOf, level);
  const set: TimelineEntry = {
    key: `${trigger.id}:set`,
    at: trigger.createdAt,
    title: `${name} set`,
    detail,
    tone: 'plain',
  };
  const end = TRIGGER_ENDS[trigger.status];
  if (end === undefined) return [set];
  const ended: TimelineEntry = {
    key: `${trigger.id}:end`,
    at: trigger.triggeredAt ?? trigger.updatedAt,
    title: `${name} ${end.word}`,
    detail: trigger.error ?? detail,
    tone: end.tone,
  };
  return [ended, set];
}

function scheduleEntry(schedule: Schedule, { money }: TimelineWords): TimelineEntry {
  const name = schedule.kind === 'CLOSE' ? 'Closing TWAP' : 'TWAP';
  return {
    key: `${schedule.id}:set`,
    at: schedule.createdAt,
    title: `${name} began`,
    detail: `${schedule.sliceCount} slices, ${money(schedule.totalUsd)}`,
    tone: 'plain',
  };
}

function rebalanceEntries({ autoRebalance }: TimelineSources['position']): TimelineEntry[] {
  if (autoRebalance === null) return [];
  return [
    {
      key: `${autoRebalance.id}:set`,
      at: autoRebalance.createdAt,
      title: 'Auto-rebalance set',
      detail: autoRebalance.error ?? '',
      tone: autoRebalance.error === null ? 'plain' : 'bad',
    },
  ];
}
