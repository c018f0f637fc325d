/**
 * Which columns a table has by its width: those that matter most as long as there is room for them beside what always
 * stands, the name of a row in full included.
 */
import { type Column, STEPS } from '../../components/table-column.ts';

const LAST_STEP = 2000;

/**
 * @param always px of what stands in every width
 * @param order id and px of each column that gives way, the one that stays longest first; others stand always
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
