/** Reads of the orders screen. Events renew them; progress without events (slices, last values) is re-read by timer. */
import { useAllRows, useGet, usePages } from '../../api/queries.ts';

const PROGRESS_EVERY_MS = 2_000;
const PAGE = 100;

export function useExecutions() {
  return usePages('GET /executions', {
    query: { limit: PAGE, includeSchedule: 'true', includeTriggers: 'true' },
  });
}

export function useTriggers() {
  return usePages('GET /triggers', { query: { limit: PAGE } }, { refetchEvery: PROGRESS_EVERY_MS });
}

export function useSchedules() {
  return usePages('GET /schedules', { query: { limit: PAGE } }, { refetchEvery: PROGRESS_EVERY_MS });
}

export function useSchedule(id: string) {
  return useGet('GET /schedules/{id}', { params: { id } }, { refetchEvery: PROGRESS_EVERY_MS });
}

export function useLadders() {
  return usePages('GET /ladders', { query: { limit: PAGE } }, { refetchEvery: PROGRESS_EVERY_MS });
}

export function useOpenOrders() {
  return useAllRows(
    'GET /orders',
    { query: { status: ['PENDING', 'PARTIAL'], limit: 500 } },
    { refetchEvery: PROGRESS_EVERY_MS },
  );
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
