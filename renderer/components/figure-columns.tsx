/** Columns of right-aligned figures. With `sorts` they can be sorted by the shown figure. */
import type { ReactNode } from 'react';
import { Amount, Percent, Pnl, Ratio } from './amount.tsx';
import type { Column } from './table-column.ts';

type Value = string | null | undefined;
type FigureOf<Row> = (row: Row) => Value;

interface FigureOptions extends Pick<Column<never>, 'width' | 'label'> {
  readonly sorts?: boolean;
  /** Amounts are written short: $1.23M. */
  readonly compact?: boolean;
}

function figureColumn(draw: (value: Value, compact: boolean) => ReactNode) {
  return <Row,>(
    id: string,
    header: ReactNode,
    figureOf: FigureOf<Row>,
    { sorts = false, compact = false, ...place }: FigureOptions = {},
  ): Column<Row> => {
    const sort = (row: Row) => {
      const value = figureOf(row);
      return value == null ? null : Number(value);
    };
    const cell = (row: Row) => draw(figureOf(row), compact);
    return { id, header, align: 'right', cell, ...(sorts ? { sort } : {}), ...place };
  };
}

export const amountColumn = figureColumn((value, compact) => <Amount value={value} compact={compact} />);
export const pnlColumn = figureColumn((value) => <Pnl value={value} />);
/** Column of a return that is in percent already. */
export const returnColumn = figureColumn((value) => <Percent value={value} of="percent" pnl />);

/** Column of a ratio or an average price, rounded because its many digits are hard to read. */
export function ratioColumn<Row>(
  id: string,
  header: ReactNode,
  figureOf: FigureOf<Row>,
  figures?: number,
): Column<Row> {
  return figureColumn((value) => <Ratio value={value} figures={figures} />)(id, header, figureOf);
}
