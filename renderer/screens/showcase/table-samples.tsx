import { useMemo } from 'react';
import { Quantity, Side } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { pnlColumn } from '../../components/figure-columns.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { say } from '../../components/toast.tsx';
import { valueColumn } from '../../components/value-columns.tsx';
import css from './showcase.module.css';

interface Row {
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly pnl: string;
}

function makeRow(index: number): Row {
  const cents = ((index * 7_919) % 20_011) - 9_000;
  return {
    id: `M${String(index).padStart(5, '0')}`,
    side: index % 3 === 0 ? 'SELL' : 'BUY',
    price: `${100 + ((index * 37) % 5_000)}.${index % 10}`,
    pnl: (cents / 100).toFixed(2),
  };
}

const COLUMNS: readonly Column<Row>[] = [
  valueColumn('market', 'Market', ({ id }) => id),
  { id: 'side', header: 'Side', cell: ({ side }) => <Side side={side} /> },
  {
    id: 'price',
    header: 'Price',
    align: 'right',
    cell: ({ price }) => <Quantity value={price} step="0.1" />,
  },
  pnlColumn('pnl', 'PnL', ({ pnl }) => pnl, { sorts: true }),
  { id: 'state', header: 'State', cell: () => <Badge>Open</Badge> },
];

export function TableSamples({ rows, onSize }: { readonly rows: number; readonly onSize: () => void }) {
  const data = useMemo(() => Array.from({ length: rows }, (_, index) => makeRow(index)), [rows]);
  return (
    <>
      <div className={css['tools']}>
        <Button onClick={onSize}>{rows > 100 ? 'A few rows' : '10,000 rows'}</Button>
      </div>
      <Table
        label="Sample positions"
        rows={data}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={({ id }) => say(`Opened ${id}`)}
        detail={({ id }) => (id.endsWith('3') ? null : <p>Legs of {id}</p>)}
        selectedKey="M00002"
        height={320}
      />
    </>
  );
}
