/**
 * What a TWAP's fills have taken out of its total. Not "Filled", which are fills at their own prices: the two differ by what
 * the prices moved between the sizing of a slice and its fills, some cents as a rule.
 */
import { amountColumn } from '../../components/figure-columns.tsx';
import type { Column } from '../../components/table-column.ts';

const USED = 'At the prices that it was sized at, not those of its fills: used and left come to the total';

export function usedColumn<Row extends { readonly filledUsd: string }>(): Column<Row> {
  return amountColumn<Row>('used', <span title={USED}>Used</span>, (row) => row.filledUsd, { label: 'Used' });
}
