/** Panel below the chart: holdings and pending orders, of the account or this basket, with their actions in place. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { z } from 'zod';
import { keptChoice, lenient, readKept } from '../../../api/kept-choice.ts';
import { IconButton } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Fresh, Skeleton } from '../../../components/states.tsx';
import { Tabs } from '../../../components/tabs.tsx';
import type { Basket } from '../../../features/basket/basket.ts';
import { keyOfBasket } from '../../../features/basket/basket.ts';
import css from './dock.module.css';
import { DockFills } from './dock-fills.tsx';
import { DockOrders, DockPlans, DockTriggers } from './dock-orders.tsx';
import { DockPositions } from './dock-positions.tsx';
import { type DockScope, useDockCounts } from './use-dock.ts';

const DockBook = lazy(async () => ({ default: (await import('./dock-book.tsx')).DockBook }));

const DockAlerts = lazy(async () => ({ default: (await import('./dock-alerts.tsx')).DockAlerts }));

type View = 'positions' | 'orders' | 'triggers' | 'alerts' | 'plans' | 'fills' | 'book';

const choice = lenient({ isOpen: z.boolean().catch(true), isOwn: z.boolean().catch(false) });
const [useDock, changeDock] = keptChoice('tandem.dock', (text) => readKept(choice, text));

export function Dock({
  basket,
  onBasket,
}: {
  readonly basket: Basket;
  /** Takes the basket of a row into the builder. */
  readonly onBasket: (basket: Basket) => void;
}) {
  const { isOpen, isOwn } = useDock();
  const [view, setView] = useState<View>('positions');
  const scope: DockScope = ofBasket(isOwn ? basket : null);
  const counts = useDockCounts(scope);
  const tabs = [
    { value: 'positions', label: 'Positions', count: counts.positions },
    { value: 'orders', label: 'Open orders', count: counts.orders },
    { value: 'triggers', label: 'Triggers', count: counts.triggers },
    { value: 'alerts', label: 'Alerts', count: counts.alerts },
    { value: 'plans', label: 'TWAP and ladders', count: counts.plans },
    { value: 'fills', label: 'Fills' },
    { value: 'book', label: 'Book' },
  ] as const;
  return (
    <section className={css['dock']} aria-label="This account" data-open={isOpen ? '' : undefined}>
      <Tabs
        tabs={tabs}
        value={view}
        onChange={(next) => {
          setView(next);
          changeDock({ isOpen: true });
        }}
        label="This account"
        after={
          <div className={css['tools']}>
            <Checkbox checked={isOwn} onChange={(next) => changeDock({ isOwn: next })}>
              This basket only
            </Checkbox>
            <IconButton
              label={isOpen ? 'Fold the panel' : 'Unfold the panel'}
              icon={isOpen ? <ChevronDown /> : <ChevronUp />}
              onClick={() => changeDock({ isOpen: !isOpen })}
            />
          </div>
        }
      >
        {isOpen && (
          <Fresh className={css['rows'] ?? ''}>
            {view === 'positions' && <DockPositions scope={scope} onBasket={onBasket} onView={setView} />}
            {view === 'orders' && <DockOrders scope={scope} />}
            {view === 'triggers' && <DockTriggers scope={scope} />}
            {view === 'alerts' && (
              <Suspense fallback={<Skeleton rows={4} />}>
                <DockAlerts scope={scope} />
              </Suspense>
            )}
            {view === 'plans' && <DockPlans scope={scope} />}
            {view === 'fills' && <DockFills scope={scope} />}
            {view === 'book' && (
              <Suspense fallback={<Skeleton rows={4} />}>
                <DockBook basket={basket} />
              </Suspense>
            )}
          </Fresh>
        )}
      </Tabs>
    </section>
  );
}

function ofBasket(basket: Basket | null): DockScope {
  const basketKey = basket === null ? null : keyOfBasket(basket);
  return { basketKey, basket: basketKey === null ? null : basket };
}
