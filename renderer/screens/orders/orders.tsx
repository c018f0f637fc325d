/** Orders screen: executions and resting orders, with their progress. */
import { useLocation, useRoute } from 'wouter';
import { useAccount } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Fresh } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { CancelAllButton } from '../../features/resting-action/cancel-all-button.tsx';
import { ExecutionsTable } from './executions-table.tsx';
import { AlertsView, LaddersView, OpenOrdersView, SchedulesView, TriggersView } from './order-views.tsx';
import css from './orders.module.css';
import { useWaitingCounts } from './use-order-data.ts';

const VIEWS = {
  executions: ExecutionsTable,
  triggers: TriggersView,
  twap: SchedulesView,
  ladders: LaddersView,
  alerts: AlertsView,
  open: OpenOrdersView,
} as const;
type View = keyof typeof VIEWS;

const isView = (text: string | undefined): text is View => text !== undefined && text in VIEWS;

export default function OrdersScreen() {
  const account = useAccount();
  const [, params] = useRoute('/orders/:tab?');
  const [, go] = useLocation();
  const counts = useWaitingCounts();
  const view: View = isView(params?.tab) ? params.tab : 'executions';
  const Shown = VIEWS[view];
  const tabs = [
    { value: 'executions', label: 'Executions' },
    { value: 'triggers', label: 'Triggers', count: counts.triggers },
    { value: 'twap', label: 'TWAP', count: counts.twap },
    { value: 'ladders', label: 'Ladders', count: counts.ladders },
    { value: 'alerts', label: 'Alerts', count: counts.alerts },
    { value: 'open', label: 'Open orders', count: counts.open },
  ] as const;
  return (
    <Page title="Orders" account={account}>
      <Panel flush>
        <Tabs
          tabs={tabs}
          value={view}
          onChange={(next) => go(`/orders/${next}`)}
          label="Orders"
          after={
            <span className={css['after']}>
              {(view === 'triggers' || view === 'ladders') && (
                <CancelAllButton
                  what="triggers"
                  says={view === 'ladders' ? 'Cancel all triggers' : 'Cancel all'}
                  disabled={counts.triggers === 0 && counts.ladders === 0}
                />
              )}
              {view === 'open' && <CancelAllButton what="orders" disabled={counts.open === 0} />}
            </span>
          }
        >
          <Fresh className={layout['fill'] ?? ''}>
            <Shown />
          </Fresh>
        </Tabs>
      </Panel>
    </Page>
  );
}
