/**
 * Markets screen: pairs, baskets, single instruments and the account's saved baskets, each with a way to the Trade
 * screen.
 */
import { Plus, Search } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Input } from '../../components/field.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Select } from '../../components/select.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { linkOf } from '../../features/basket/basket.ts';
import { tradeHref } from '../../features/basket-link/basket-link.ts';
import type { MarketBasket, Scope } from '../../features/market-baskets/use-basket-list.ts';
import { useSettled } from '../../features/settled-value/use-settled.ts';
import { BasketDialog, type BasketTask } from './basket-dialog.tsx';
import { BasketDrawer } from './basket-drawer.tsx';
import { MaterializedTable, PairTable } from './basket-table.tsx';
import { InstrumentTable } from './instrument-table.tsx';
import css from './markets.module.css';
import { type OpenedBasket, unweighedBasket, weighedBasket } from './opened-basket.ts';
import { draftOfLegs, NO_BASKET, type SavedBasket } from './saved-basket-draft.ts';
import { SavedTable } from './saved-table.tsx';
import type { MarketRow } from './use-instrument-rows.ts';

const TABS = [
  { value: 'pairs', label: 'Pairs' },
  { value: 'baskets', label: 'Baskets' },
  { value: 'instruments', label: 'Instruments' },
  { value: 'saved', label: 'Saved' },
] as const;
type TabName = (typeof TABS)[number]['value'];

const SCOPES = [
  { value: 'tradable', label: 'Tradable' },
  { value: 'reduce_only', label: 'Reduce only' },
  { value: 'not_tradable', label: 'Not tradable' },
  { value: 'all', label: 'All' },
] as const;
const MAX_SEARCH = 64;
const TYPING_MS = 250;

function ofMarket({ basketKey, legs }: MarketBasket): OpenedBasket {
  return unweighedBasket(basketKey, legs);
}

function ofInstrument({ id }: MarketRow): OpenedBasket {
  return unweighedBasket(id, [{ id, side: 'BUY' }]);
}

export default function Markets() {
  const [, parameters] = useRoute('/markets/:tab?');
  const [, navigate] = useLocation();
  const tab: TabName = TABS.find(({ value }) => value === parameters?.tab)?.value ?? 'pairs';
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), TYPING_MS);
  const [scope, setScope] = useState<Scope>('tradable');
  const [opened, setOpened] = useState<OpenedBasket | null>(null);
  const [task, setTask] = useState<BasketTask | null>(null);

  const trade = useCallback((basket: OpenedBasket) => navigate(tradeHref(linkOf(basket))), [navigate]);
  const save = useCallback((basket: OpenedBasket) => {
    const legs = basket.legs.map(({ id, side }) => ({ symbol: id, side }));
    setTask({ kind: 'create', draft: draftOfLegs(legs) });
  }, []);
  const openMarket = useCallback((row: MarketBasket) => setOpened(ofMarket(row)), []);
  const tradeMarket = useCallback((row: MarketBasket) => trade(ofMarket(row)), [trade]);
  const saveMarket = useCallback((row: MarketBasket) => save(ofMarket(row)), [save]);
  const tradeInstrument = useCallback((row: MarketRow) => trade(ofInstrument(row)), [trade]);
  const saveInstrument = useCallback((row: MarketRow) => save(ofInstrument(row)), [save]);
  const tradeSaved = useCallback((basket: SavedBasket) => trade(weighedBasket(basket)), [trade]);
  const edit = useCallback((basket: SavedBasket) => setTask({ kind: 'edit', basket }), []);
  const create = () => setTask({ kind: 'create', draft: NO_BASKET });
  const clear = () => {
    setTyped('');
    setScope('tradable');
  };

  const filter = { scope, search };
  const openKey = opened?.key ?? null;
  const lists = {
    filter,
    onOpen: openMarket,
    onTrade: tradeMarket,
    onSave: saveMarket,
    onClear: clear,
  };
  return (
    <Page
      title="Markets"
      actions={
        <Button icon={<Plus />} onClick={create}>
          New basket
        </Button>
      }
    >
      <Panel flush>
        <Tabs
          label="Markets"
          tabs={TABS}
          value={tab}
          onChange={(next) => navigate(`/markets/${next}`)}
          after={
            <div className={css['tools']}>
              <Input
                type="search"
                aria-label="Search"
                placeholder="SOL or SOL/ETH"
                maxLength={MAX_SEARCH}
                before={<Search size={13} />}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                className={css['search']}
              />
              {tab !== 'saved' && (
                <Select
                  label="Tradeability"
                  options={SCOPES}
                  value={scope}
                  onChange={setScope}
                  className={css['scope'] ?? ''}
                />
              )}
            </div>
          }
        >
          {(tab === 'pairs' || tab === 'baskets') && (
            <p className={css['note']}>
              Funding of the basket as it is named: + you receive, − you pay. Volume and open interest are of
              its smallest leg.
            </p>
          )}
          {tab === 'instruments' && (
            <p className={css['note']}>
              Funding of a long: + it receives, − it pays. A short has the opposite.
            </p>
          )}
          {tab === 'pairs' && <PairTable {...lists} />}
          {tab === 'baskets' && <MaterializedTable {...lists} />}
          {tab === 'instruments' && (
            <InstrumentTable
              filter={filter}
              onOpen={(row) => setOpened(ofInstrument(row))}
              onTrade={tradeInstrument}
              onSave={saveInstrument}
              openKey={openKey}
              onClear={clear}
            />
          )}
          {tab === 'saved' && (
            <SavedTable
              search={typed}
              onOpen={(basket) => setOpened(weighedBasket(basket))}
              onTrade={tradeSaved}
              onEdit={edit}
              onCreate={create}
              onClear={clear}
              openKey={openKey}
            />
          )}
        </Tabs>
      </Panel>
      {opened !== null && (
        <BasketDrawer
          name={opened.name}
          legs={opened.legs}
          onTrade={() => trade(opened)}
          onSave={
            opened.name === null
              ? () => {
                  setOpened(null);
                  save(opened);
                }
              : null
          }
          onClose={() => setOpened(null)}
        />
      )}
      {task !== null && <BasketDialog task={task} onClose={() => setTask(null)} />}
    </Page>
  );
}
