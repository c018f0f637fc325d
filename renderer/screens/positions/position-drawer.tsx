/** One position in full: its figures, legs, chart, fills and timeline. */
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { ResourceNotFound } from '../../../gateway/client/client.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Drawer } from '../../components/dialog.tsx';
import { EmptyState, Loaded, Skeleton } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { ClosedLegs } from '../../features/closed-legs/closed-legs.tsx';
import { isolatedLegs } from './margin-dialog.tsx';
import { PositionChart } from './position-chart.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import { PositionFigures } from './position-figures.tsx';
import { PositionFills } from './position-fills.tsx';
import { PositionLegs } from './position-legs.tsx';
import { PositionTimeline } from './position-timeline.tsx';
import css from './positions.module.css';
import { Repair } from './repair.tsx';
import { type Position, useClosedTrade, usePosition } from './use-position-data.ts';

const PositionScenarios = lazy(async () => ({
  default: (await import('./position-scenarios.tsx')).PositionScenarios,
}));

const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'fills', label: 'Fills' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'scenarios', label: 'Scenarios' },
] as const;
type View = (typeof VIEWS)[number]['value'];

const ACTIONS: readonly { readonly action: PositionAction; readonly label: string }[] = [
  { action: 'adjust', label: 'Adjust' },
  { action: 'brackets', label: 'TP / SL' },
  { action: 'rebalance', label: 'Rebalance' },
  { action: 'margin', label: 'Margin' },
  { action: 'reverse', label: 'Reverse' },
];

interface Drawn {
  readonly id: string;
  readonly onClose: () => void;
  readonly onAction: (action: PositionAction, position: Position) => void;
  /** Dialogs over the drawer. */
  readonly children: ReactNode;
}

export function PositionDrawer({ id, onClose, onAction, children }: Drawn) {
  const account = useAccount();
  const position = usePosition(id);
  const content = useRef<HTMLDivElement>(null);
  const { data } = position;
  const isMissing = position.error instanceof ResourceNotFound;
  return (
    <Drawer
      open
      onClose={onClose}
      size="large"
      account={account}
      initialFocus={content}
      title={
        data === undefined ? (
          'Position'
        ) : (
          <span className={css['whole']}>
            <BasketLabel legs={data.legs} />
          </span>
        )
      }
      actions={
        data?.status !== 'OPEN' ? undefined : (
          <>
            {ACTIONS.filter(({ action }) => action !== 'margin' || isolatedLegs(data).length > 0).map(
              ({ action, label }) => (
                <Button key={action} onClick={() => onAction(action, data)}>
                  {label}
                </Button>
              ),
            )}
            <Button kind="danger" onClick={() => onAction('close', data)}>
              Close position
            </Button>
          </>
        )
      }
    >
      <div ref={content} tabIndex={-1} className={css['focusable']}>
        {isMissing ? (
          <EmptyState title="There is no such position" action={<Button onClick={onClose}>Back</Button>}>
            The selected account has no position with this id.
          </EmptyState>
        ) : (
          <Loaded query={position}>{(loaded) => <Content position={loaded} onAction={onAction} />}</Loaded>
        )}
      </div>
      {children}
    </Drawer>
  );
}

function Content({ position, onAction }: Pick<Drawn, 'onAction'> & { readonly position: Position }) {
  const [view, setView] = useState<View>('chart');
  const closed = useClosedTrade(position);
  return (
    <div className={css['drawer']}>
      <PositionFigures position={position} trade={closed} />
      <Repair position={position} onAction={onAction} />
      <section aria-label="Legs" className={css['legs']}>
        {closed === undefined ? (
          <PositionLegs legs={position.legs} isBrief />
        ) : (
          <ClosedLegs legs={closed.legs} />
        )}
      </section>
      <Tabs tabs={VIEWS} value={view} onChange={setView} label="Of this position">
        {view === 'chart' && <PositionChart position={position} />}
        {view === 'fills' && <PositionFills positionId={position.id} />}
        {view === 'timeline' && <PositionTimeline position={position} />}
        {view === 'scenarios' && (
          <Suspense fallback={<Skeleton rows={6} />}>
            <PositionScenarios position={position} />
          </Suspense>
        )}
      </Tabs>
    </div>
  );
}
