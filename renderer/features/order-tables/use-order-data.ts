/** Reads of the orders screen. Events renew them; progress without events (slices, last values) is re-read by timer. */
import { useEffect, useMemo } from 'react';
import type { Request } from '../../../gateway/client/client.ts';
import { useAllRows, useGet, usePages } from '../../api/queries.ts';
import { type PagedList, type PagedTable, pagedTable } from '../../components/paged-table.ts';
import { isWaiting, type Trigger, waitingFirst } from './order-states.ts';

const PROGRESS_EVERY_MS = 2_000;
const PAGE = 100;

export function useExecutions() {
  return usePages('GET /executions', {
    query: { limit: PAGE, includeSchedule: 'true', includeTriggers: 'true' },
  });
}

const RESTING = { query: { limit: PAGE } } as const;
const PROGRESSING = { refetchEvery: PROGRESS_EVERY_MS } as const;

/** Requests for all pending orders, which are few, unlike ended ones. The tabs show their counts. */
const TRIGGERS_WAITING: Request<'GET /triggers'> = {
  query: { status: ['ACTIVE', 'PAUSED', 'TRIGGERED'], limit: 500 },
};
const ALERTS_WAITING: Request<'GET /alerts'> = { query: { status: ['ACTIVE', 'PAUSED'], limit: 500 } };
const SCHEDULES_WAITING: Request<'GET /schedules'> = { query: { status: ['ACTIVE', 'PAUSED'], limit: 500 } };

/** Repeats the read of all pending orders only if there are more pages: else the read pages have them all. */
const often = ({ hasNextPage }: { readonly hasNextPage: boolean }) => (hasNextPage ? PROGRESSING : {});

/**
 * Table properties of resting orders: pending ones come first, ended ones are dimmed.
 * @param waiting all pending ones, also those of pages that are not read yet
 */
function useRestingTable<One extends { readonly id: string; readonly status: string }>(
  list: PagedList<One>,
  waiting?: readonly One[],
) {
  const { data } = list;
  const rows = useMemo(() => data && waitingFirst(data, waiting), [data, waiting]);
  return { ...pagedTable(list), rows, rowKey: ({ id }: One) => id, isDim: (one: One) => !isWaiting(one) };
}

/** Triggers outside ladders. A rung is shown in its ladder. */
export function useTriggers() {
  const list = usePages('GET /triggers', RESTING, PROGRESSING);
  const waiting = useAllRows('GET /triggers', TRIGGERS_WAITING, often(list));
  const table = useRestingTable(list, waiting.data);
  const rows = useMemo(() => table.rows?.filter(({ ladderId }) => ladderId === null), [table.rows]);
  return { ...table, rows: useMoreWhileNone(list, rows) };
}

/** Reads more pages until there is a row, since a page may have rungs only. Shows as loading until then. */
function useMoreWhileNone(
  { error, hasNextPage, isFetchingNextPage, fetchNextPage }: PagedList<Trigger>,
  rows: PagedTable<Trigger>['rows'],
) {
  const goesOn = rows?.length === 0 && hasNextPage && error === null;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage();
  }, [goesOn, isFetchingNextPage, fetchNextPage]);
  return goesOn ? undefined : rows;
}

export function useAlerts() {
  const list = usePages('GET /alerts', RESTING, PROGRESSING);
  return useRestingTable(list, useAllRows('GET /alerts', ALERTS_WAITING, often(list)).data);
}

export function useSchedules() {
  const list = usePages('GET /schedules', RESTING, PROGRESSING);
  return useRestingTable(list, useAllRows('GET /schedules', SCHEDULES_WAITING, often(list)).data);
}

export const useLadders = () => useRestingTable(usePages('GET /ladders', RESTING, PROGRESSING));

export function useSchedule(id: string) {
  return useGet('GET /schedules/{id}', { params: { id } }, PROGRESSING);
}

export function useOpenOrders() {
  return useAllRows('GET /orders', { query: { status: ['PENDING', 'PARTIAL'], limit: 500 } }, PROGRESSING);
}

/** Counts of resting orders for the tabs. */
export function useWaitingCounts() {
  const triggers = useAllRows('GET /triggers', TRIGGERS_WAITING);
  const schedules = useAllRows('GET /schedules', SCHEDULES_WAITING);
  const alerts = useAllRows('GET /alerts', ALERTS_WAITING);
  const orders = useOpenOrders();
  return {
    triggers: triggers.data?.filter(({ ladderId }) => ladderId === null).length,
    twap: schedules.data?.length,
    ladders: triggers.data && new Set(triggers.data.flatMap(({ ladderId }) => ladderId ?? [])).size,
    alerts: alerts.data?.length,
    open: orders.data?.length,
  };
}
