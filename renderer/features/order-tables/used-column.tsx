/**
 * Part of a TWAP's total that its fills have used. It is not "Filled", which counts fills at their own prices: the two
 * differ by the price moves between sizing and filling a slice, usually some cents.
 */
import { amountColumn } from '../../components/figure-columns.tsx';
import type { Column } from '../../components/table-column.ts';

const USED = 'At the prices that it was sized at, not those of its fills: used and left come to the total';

export function usedColumn<Row extends { readonly filledUsd: string }>(): Column<Row> {
  return amountColumn<Row>('used', <span title={USED}>Used</span>, (row) => row.filledUsd, { label: 'Used' });
}
