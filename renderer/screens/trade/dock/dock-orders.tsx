/** The views of the panel that list pending orders. */
import { LaddersTable } from '../../../features/order-tables/ladders-table.tsx';
import { OpenOrdersTable } from '../../../features/order-tables/open-orders-table.tsx';
import { SchedulesTable } from '../../../features/order-tables/schedules-table.tsx';
import { TriggersTable } from '../../../features/order-tables/triggers-table.tsx';
import css from './dock.module.css';
import { Nothing } from './nothing.tsx';
import {
  type DockScope,
  useDockLadders,
  useDockOrders,
  useDockSchedules,
  useDockTriggers,
} from './use-dock.ts';

interface DockViewProps {
  readonly scope: DockScope;
}

export function DockOrders({ scope }: DockViewProps) {
  const list = useDockOrders(scope);
  return <OpenOrdersTable place="panel" list={list} empty={<Nothing scope={scope} what="open orders" />} />;
}

export function DockTriggers({ scope }: DockViewProps) {
  const list = useDockTriggers(scope);
  return <TriggersTable place="panel" list={list} empty={<Nothing scope={scope} what="triggers" />} />;
}

export function DockPlans({ scope }: DockViewProps) {
  const schedules = useDockSchedules(scope);
  const ladders = useDockLadders(scope);
  return (
    <div className={css['both']}>
      <Kind name="TWAP" rows={schedules.rows} />
      <SchedulesTable
        place="panel"
        list={schedules}
        empty={<Nothing scope={scope} what="TWAP" isAlone={false} />}
      />
      <Kind name="Ladders" rows={ladders.rows} />
      <LaddersTable
        place="panel"
        list={ladders}
        empty={<Nothing scope={scope} what="ladders" isAlone={false} />}
      />
    </div>
  );
}

/** Heading of a list's cards in a narrow window, which hides the table header with that name. */
function Kind({ name, rows }: { readonly name: string; readonly rows: readonly unknown[] | undefined }) {
  return rows === undefined || rows.length === 0 ? null : (
    <p className={css['kind']} aria-hidden="true">
      {name}
    </p>
  );
}
