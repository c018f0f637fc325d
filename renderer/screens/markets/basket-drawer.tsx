/** Details of a basket: candles of its ratio, statistics of a pair, live legs. */

import { useMemo, useState } from 'react';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useInstruments } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Side } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { Drawer } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { percentText } from '../../features/basket-weights/basket-weights.ts';
import { IntervalChoice } from '../../features/ratio-chart/interval-choice.tsx';
import { RatioChart } from '../../features/ratio-chart/ratio-chart.tsx';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import { LiveFigure, type LiveFigureName } from './live-figure.tsx';
import css from './markets.module.css';
import { PairStatistics } from './pair-statistics.tsx';

const CHART_PX = 240;

export interface BasketDrawerProps {
  /** Given name of the basket; null: it has none. */
  readonly name: string | null;
  /** Legs, longs first, then shorts. */
  readonly legs: readonly WeighedLeg[];
  readonly onTrade: () => void;
  /** Saves the basket; null: it is saved already. */
  readonly onSave: (() => void) | null;
  readonly onClose: () => void;
}

export function BasketDrawer({ name, legs, onTrade, onSave, onClose }: BasketDrawerProps) {
  const [interval, setInterval] = useState<CandleInterval>('5m');
  const [first, second] = legs;
  const text = useBasketText(legs.map(({ id, side }) => ({ symbol: id, side })));
  const subject = useMemo(
    () =>
      first !== undefined && legs.length === 1
        ? ({ metric: 'PRICE', symbol: first.id } as const)
        : ({ metric: 'PRICE_RATIO' } as const),
    [first, legs.length],
  );
  return (
    <Drawer
      open
      onClose={onClose}
      size="large"
      title={name ?? text}
      {...(name === null ? {} : { description: text })}
      actions={
        <>
          {onSave !== null && <Button onClick={onSave}>Save as basket</Button>}
          <Button kind="primary" onClick={onTrade}>
            Trade this
          </Button>
        </>
      }
    >
      <div className={layout['sections']}>
        <section className={css['section']}>
          <div className={css['sectionHead']}>
            <h3>{legs.length === 1 ? 'Price' : 'Price ratio'}</h3>
            <IntervalChoice value={interval} onChange={setInterval} />
          </div>
          <RatioChart legs={legs} subject={subject} interval={interval} name={text} height={CHART_PX} />
        </section>
        {isPair(legs) && first !== undefined && second !== undefined && (
          <PairStatistics long={first.id} short={second.id} name={text} />
        )}
        <section className={css['section']}>
          <h3>Legs</h3>
          <Legs legs={legs} />
        </section>
      </div>
    </Drawer>
  );
}

interface LegRow extends WeighedLeg {
  readonly ticker: string;
  readonly tick: string | undefined;
  readonly connector: string;
}

function Legs({ legs }: { readonly legs: readonly WeighedLeg[] }) {
  const { connector } = useAccount();
  const instruments = useInstruments();
  const rows = useMemo(() => {
    const byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
    return legs.map((leg): LegRow => {
      const known = byId.get(leg.id);
      return { ...leg, connector, ticker: known?.symbol ?? leg.id, tick: known?.tickSize };
    });
  }, [legs, instruments, connector]);
  return <Table natural label="Legs" rows={rows} columns={LEG_COLUMNS} rowKey={({ id }) => id} />;
}

const live = (figure: LiveFigureName, header: string): Column<LegRow> => ({
  id: figure,
  header,
  align: 'right',
  cell: ({ id, connector, tick }) => <LiveFigure id={id} connector={connector} tick={tick} figure={figure} />,
});

const LEG_COLUMNS: readonly Column<LegRow>[] = [
  { id: 'leg', header: 'Leg', cell: ({ side, ticker }) => <Side side={side}>{ticker}</Side> },
  { id: 'weight', header: 'Weight', align: 'right', cell: ({ weight }) => `${percentText(weight)} %` },
  live('price', 'Price'),
  live('priceChange24h', '24 h'),
  live('funding', 'Funding APR, long'),
  live('volume24h', 'Volume 24 h'),
];
