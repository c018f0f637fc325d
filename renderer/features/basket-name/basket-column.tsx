/** Column with a row's basket. Rows of many legs open to show the whole name, for users who cannot hover. */
import type { Column } from '../../components/table-column.ts';
import css from './basket-column.module.css';
import { BasketLabel } from './basket-label.tsx';
import type { NamedLeg } from './basket-name.ts';

interface OfBasket {
  readonly legs: readonly NamedLeg[];
}

/** A long name is cut, so that the figures beside it have room. */
export function BasketCell({ legs }: OfBasket) {
  return (
    <span className={css['cell']}>
      <BasketLabel legs={legs} />
    </span>
  );
}

export function basketColumn<Row extends OfBasket>(header: string): Column<Row> {
  return { id: 'basket', header, cell: ({ legs }) => <BasketCell legs={legs} /> };
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
