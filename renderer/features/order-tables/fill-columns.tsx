/** Columns of fills that several screens share. */
import type { Row } from '../../../gateway/client/client.ts';
import { amountColumn, pnlColumn } from '../../components/figure-columns.tsx';
import type { Column } from '../../components/table-column.ts';
import { FillFee } from '../fill-fee/fill-fee.tsx';
import { priceColumn, sizeColumn } from '../instrument-figure/instrument-columns.tsx';
import { type Authority, placedByColumn } from '../placed-by/placed-by.tsx';
import { Ticker } from '../ticker/ticker.tsx';

export type Fill = Row<'GET /fills'>;
/** Fields that a fill outside Tandem has too. */
type Traded = Pick<Fill, 'symbol' | 'side' | 'quantity' | 'price'>;

export const INSTRUMENT: Column<Traded> = {
  id: 'instrument',
  header: 'Instrument',
  cell: (row) => <Ticker symbol={row.symbol} />,
  width: 66,
};
/** Side, quantity and price. */
export const TRADED: readonly Column<Traded>[] = [
  { id: 'side', header: 'Side', cell: (row) => (row.side === 'BUY' ? 'Buy' : 'Sell'), width: 60 },
  sizeColumn('quantity', 'Quantity', (row) => row.quantity),
  priceColumn('price', 'Price', (row) => row.price),
];
export const NOTIONAL = amountColumn<Fill>('notional', 'Notional', (row) => row.notional);
export const FEE: Column<Fill> = {
  id: 'fee',
  header: 'Fee',
  width: 70,
  align: 'right',
  cell: (row) => <FillFee fee={row.fee} feeAsset={row.feeAsset} />,
};
export const REALISED = pnlColumn<Fill>('pnl', 'Realised', (row) => row.realizedPnl, { width: 70 });

/** @param placers placer by execution id */
export function placersColumn(placers: ReadonlyMap<string, Authority>): Column<Fill> {
  return placedByColumn(({ executionId }) => placers.get(executionId ?? ''));
}
