/** Sums of the shown rows, in exact decimals. */
import Big from 'big.js';

export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => string): string {
  return rows.reduce((sum, row) => sum.plus(of(row)), new Big(0)).toFixed();
}
