/** Positions screen: open positions with their PnL and all actions on them. */
import { useCallback, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { useAccount } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Fresh } from '../../components/states.tsx';
import { InNoBasket } from './in-no-basket.tsx';
import { type PositionAction, PositionDialog } from './position-dialogs.tsx';
import { PositionDrawer } from './position-drawer.tsx';
import { PositionsTable } from './positions-table.tsx';
import { Totals } from './totals.tsx';
import { type Position, useOpenPositions } from './use-position-data.ts';

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
  const selected = params?.id ?? null;
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
      <Panel flush>
        <Fresh className={layout['fill'] ?? ''}>
          <PositionsTable
            list={positions}
            onOpen={({ id }) => go(`/positions/${id}`)}
            onAction={onAction}
            selected={selected}
          />
        </Fresh>
      </Panel>
      <InNoBasket />
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
