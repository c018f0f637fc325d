/** Reads of the orders screen. Events renew them; progress without events (slices, last values) is re-read by timer. */
import { useEffect, useMemo } from 'react';
import { useAllRows, usePages } from '../../api/queries.ts';
import { type PagedList, type PagedTable, pagedTable } from '../../components/paged-table.ts';
import { isWaiting, type Trigger, waitingFirst } from '../../features/order-tables/order-states.ts';
import {
  OPEN_ORDERS,
  PENDING_ALERTS,
  PENDING_SCHEDULES,
  PENDING_TRIGGERS,
  PROGRESSING,
} from '../../features/order-tables/pending-orders.ts';

const PAGE = 100;

export function useExecutions() {
  return usePages('GET /executions', {
    query: { limit: PAGE, includeSchedule: 'true', includeTriggers: 'true' },
  });
}

const RESTING = { query: { limit: PAGE } } as const;

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
  return { ...pagedTable(list), rows, isDim: (one: One) => !isWaiting(one) };
}

/** Triggers outside ladders. A rung is shown in its ladder. */
export function useTriggers() {
  const list = usePages('GET /triggers', RESTING, PROGRESSING);
  const waiting = useAllRows('GET /triggers', PENDING_TRIGGERS, often(list));
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
  return useRestingTable(list, useAllRows('GET /alerts', PENDING_ALERTS, often(list)).data);
}

export function useSchedules() {
  const list = usePages('GET /schedules', RESTING, PROGRESSING);
  return useRestingTable(list, useAllRows('GET /schedules', PENDING_SCHEDULES, often(list)).data);
}

export const useLadders = () => useRestingTable(usePages('GET /ladders', RESTING, PROGRESSING));

export function useOpenOrders() {
  return useAllRows('GET /orders', OPEN_ORDERS, PROGRESSING);
}

/** Counts of resting orders for the tabs. */
export function useWaitingCounts() {
  const triggers = useAllRows('GET /triggers', PENDING_TRIGGERS);
  const schedules = useAllRows('GET /schedules', PENDING_SCHEDULES);
  const alerts = useAllRows('GET /alerts', PENDING_ALERTS);
  const orders = useOpenOrders();
  return {
    triggers: triggers.data?.filter(({ ladderId }) => ladderId === null).length,
    twap: schedules.data?.length,
    ladders: triggers.data && new Set(triggers.data.flatMap(({ ladderId }) => ladderId ?? [])).size,
    alerts: alerts.data?.length,
    open: orders.data?.length,
  };
}
