/** Holdings by instrument, over all baskets: baskets with the same instrument add up or cancel out. */
import Big from 'big.js';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { useHoldings } from '../../api/account-now.ts';
import { Amount, Apr, NoFigure, Percent, Pnl, Side } from '../../components/amount.tsx';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import { signOf } from '../../components/format.ts';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';
import { Size } from '../../features/instrument-figure/instrument-figure.tsx';
import { Far, isFarFrom } from '../../features/liquidation/liquidation.tsx';
import { NextPayment, nextPaymentColumn, useRates } from '../../features/next-funding/next-payment.tsx';
import type { FundedLeg, Rates } from '../../features/next-funding/payment.ts';
import { exposureByInstrument, type InstrumentExposure, type InstrumentPart } from './instrument-exposure.ts';
import { NOT_ANSWERED } from './leg-liquidation.ts';
import { FarAt, LiquidationPrice } from './liquidation-price.tsx';
import { sumOf } from './position-sums.ts';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

type Exposure = InstrumentExposure<Position>;
type Part = InstrumentPart<Position>;

const PAST = '/positions/past-tandem';
/** Number of names in a row. The expanded row has all. */
const NAMED = 2;

const isShort = ({ net }: Exposure) => signOf(net) < 0;

/** Net holding, since the venue settles funding on it. */
function fundedOf(row: Exposure): readonly FundedLeg[] {
  return [{ symbol: row.symbol, side: isShort(row) ? 'SELL' : 'BUY', notional: row.net.replace('-', '') }];
}

const FIGURES: readonly Column<Exposure>[] = [
  { id: 'instrument', header: 'Instrument', width: 110, cell: ({ ticker }) => <strong>{ticker}</strong> },
  {
    ...amountColumn<Exposure>('net', 'Long − short', (row) => row.net),
    sort: ({ net }) => Math.abs(Number(net)),
  },
  amountColumn('gross', 'Gross', (row) => row.gross, { sorts: true }),
  quantityColumn('long', 'Long qty', (row) => row.longQuantity),
  quantityColumn('short', 'Short qty', (row) => row.shortQuantity),
];

/** Column of quantities; a side without a holding stays empty. */
function quantityColumn(id: string, header: string, quantityOf: (row: Exposure) => string): Column<Exposure> {
  return {
    id,
    header,
    align: 'right',
    priority: 4,
    cell: (row) => signOf(quantityOf(row)) !== 0 && <Size symbol={row.symbol} value={quantityOf(row)} />,
  };
}

/** @param isAnswered true: the venue has reported its holdings */
function liquidationColumns(isAnswered: boolean): readonly Column<Exposure>[] {
  return [
    {
      id: 'liquidation',
      header: 'Liquidation alone',
      align: 'right',
      priority: 5,
      cell: (row) =>
        row.liquidationPrice === null ? (
          <NoPrice row={row} isAnswered={isAnswered} />
        ) : (
          <LiquidationPrice symbol={row.symbol} price={row.liquidationPrice} isFar={isFar(row)} />
        ),
    },
    {
      id: 'move',
      header: 'To liquidation alone',
      align: 'right',
      width: 136,
      priority: 1,
      cell: (row) => <Move row={row} isAnswered={isAnswered} />,
      sort: ({ toLiquidation }) => (toLiquidation === null ? null : -Math.abs(Number(toLiquidation))),
    },
  ];
}

/** Reason for a missing price. The absence of a liquidation is claimed only if the venue has reported it. */
function whyNone({ isInBaskets }: Exposure, isAnswered: boolean): string {
  if (!isInBaskets) return 'Not known here: it is held outside Tandem alone, which is not asked about';
  if (!isAnswered) return NOT_ANSWERED;
  return 'The venue has told no price at which it alone liquidates the account';
}

/** An unknown price is a dash. A known absence of any liquidation price is shown in words. */
function NoPrice({ row, isAnswered }: { readonly row: Exposure; readonly isAnswered: boolean }) {
  const why = whyNone(row, isAnswered);
  return row.isInBaskets && isAnswered ? <Far why={why} /> : <NoFigure why={why} />;
}

const BASKETS: Column<Exposure> = {
  id: 'baskets',
  header: 'Baskets',
  isText: true,
  priority: 2,
  cell: (row) => <Baskets row={row} />,
};

function isFar({ toLiquidation: move }: Exposure): boolean {
  return move !== null && isFarFrom('1', new Big(move).plus(1).toFixed());
}

/** Move of the instrument's own price to its liquidation price, with all other prices unchanged. */
function Move({ row, isAnswered }: { readonly row: Exposure; readonly isAnswered: boolean }) {
  const { symbol, liquidationPrice, toLiquidation: value } = row;
  if (liquidationPrice === null) return <NoPrice row={row} isAnswered={isAnswered} />;
  if (value === null) return <NoFigure />;
  if (isFar(row)) return <FarAt symbol={symbol} price={liquidationPrice} />;
  return (
    <span title="Move of the price to the venue's liquidation price, every other price as it is">
      {signOf(value) > 0 && '+'}
      <Percent value={value} digits={1} />
    </span>
  );
}

function fundingColumn(rates: Rates | undefined): Column<Exposure> {
  const aprOf = (row: Exposure) => {
    const rate = rates?.get(row.symbol);
    return rate === undefined || signOf(row.net) === 0
      ? null
      : fundingApr(rate.rate, rate.intervalHours, isShort(row) ? 'SELL' : 'BUY');
  };
  return {
    id: 'apr',
    header: (
      <span title="Of the net holding, a year at the rate of now; positive: you receive">Funding APR</span>
    ),
    label: 'Funding APR',
    align: 'right',
    priority: 6,
    cell: (row) => <Apr value={aprOf(row)} />,
    sort: (row) => {
      const apr = aprOf(row);
      return apr === null ? null : Number(apr);
    },
  };
}

function Holder({ part: { basket } }: { readonly part: Part }) {
  return (
    <Link className={css['holder']} href={basket === null ? PAST : `/positions/${basket.id}`}>
      {basket === null ? 'outside Tandem' : <BasketLabel legs={basket.legs} />}
    </Link>
  );
}

function Baskets({ row: { parts } }: { readonly row: Exposure }) {
  const more = parts.length - NAMED;
  return (
    <span className={css['holders']}>
      <span className={css['count']}>{parts.filter(({ basket }) => basket !== null).length}</span>
      {parts.slice(0, NAMED).map((part) => (
        <Holder key={part.basket?.id ?? PAST} part={part} />
      ))}
      {more > 0 && `+${more}`}
    </span>
  );
}

const PARTS = (symbol: string): readonly Column<Part>[] => [
  { id: 'basket', header: 'Basket', cell: (part) => <Holder part={part} /> },
  { id: 'side', header: 'Side', width: 90, cell: ({ side }) => <Side side={side} /> },
  {
    id: 'quantity',
    header: 'Quantity',
    align: 'right',
    cell: ({ quantity }) => <Size symbol={symbol} value={quantity} />,
  },
  amountColumn('notional', 'Notional', (part) => part.notional),
  pnlColumn('pnl', 'Unrealised', (part) => part.unrealizedPnl),
];

function Parts({ row: { symbol, ticker, parts } }: { readonly row: Exposure }) {
  const columns = useMemo(() => PARTS(symbol), [symbol]);
  return (
    <Table
      natural
      label={`Baskets with ${ticker}`}
      rows={parts}
      columns={columns}
      rowKey={({ basket }) => basket?.id ?? PAST}
    />
  );
}

function totalsOf(rows: readonly Exposure[], rates: Rates | undefined): Readonly<Record<string, ReactNode>> {
  return {
    instrument: rows.length === 1 ? '1 instrument' : `${rows.length} instruments`,
    net: <Amount value={sumOf(rows, ({ net }) => net)} />,
    gross: <Amount value={sumOf(rows, ({ gross }) => gross)} />,
    pnl: <Pnl value={sumOf(rows, ({ unrealizedPnl }) => unrealizedPnl)} />,
    next: <NextPayment legs={rows.flatMap(fundedOf)} rates={rates} />,
  };
}

const keyOf = ({ symbol }: Exposure) => symbol;
const partsOf = (row: Exposure) => <Parts row={row} />;

export function ByInstrument() {
  const { now, holdings, error, refetch } = useHoldings();
  // Without the venue there is no equity either.
  const isAnswered = now?.equity != null;
  const rates = useRates();
  const rows = useMemo(
    () => holdings && exposureByInstrument(holdings.positions, holdings.unassigned),
    [holdings],
  );
  const columns = useMemo(
    (): readonly Column<Exposure>[] => [
      ...FIGURES,
      pnlColumn('pnl', 'Unrealised', (row) => row.unrealizedPnl, { sorts: true }),
      fundingColumn(rates),
      { ...nextPaymentColumn(fundedOf, rates), priority: 3 },
      ...liquidationColumns(isAnswered),
      BASKETS,
    ],
    [rates, isAnswered],
  );
  return (
    <Table
      label="By instrument"
      {...readTable({ error, refetch }, rows)}
      columns={columns}
      rowKey={keyOf}
      detail={partsOf}
      comesBy={{ by: 'net', down: true }}
      totals={rows === undefined || rows.length === 0 ? undefined : totalsOf(rows, rates)}
      empty={
        <EmptyState title="Nothing is held" action={<Link href="/trade">Build a basket</Link>}>
          What the account holds of each instrument is listed here, over all its baskets.
        </EmptyState>
      }
    />
  );
}
