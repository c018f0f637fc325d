/** The column of a row's basket, and below a row of many legs all of its name: not everyone can hover over it. */
import type { CSSProperties } from 'react';
import type { Column } from '../../components/table-column.ts';
import css from './basket-column.module.css';
import { BasketLabel } from './basket-label.tsx';
import type { NamedLeg } from './basket-name.ts';

interface OfBasket {
  readonly legs: readonly NamedLeg[];
}

/**
 * @param othersPx what the other columns take: a name is not cut as long as there is room beside them. Left out where they
 * come and go by room: it has what they leave
 */
export function basketColumn<Row extends OfBasket>(header: string, othersPx?: number): Column<Row> {
  const style = (othersPx === undefined ? {} : { '--others': `${othersPx}px` }) as CSSProperties;
  return {
    id: 'basket',
    header,
    cell: ({ legs }) => (
      <span className={css['cell']} style={style}>
        <BasketLabel legs={legs} />
      </span>
    ),
  };
}

/** Names of as many legs fit into every column. */
const SHORT = 2;

function wholeName({ legs }: OfBasket) {
  return legs.length > SHORT ? <BasketLabel isWhole legs={legs} /> : null;
}

/** `detail` of a table: undefined, and so no column to open rows, where no name can be cut. */
export function wholeNames(rows: readonly OfBasket[] | undefined): { readonly detail?: typeof wholeName } {
  return rows?.some(({ legs }) => legs.length > SHORT) === true ? { detail: wholeName } : {};
}
