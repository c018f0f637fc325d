/**
 * Columns of rows in typed arrays: a million rows cost only their bytes, without objects or work for the garbage
 * collector. Rows are numbered from 1, so that 0 can mean none.
 */

/** Number of rows to reserve, so that filling a column row by row copies each row a bounded number of times. */
export function roomier(rows: number, capacity: number): number {
  return Math.max(rows + 1, Math.ceil(capacity * 1.5), 64);
}

export function longerInts(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length);
  longer.set(column);
  return longer;
}

export function longerReals(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length);
  longer.set(column);
  return longer;
}

/** An integer of the column; the row must exist. */
export function int(column: Int32Array, row: number): number {
  return column[row] as number;
}

/** A float of the column; the row must exist. */
export function real(column: Float64Array, row: number): number {
  return column[row] as number;
}
