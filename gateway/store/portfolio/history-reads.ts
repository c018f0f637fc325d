/**
 * Sums of an account's history and its closed trades, on a read-only connection of their own: a question about years
 * keeps neither the writer nor the single-row reads waiting. The connection is opened by the first question.
 */
import type { AccountRecords } from '../../domain/account-ledger.ts';
import { atto } from '../../domain/atto.ts';
import type { TradeFill } from '../../domain/closed-trade.ts';
import { pathMarksOf } from '../../domain/equity-mark.ts';
import type { Position } from '../../domain/model.ts';
import type { DayNet, EquitySample, PeriodTotals } from '../../domain/portfolio.ts';
import type { HeldLot } from '../../domain/unassigned.ts';
import type {
  AccountHoldings,
  ClosedTradeKey,
  HistoryFilter,
  HistoryStore,
} from '../../engine/ports/history.ts';
import { openedOnce } from '../file/opened-once.ts';
import { openHandle, type Row, type SqlValue } from '../file/sqlite-handle.ts';
import { pageOf } from '../rows/keyset-page.ts';
import { createPreparedReads } from '../rows/prepared-reads.ts';
import { rowDecoder } from '../rows/row-codec.ts';
import { attoOfRow } from './amount-limbs.ts';
import { equitySampleEntity } from './equity-samples.ts';
import {
  ASSETS,
  BASKETS,
  BASKETS_OF_RANGE,
  CLOSED_TRADES,
  CURVE,
  FILLS_OF_POSITION,
  FIRST_HOUR,
  LAST_HOUR,
  LAST_SAMPLE,
  PERIODS,
  RECORDS,
  SAMPLED_ACCOUNTS,
  SAMPLES,
} from './history-statements.ts';
import type { TotalKind } from './totals.ts';

export interface HistoryReads extends HistoryStore {
  /** Ids of the accounts that have equity samples. */
  sampledAccounts(): Promise<readonly string[]>;
  /** The first samples of [from, to), oldest first. */
  samples(
    tradeAccountId: string,
    range: { readonly from: number; readonly to: number },
    limit: number,
  ): Promise<readonly EquitySample[]>;
  close(): Promise<void>;
}

const EVER = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER } as const;

export function createHistoryReads(file: string): HistoryReads {
  const connection = openedOnce(async () => {
    const handle = await openHandle(file, 'read-only');
    await handle.exec('PRAGMA busy_timeout = 2000; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;');
    const prepared = createPreparedReads(handle);
    return {
      ...prepared,
      async close() {
        await prepared.close();
        await handle.close();
      },
    };
  });

  async function all(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]> {
    return (await connection.get()).all(sql, params);
  }

  /** Rows of a statement made with `asJson`, which returns all rows as one JSON text. */
  async function rowsOf(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]> {
    const [row] = await all(sql, params);
    return JSON.parse(String(row?.['rows'] ?? '[]'));
  }

  function totals(sql: string, kind: TotalKind, { tradeAccountId, source, range }: HistoryFilter) {
    const { from, to } = range ?? EVER;
    return rowsOf(sql, [tradeAccountId, kind, source, from, to]);
  }

  /** Start of the hour that the statement finds of an account; null: there is none. */
  const hourOf = (sql: string) => async (tradeAccountId: string) => {
    const [row] = await all(sql, [tradeAccountId]);
    return row === undefined ? null : Number(row['start']);
  };

  return {
    firstHour: hourOf(FIRST_HOUR),
    lastHour: hourOf(LAST_HOUR),
    async lastSample(tradeAccountId, until = EVER.to) {
      const [row] = await all(LAST_SAMPLE, [tradeAccountId, until]);
      return row === undefined ? null : sampleOf(row);
    },
    async periods(filter, width) {
      return (await totals(PERIODS, width, filter)).map(periodOf);
    },
    async records({ tradeAccountId, source, range, width }, since) {
      const { from, to } = range ?? EVER;
      const [row] = await all(RECORDS, [tradeAccountId, width, source, from, to, since]);
      const rows = (part: string): readonly Row[] => JSON.parse(String(row?.[part] ?? '[]'));
      const positions: readonly Position[] = JSON.parse(String(row?.['positions'] ?? '[]'));
      const lots: readonly HeldLot[] = JSON.parse(String(row?.['unassigned'] ?? '[]'));
      const holdings = { positions, lots };
      return {
        periods: rows('periods').map(periodOf),
        records: recordsOf(row ?? {}, rows, holdings),
        holdings,
      };
    },
    async curve(tradeAccountId, source, drawn) {
      const [row] = await all(CURVE, [tradeAccountId, source, drawn?.from ?? null, drawn?.to ?? null]);
      const firstHour = row?.['first_hour'] ?? null;
      return {
        firstHour: firstHour === null ? null : Number(firstHour),
        first: parsed(row, 'first'),
        closes: parsed(row, 'closes') ?? [],
        flows: parsed(row, 'flows') ?? [],
        path: pathMarksOf(parsed(row, 'path') ?? [], source),
        nets: netsOf(parsed(row, 'nets') ?? []),
      };
    },
    async samples(tradeAccountId, { from, to }, limit) {
      return (await all(SAMPLES, [tradeAccountId, from, to, limit])).map(sampleOf);
    },
    async sampledAccounts() {
      return (await all(SAMPLED_ACCOUNTS, [])).map(({ id }) => String(id));
    },
    async assets(filter) {
      const rows = await totals(ASSETS, filter.range === null ? 'asset' : 'asset_day', filter);
      return rows.map((row) => ({ symbol: String(row['subject']), ...movedOf(row) }));
    },
    async baskets(filter) {
      const { tradeAccountId, source, range } = filter;
      const rows =
        range === null
          ? await totals(BASKETS, 'basket', filter)
          : await rowsOf(BASKETS_OF_RANGE, [tradeAccountId, source, range.from, range.to]);
      return rows.map((row) => ({
        basketKey: String(row['subject']),
        ...outcomesOf(row),
        holdMs: Number(row['hold_ms']),
      }));
    },
    async closedTrades({ tradeAccountId, range }, page) {
      const { from, to } = range ?? EVER;
      // No id sorts below the empty text: without a cursor the page begins before `to`.
      const after = page.after !== null && page.after.key < to ? page.after : { key: to, id: '' };
      const rows = await all(CLOSED_TRADES, [tradeAccountId, from, after.key, after.id, page.limit + 1]);
      const found: ClosedTradeKey[] = rows.map((row) => ({
        id: String(row['position_id']),
        closedAt: Number(row['closed_at']),
      }));
      return pageOf(found, page.limit, ({ closedAt }) => closedAt);
    },
    async fillsOfPosition(tradeAccountId, positionId) {
      return (await rowsOf(FILLS_OF_POSITION, [positionId, tradeAccountId])).map(tradeFillOf);
    },
    close: async () => (await connection.opened())?.close(),
  };
}

function tradeFillOf(row: Row): TradeFill {
  const { execution_id: executionId, side } = row;
  return {
    executionId: typeof executionId === 'string' ? executionId : null,
    symbol: String(row['symbol']),
    side: side === 'BUY' ? 'BUY' : 'SELL',
    price: String(row['price']),
    quantity: String(row['quantity']),
    notional: String(row['notional']),
    fee: String(row['fee']),
    realizedPnl: String(row['realized_pnl']),
    isLiquidation: row['is_liquidation'] === 1,
    isProvisional: row['is_provisional'] === 1,
    timestamp: Number(row['timestamp']),
  };
}

/** The JSON of a column, as its statement has made it; null: there is none. */
function parsed<Read>(row: Row | undefined, column: string): Read | null {
  const text = row?.[column] ?? null;
  return text === null ? null : JSON.parse(String(text));
}

/** @param rows oldest day first, one for each source of a day */
function netsOf(rows: readonly Row[]): readonly DayNet[] {
  const days: DayNet[] = [];
  for (const row of rows) {
    const day = { start: Number(row['start']), net: attoOfRow(row, 'net') };
    const last = days.at(-1);
    if (last?.start === day.start) days[days.length - 1] = { start: day.start, net: last.net + day.net };
    else days.push(day);
  }
  return days;
}

const sampleOf = rowDecoder(equitySampleEntity);

function periodOf(row: Row): PeriodTotals {
  return { start: Number(row['start']), ...movedOf(row), ...outcomesOf(row) };
}

function recordsOf(
  row: Row,
  rows: (part: string) => readonly Row[],
  { positions, lots }: AccountHoldings,
): AccountRecords {
  return {
    moved: rows('moved').map((moved) => ({
      symbol: String(moved['subject']),
      source: moved['source'] === 'gateway' ? 'gateway' : 'external',
      realizedPnl: attoOfRow(moved, 'realized'),
      fees: attoOfRow(moved, 'fees'),
      funding: attoOfRow(moved, 'funding'),
    })),
    closed: rows('closed').map((closed) => ({
      basketKey: String(closed['subject']),
      net: attoOfRow(closed, 'won') - attoOfRow(closed, 'lost'),
    })),
    positions,
    unassigned: lots.map((lot) => ({ ...lot, source: lot.source === 'DUST' ? 'gateway' : 'external' })),
    before: attoOfRow(JSON.parse(String(row['before'])), 'net'),
    carriedOver: atto(String(row['carried_over'] ?? '0')),
  };
}

function movedOf(row: Row) {
  return {
    fills: Number(row['fills']),
    volume: attoOfRow(row, 'volume'),
    realizedPnl: attoOfRow(row, 'realized'),
    fees: attoOfRow(row, 'fees'),
    funding: attoOfRow(row, 'funding'),
  };
}

function outcomesOf(row: Row) {
  return {
    closed: Number(row['closed']),
    wins: Number(row['wins']),
    losses: Number(row['losses']),
    won: attoOfRow(row, 'won'),
    lost: attoOfRow(row, 'lost'),
  };
}
