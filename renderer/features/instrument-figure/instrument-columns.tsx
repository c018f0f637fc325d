/** Columns of prices and quantities, each row with the decimals of its own instrument. */
import type { Column } from '../../components/table-column.ts';
import { Price, Size } from './instrument-figure.tsx';

type FigureOf<Row> = (row: Row) => string | null | undefined;

export function priceColumn<Row extends { readonly symbol: string }>(
  id: string,
  header: string,
  priceOf: FigureOf<Row>,
): Column<Row> {
  const cell = (row: Row) => <Price symbol={row.symbol} value={priceOf(row)} />;
  return { id, header, align: 'right', cell };
}

export function sizeColumn<Row extends { readonly symbol: string }>(
  id: string,
  header: string,
  quantityOf: FigureOf<Row>,
): Column<Row> {
  const cell = (row: Row) => <Size symbol={row.symbol} value={quantityOf(row)} />;
  return { id, header, align: 'right', cell };
}
