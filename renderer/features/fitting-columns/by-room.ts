/**
 * Chooses the columns of a table by its width: the most important ones, as long as they fit beside the permanent ones
 * with the row's full name.
 */
import { type Column, STEPS } from '../../components/table-column.ts';

const LAST_STEP = 2000;

/**
 * @param always width of the permanent parts, px
 * @param order id and px of each column that may be dropped, the last one to go first; other columns are permanent
 */
export function byRoom<Row>(
  columns: readonly Column<Row>[],
  always: number,
  order: readonly (readonly [id: string, px: number])[],
): readonly Column<Row>[] {
  const steps = new Map<string, Column<Row>['from']>();
  const ids = new Set(columns.map(({ id }) => id));
  let taken = always;
  for (const [id, px] of order) {
    if (!ids.has(id)) continue;
    taken += px;
    steps.set(id, STEPS.find((step) => step >= taken) ?? LAST_STEP);
  }
  return columns.map((column) => {
    const from = steps.get(column.id);
    return from === undefined ? column : { ...column, from };
  });
}
