/** Reads of the history, and the contents of its files. */
import { useEffect, useMemo } from 'react';
import type { TandemClient } from '../../../gateway/client/client.ts';
import { useFirstPage, usePages } from '../../api/queries.ts';
import { type PagedList, type PagedTable, pagedTable } from '../../components/paged-table.ts';
import { csvText } from '../../features/csv/csv-text.ts';
import { type DateSpan, newestWithin, placeInSpan, spanQuery } from './date-span.ts';
import {
  type ClosedTrade,
  FILL_COLUMNS,
  type Fill,
  FUNDING_COLUMNS,
  type FundingPayment,
  type HistoryFile,
  TRADE_COLUMNS,
} from './history-csv.ts';

const PAGE = 200;
/** Rows that fill a screen: with fewer rows, the next page is read at once. */
const A_SCREENFUL = 60;
const FILE_PAGE = { fills: 2_000, trades: 200, funding: 2_000 } as const;

/**
 * Fills in the span. The gateway lists fills by time without a filter, so pages are read until they are older than
 * the span; newer fills are skipped.
 */
export function useFills(span: DateSpan): PagedTable<Fill> {
  const list = usePages('GET /fills', { query: { limit: PAGE } });
  const all = list.data;
  const rows = useMemo(
    () => all?.filter(({ timestamp }) => placeInSpan(timestamp, span) === 'in'),
    [all, span],
  );
  const last = all?.at(-1);
  const goesOn = last === undefined || placeInSpan(last.timestamp, span) !== 'before';
  return useHistoryList(list, rows, goesOn);
}

export function useClosedTrades(span: DateSpan): PagedTable<ClosedTrade> {
  const query = { limit: PAGE, includeSteps: 'true', ...spanQuery(span) } as const;
  const list = usePages('GET /positions/closed', { query });
  return useHistoryList(list, list.data, true);
}

/** Payments on holdings in no basket change no position, so no event reports them. */
const FUNDING = { refetchEvery: 60_000 } as const;
const fundingQuery = (span: DateSpan) => ({ query: { limit: PAGE, ...spanQuery(span) } });

export function useFundingPayments(span: DateSpan): PagedTable<FundingPayment> {
  const list = usePages('GET /funding/payments', fundingQuery(span), FUNDING);
  return useHistoryList(list, list.data, true);
}

/** Total of the span's payments, USD; undefined: not read yet. */
export function useFundingTotal(span: DateSpan): string | undefined {
  return useFirstPage('GET /funding/payments', fundingQuery(span), FUNDING)?.total;
}

/**
 * A page may be short or empty without being the last: further pages are read until a screen is full.
 * @param mayGoOn false: later pages hold no row of the span
 */
function useHistoryList<One>(
  list: PagedList<One>,
  rows: readonly One[] | undefined,
  mayGoOn: boolean,
): PagedTable<One> {
  const { error, isFetchingNextPage, fetchNextPage } = list;
  const goesOn = list.hasNextPage && mayGoOn;
  const isShort = rows !== undefined && rows.length < A_SCREENFUL;
  useEffect(() => {
    if (goesOn && isShort && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [goesOn, isShort, isFetchingNextPage, error, fetchNextPage]);
  return {
    ...pagedTable(list),
    onReachEnd: goesOn && !isFetchingNextPage && error === null ? () => void fetchNextPage() : undefined,
    // While further pages are read, an empty result is shown as loading.
    rows: rows?.length === 0 && goesOn && error === null ? undefined : rows,
  };
}

/** The whole filtered set as a file's text, page by page to the last, regardless of the rows on the screen. */
export function historyFile(
  client: TandemClient,
  what: HistoryFile,
  span: DateSpan,
  onRow: (count: number) => void,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly count: number }> {
  if (what === 'fills') {
    const rows = client.rows('GET /fills', { query: { limit: FILE_PAGE.fills }, signal });
    return csvText(FILL_COLUMNS, newestWithin(rows, span), onRow);
  }
  if (what === 'funding') {
    const query = { limit: FILE_PAGE.funding, ...spanQuery(span) };
    return csvText(FUNDING_COLUMNS, client.rows('GET /funding/payments', { query, signal }), onRow);
  }
  const rows = client.rows('GET /positions/closed', {
    query: { limit: FILE_PAGE.trades, ...spanQuery(span) },
    signal,
  });
  return csvText(TRADE_COLUMNS, rows, onRow);
}
