/** Reads of the panel below the chart. They equal those of other screens with the same data, so each is read once. */
import { useMemo } from 'react';
import type { Row } from '../../../../gateway/client/client.ts';
import { useHoldings } from '../../../api/account-now.ts';
import { useAllRows, useGet } from '../../../api/queries.ts';
import { readTable } from '../../../components/paged-table.ts';
import { isAboutBasket } from '../../../features/alerts/alert.ts';
import type { Basket } from '../../../features/basket/basket.ts';
import {
  OPEN_ORDERS,
  PENDING_ALERTS,
  PENDING_SCHEDULES,
  PENDING_TRIGGERS,
  PROGRESSING,
} from '../../../features/order-tables/pending-orders.ts';

export interface DockScope {
  /** Limits the rows to one basket; null: all rows. */
  readonly basketKey: string | null;
  /** Basket of that key; null without one. */
  readonly basket: Basket | null;
}

const FILLS = 200;
/** Number of newest ladders read: they include the pending ones, unless a hundred were set since. */
const LADDERS = 100;

/** Re-reads progress and latest values by timer while they are shown. Events report all other changes. */
const often = (isShown: boolean) => (isShown ? PROGRESSING : {});

export type Position = Row<'GET /positions'>;

interface Keyed {
  readonly basketKey: string;
}

/** Rows of the scope; undefined: not read yet. */
function useScoped<One extends Keyed>(rows: readonly One[] | undefined, { basketKey }: DockScope) {
  return useMemo(
    () => rows?.filter((row) => basketKey === null || row.basketKey === basketKey),
    [rows, basketKey],
  );
}

export function useDockPositions(scope: DockScope) {
  const { holdings, error, refetch } = useHoldings();
  return readTable({ error, refetch }, useScoped(holdings?.positions, scope));
}

export function useDockTriggers(scope: DockScope, isShown = true) {
  const read = useAllRows('GET /triggers', PENDING_TRIGGERS, often(isShown));
  // A rung is shown in its ladder.
  const own = useMemo(() => read.data?.filter(({ ladderId }) => ladderId === null), [read.data]);
  return readTable(read, useScoped(own, scope));
}

export function useDockAlerts({ basket }: DockScope, isShown = true) {
  const read = useAllRows('GET /alerts', PENDING_ALERTS, often(isShown));
  const rows = useMemo(
    () => read.data?.filter((alert) => basket === null || isAboutBasket(alert, basket)),
    [read.data, basket],
  );
  return readTable(read, rows);
}

export function useDockSchedules(scope: DockScope, isShown = true) {
  const read = useAllRows('GET /schedules', PENDING_SCHEDULES, often(isShown));
  return readTable(read, useScoped(read.data, scope));
}

export function useDockLadders(scope: DockScope, isShown = true) {
  const read = useGet('GET /ladders', { query: { limit: LADDERS } }, often(isShown));
  const own = useMemo(() => read.data?.ladders.filter(({ status }) => status === 'ACTIVE'), [read.data]);
  return readTable(read, useScoped(own, scope));
}

export function useDockOrders(scope: DockScope, isShown = true) {
  const read = useAllRows('GET /orders', OPEN_ORDERS, often(isShown));
  return readTable(read, useScoped(read.data, scope));
}

/** The newest fills. Those of a basket are found by their executions, and by its open position. */
export function useDockFills(scope: DockScope) {
  const { basketKey } = scope;
  const read = useGet('GET /fills', { query: { limit: FILLS } });
  const executions = useGet(
    'GET /executions',
    { query: { limit: 500, includeSchedule: 'true', includeTriggers: 'true' } },
    { enabled: basketKey !== null },
  );
  const { rows: positions } = useDockPositions(scope);
  const rows = useMemo(() => {
    const fills = read.data?.fills;
    if (fills === undefined || basketKey === null) return fills;
    const own = new Set([
      ...(executions.data?.executions ?? []).filter((one) => one.basketKey === basketKey).map(({ id }) => id),
      ...(positions ?? []).map(({ id }) => id),
    ]);
    return fills.filter(
      ({ executionId, positionId }) => own.has(executionId ?? '') || own.has(positionId ?? ''),
    );
  }, [read.data, executions.data, positions, basketKey]);
  return readTable(read, rows);
}

/** Counts of the tabs; undefined: not read yet. */
export function useDockCounts(scope: DockScope) {
  const plans = [useDockSchedules(scope, false).rows?.length, useDockLadders(scope, false).rows?.length];
  return {
    positions: useDockPositions(scope).rows?.length,
    // No event reports that an order is at its venue, only its outcome.
    orders: useDockOrders(scope).rows?.length,
    triggers: useDockTriggers(scope, false).rows?.length,
    alerts: useDockAlerts(scope, false).rows?.length,
    plans: plans.includes(undefined) ? undefined : plans.reduce((sum = 0, one = 0) => sum + one, 0),
  };
}
