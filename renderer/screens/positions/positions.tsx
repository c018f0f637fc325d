/** Positions screen: open positions with their PnL and all actions on them. */
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useRoute, useSearch } from 'wouter';
import { useAccount } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Fresh, Skeleton } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useRisk } from '../../features/position-columns/use-risk.ts';
import { ChoosingBar, useChoosing } from './choosing.tsx';
import { CloseAllAsked } from './close-all-asked.tsx';
import { Differences } from './differences.tsx';
import { FilterField } from './filter-field.tsx';
import { useOpeners } from './opened-by.tsx';
import { PastTandem } from './past-tandem.tsx';
import { type PositionAction, PositionDialog } from './position-dialogs.tsx';
import { PositionDrawer } from './position-drawer.tsx';
import { PositionsTable } from './positions-table.tsx';
import { isFilter, passes } from './row-filter.ts';
import { Summary } from './summary.tsx';
import { type Position, useOpenPositions, useUnassigned } from './use-position-data.ts';

const ByInstrument = lazy(async () => ({ default: (await import('./by-instrument.tsx')).ByInstrument }));

/** Names of tabs in addresses below `/positions`, in the place of a position's id. */
const PAST = 'past-tandem';
const INSTRUMENTS = 'by-instrument';
type View = 'open' | typeof PAST | typeof INSTRUMENTS;

function viewOf(id: string | undefined): View {
  return id === PAST || id === INSTRUMENTS ? id : 'open';
}

const ACTIONS: readonly PositionAction[] = [
  'close',
  'half',
  'adjust',
  'complete',
  'reverse',
  'brackets',
  'rebalance',
];

/** Opens the dialog of an address (`/positions?do=close&on=<id>`), once. The palette and sent orders link to it. */
function useAskedAction(rows: readonly Position[] | undefined, open: (action: OpenAction) => void): void {
  const search = useSearch();
  const [, go] = useLocation();
  const opened = useEffectEvent(open);
  const asked = new URLSearchParams(search);
  const action = ACTIONS.find((one) => one === asked.get('do'));
  const id = asked.get('on');
  const position = rows?.find((one) => one.id === id);
  const known = rows !== undefined;
  useEffect(() => {
    if (action === undefined || !known) return;
    if (position !== undefined) opened({ action, position });
    go('/positions', { replace: true });
  }, [action, position, known, go]);
}

/** Rows that pass the typed filter. */
function useFiltered(rows: readonly Position[] | undefined, typed: string): readonly Position[] | undefined {
  const isOn = isFilter(typed);
  const ids = useMemo(() => (isOn ? (rows ?? []).map(({ id }) => id) : null), [rows, isOn]);
  const openers = useOpeners(ids);
  return useMemo(
    () => (isOn ? rows?.filter((row) => passes(row, typed, openers.get(row.id))) : rows),
    [rows, typed, isOn, openers],
  );
}

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
  const risk = useRisk().data;
  const choosing = useChoosing();
  const [filter, setFilter] = useState('');
  const rows = useFiltered(positions.data, filter);
  const view = viewOf(params?.id);
  const selected = view === 'open' ? (params?.id ?? null) : null;
  const unassigned = useUnassigned().data?.length;
  // Until the baskets are read, a count or a sum of zero would say that there is nothing.
  const isRead = positions.data !== undefined;
  const tabs = [
    { value: 'open', label: 'Open', count: positions.data?.length },
    { value: INSTRUMENTS, label: 'By instrument' },
    { value: PAST, label: 'Traded outside Tandem', count: isRead ? unassigned : undefined },
  ] as const;
  const onAction = useCallback(
    (action: PositionAction, position: Position) => setOpen({ action, position }),
    [],
  );
  useAskedAction(positions.data, setOpen);
  // The dialog follows the position's updates. A position that closes meanwhile stays shown until the dialog is closed.
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
      <Summary positions={positions.data} risk={risk} />
      <Differences />
      <Panel flush>
        <Tabs
          tabs={tabs}
          value={view}
          onChange={(next) => go(next === 'open' ? '/positions' : `/positions/${next}`)}
          label="Positions"
          after={
            view === 'open' &&
            positions.data !== undefined && (
              <>
                {positions.data.length > 1 && <FilterField value={filter} onChange={setFilter} />}
                <ChoosingBar
                  positions={rows ?? positions.data}
                  choosing={choosing}
                  isPart={isFilter(filter)}
                />
              </>
            )
          }
        >
          <Fresh className={layout['fill'] ?? ''}>
            {view === PAST && <PastTandem />}
            {view === INSTRUMENTS && (
              <Suspense fallback={<Skeleton rows={8} />}>
                <ByInstrument />
              </Suspense>
            )}
            {view === 'open' && (
              <PositionsTable
                list={positions}
                rows={rows}
                onClearFilter={isFilter(filter) ? () => setFilter('') : null}
                risk={risk}
                onOpen={({ id }) => go(`/positions/${id}`)}
                onAction={onAction}
                selected={selected}
                choosing={choosing}
              />
            )}
          </Fresh>
        </Tabs>
      </Panel>
      <CloseAllAsked positions={positions.data} />
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
