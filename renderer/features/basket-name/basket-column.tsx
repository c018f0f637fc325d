/** Column with a row's basket. Rows of many legs open to show the whole name, for users who cannot hover. */
import type { CSSProperties } from 'react';
import type { Column } from '../../components/table-column.ts';
import css from './basket-column.module.css';
import { BasketLabel } from './basket-label.tsx';
import type { NamedLeg } from './basket-name.ts';

interface OfBasket {
  readonly legs: readonly NamedLeg[];
}

/**
 * @param othersPx width of the other columns: a name is not cut while there is space beside them. Left out where these
 * columns come and go with the width: the name then gets what they leave
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

/** Largest number of legs whose name fits into every column. */
const SHORT = 2;

function wholeName({ legs }: OfBasket) {
  return legs.length > SHORT ? <BasketLabel isWhole legs={legs} /> : null;
}

/** `detail` of a table; undefined, so that no row expands, where no name can be cut. */
export function wholeNames(rows: readonly OfBasket[] | undefined): { readonly detail?: typeof wholeName } {
  return rows?.some(({ legs }) => legs.length > SHORT) === true ? { detail: wholeName } : {};
}
