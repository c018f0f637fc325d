/** The views of the Orders screen that list resting orders. */
import { Link } from 'wouter';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { AlertsTable } from '../../features/order-tables/alerts-table.tsx';
import { LaddersTable } from '../../features/order-tables/ladders-table.tsx';
import { OpenOrdersTable } from '../../features/order-tables/open-orders-table.tsx';
import { SchedulesTable } from '../../features/order-tables/schedules-table.tsx';
import { TriggersTable } from '../../features/order-tables/triggers-table.tsx';
import { useAlerts, useLadders, useOpenOrders, useSchedules, useTriggers } from './use-order-data.ts';

export function TriggersView() {
  return (
    <TriggersTable
      place="page"
      list={useTriggers()}
      empty={
        <EmptyState title="No triggers" action={<Link href="/trade">Set a trigger</Link>}>
          Baskets that wait for a price or a ratio are listed here, with the take-profits and stop-losses of
          positions.
        </EmptyState>
      }
    />
  );
}

export function SchedulesView() {
  return (
    <SchedulesTable
      place="page"
      list={useSchedules()}
      empty={
        <EmptyState title="No TWAP schedules" action={<Link href="/trade">Start a TWAP</Link>}>
          Baskets that are sent in timed slices are listed here with their progress.
        </EmptyState>
      }
    />
  );
}

export function LaddersView() {
  return (
    <LaddersTable
      place="page"
      list={useLadders()}
      empty={
        <EmptyState title="No ladders" action={<Link href="/trade">Set a ladder</Link>}>
          Entries staggered over a range are listed here, rung by rung.
        </EmptyState>
      }
    />
  );
}

export function AlertsView() {
  return (
    <AlertsTable
      place="page"
      list={useAlerts()}
      empty={
        <EmptyState title="No alerts" action={<Link href="/trade">Set an alert</Link>}>
          On Trade, the ticket’s Trigger has “Alert{'\u00a0'}only”: you are told, and nothing is ordered.
        </EmptyState>
      }
    />
  );
}

export function OpenOrdersView() {
  const read = useOpenOrders();
  return (
    <OpenOrdersTable
      place="page"
      list={readTable(read, read.data)}
      empty={
        <EmptyState title="No open orders" action={<Link href="/trade">Build a basket</Link>}>
          No order rests at the venue. Orders that wait for a condition are under Triggers and Ladders.
        </EmptyState>
      }
    />
  );
}
