/** The view of the panel that lists pending alerts, loaded when it is shown. */
import { AlertsTable } from '../../../features/order-tables/alerts-table.tsx';
import { Nothing } from './nothing.tsx';
import { type DockScope, useDockAlerts } from './use-dock.ts';

export function DockAlerts({ scope }: { readonly scope: DockScope }) {
  const list = useDockAlerts(scope);
  return <AlertsTable place="panel" list={list} empty={<Nothing scope={scope} what="alerts" />} />;
}
