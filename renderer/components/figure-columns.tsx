/** Columns of right-aligned figures. With `sorts` they can be sorted by the shown figure. */
import type { ReactNode } from 'react';
import { Amount, Percent, Pnl, Quantity, Ratio } from './amount.tsx';
import type { Column } from './table-column.ts';

type Value = string | null | undefined;
type FigureOf<Row> = (row: Row) => Value;

interface FigureOptions {
  /** Width of the column, px. */
  readonly width?: number;
  readonly sorts?: boolean;
}

function figureColumn<Row>(
  [id, header]: readonly [id: string, header: ReactNode],
  figureOf: FigureOf<Row>,
  draw: (value: Value) => ReactNode,
  { sorts = false, ...place }: FigureOptions,
): Column<Row> {
  const sort = (row: Row) => {
    const value = figureOf(row);
    return value == null ? null : Number(value);
  };
  return {
    id,
    header,
    align: 'right',
    cell: (row) => draw(figureOf(row)),
    ...(sorts ? { sort } : {}),
    ...place,
  };
}

export function amountColumn<Row>(
  id: string,
  header: ReactNode,
  figureOf: FigureOf<Row>,
  { compact = false, ...options }: FigureOptions & { readonly compact?: boolean } = {},
): Column<Row> {
  return figureColumn([id, header], figureOf, (value) => <Amount value={value} compact={compact} />, options);
}

export function pnlColumn<Row>(
  id: string,
  header: ReactNode,
  figureOf: FigureOf<Row>,
  options: FigureOptions = {},
): Column<Row> {
  return figureColumn([id, header], figureOf, (value) => <Pnl value={value} />, options);
}

/** Column of a return that is in percent already. */
export function returnColumn<Row>(
  id: string,
  header: ReactNode,
  figureOf: FigureOf<Row>,
  options: FigureOptions & { readonly label?: string } = {},
): Column<Row> {
  return figureColumn([id, header], figureOf, (value) => <Percent value={value} of="percent" pnl />, options);
}

export function quantityColumn<Row>(id: string, header: ReactNode, figureOf: FigureOf<Row>): Column<Row> {
  return figureColumn([id, header], figureOf, (value) => <Quantity value={value} />, {});
}

/** Column of a ratio or an average price, rounded because its many digits are hard to read. */
export function ratioColumn<Row>(
  id: string,
  header: ReactNode,
  figureOf: FigureOf<Row>,
  figures?: number,
): Column<Row> {
  return figureColumn(
    [id, header],
    figureOf,
    (value) => <Ratio value={value} {...(figures === undefined ? {} : { figures })} />,
    {},
  );
}
