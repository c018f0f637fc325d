/** Positions screen: open positions with their PnL and all actions on them. */
import { useCallback, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { useAccount } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Fresh } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Differences } from './differences.tsx';
import { PastTandem } from './past-tandem.tsx';
import { type PositionAction, PositionDialog } from './position-dialogs.tsx';
import { PositionDrawer } from './position-drawer.tsx';
import { PositionsTable } from './positions-table.tsx';
import { Totals } from './totals.tsx';
import { type Position, useOpenPositions, useUnassigned } from './use-position-data.ts';

/** Address of the tab below `/positions`, where otherwise a position's id stands. */
const PAST = 'past-tandem';

interface OpenAction {
  readonly action: PositionAction;
  readonly position: Position;
}

export default function PositionsScreen() {
  const [, params] = useRoute('/positions/:id?');
  const [, go] = useLocation();
  const [open, setOpen] = useState<OpenAction | null>(null);
  const account = useAccount();
  const positions = useOpenPositions();
  const view = params?.id === PAST ? PAST : 'open';
  const selected = view === PAST ? null : (params?.id ?? null);
  const waiting = useUnassigned().data?.items.length;
  const tabs = [
    { value: 'open', label: 'Open', count: positions.data?.length },
    { value: PAST, label: 'Traded past Tandem', count: waiting },
  ] as const;
  const onAction = useCallback(
    (action: PositionAction, position: Position) => setOpen({ action, position }),
    [],
  );
  // The dialog follows the position's updates; a position that was closed meanwhile stays shown until the dialog is
  // left.
  const shown = positions.data?.find(({ id }) => id === open?.position.id) ?? open?.position;
  const close = () => setOpen(null);
  const dialog = open !== null && shown !== undefined && (
    <PositionDialog
      key={`${open.action}:${shown.id}`}
      action={open.action}
      position={shown}
      onClose={close}
    />
  );
  return (
    <Page title="Positions" account={account}>
      <Totals />
      <Differences />
      <Panel flush>
        <Tabs
          tabs={tabs}
          value={view}
          onChange={(next) => go(next === PAST ? `/positions/${PAST}` : '/positions')}
          label="Positions"
        >
          <Fresh className={layout['fill'] ?? ''}>
            {view === PAST ? (
              <PastTandem />
            ) : (
              <PositionsTable
                list={positions}
                onOpen={({ id }) => go(`/positions/${id}`)}
                onAction={onAction}
                selected={selected}
              />
            )}
          </Fresh>
        </Tabs>
      </Panel>
      {selected === null ? (
        dialog
      ) : (
        <PositionDrawer key={selected} id={selected} onClose={() => go('/positions')} onAction={onAction}>
          {dialog}
        </PositionDrawer>
      )}
    </Page>
  );
}
