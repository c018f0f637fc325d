/** Reads of the orders screen. Events renew them; progress without events (slices, last values) is re-read by timer. */
import { useMemo } from 'react';
import { useAllRows, useGet, usePages } from '../../api/queries.ts';
import { type PagedList, pagedTable } from '../../components/paged-table.ts';
import { isWaiting, waitingFirst } from './order-states.ts';

const PROGRESS_EVERY_MS = 2_000;
const PAGE = 100;

export function useExecutions() {
  return usePages('GET /executions', {
    query: { limit: PAGE, includeSchedule: 'true', includeTriggers: 'true' },
  });
}

const RESTING = { query: { limit: PAGE } } as const;
const PROGRESSING = { refetchEvery: PROGRESS_EVERY_MS } as const;

/** Table properties of resting orders: those that wait come first, ended ones are dim. */
function useRestingTable<One extends { readonly id: string; readonly status: string }>(list: PagedList<One>) {
  const { data } = list;
  const rows = useMemo(() => data && waitingFirst(data), [data]);
  return { ...pagedTable(list), rows, rowKey: ({ id }: One) => id, isDim: (one: One) => !isWaiting(one) };
}

export const useTriggers = () => useRestingTable(usePages('GET /triggers', RESTING, PROGRESSING));
export const useSchedules = () => useRestingTable(usePages('GET /schedules', RESTING, PROGRESSING));
export const useLadders = () => useRestingTable(usePages('GET /ladders', RESTING, PROGRESSING));

export function useSchedule(id: string) {
  return useGet('GET /schedules/{id}', { params: { id } }, PROGRESSING);
}

export function useOpenOrders() {
  return useAllRows('GET /orders', { query: { status: ['PENDING', 'PARTIAL'], limit: 500 } }, PROGRESSING);
}

/** Counts of resting orders for the tabs. */
export function useWaitingCounts() {
  const triggers = useAllRows('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED', 'TRIGGERED'], limit: 500 },
  });
  const schedules = useAllRows('GET /schedules', { query: { status: ['ACTIVE', 'PAUSED'], limit: 500 } });
  const orders = useOpenOrders();
  return {
    triggers: triggers.data?.filter(({ ladderId }) => ladderId === null).length,
    twap: schedules.data?.length,
    ladders: triggers.data && new Set(triggers.data.flatMap(({ ladderId }) => ladderId ?? [])).size,
    open: orders.data?.length,
  };
}
