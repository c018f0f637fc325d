/** Header cells; clicks on one sort by its column in each direction, then restore the original order. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from './class-names.ts';
import css from './table.module.css';
import type { Column } from './table-column.ts';

export interface Sorting {
  readonly by: string;
  readonly down: boolean;
}

/** Created once: much faster than `localeCompare` at each comparison. */
const TEXTS = new Intl.Collator();

/**
 * Sorted rows; unsorted without `sorting`. Rows without a value come last in both directions. Equal rows keep their
 * order.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const sort = columns.find(({ id }) => id === sorting?.by)?.sort;
  if (sorting === null || sort === undefined) return rows;
  const factor = sorting.down ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sort(row) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      if (typeof a.value === 'string' && typeof b.value === 'string')
        return factor * TEXTS.compare(a.value, b.value);
      return factor * (Number(a.value) - Number(b.value));
    })
    .map(({ row }) => row);
}

function nextSorting(current: Sorting | null, by: string): Sorting | null {
  if (current?.by !== by) return { by, down: true };
  return current.down ? { by, down: false } : null;
}

const ARIA_SORT = { up: 'ascending', down: 'descending' } as const;
const EXPANDER_PX = 28;

export function TableHeader<Row>({
  columns,
  sorting,
  onSort,
  expandable,
}: {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting | null) => void;
  readonly expandable: boolean;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {expandable && (
          <td className={css['head']} style={{ width: EXPANDER_PX }}>
            <span className="visually-hidden">Expand</span>
          </td>
        )}
        {columns.map((column) => {
          const direction = sorting?.by === column.id ? (sorting.down ? 'down' : 'up') : null;
          return (
            <th
              key={column.id}
              scope="col"
              data-column={column.id}
              data-cards={column.onCards}
              className={classNames(
                css['head'],
                css[column.align ?? 'left'],
                column.pinned === true && css['pinned'],
                column.width === undefined && css['free'],
                column.ofAll !== undefined && css['ofAll'],
              )}
              style={column.width === undefined ? {} : { width: column.width }}
              {...(direction === null ? {} : { 'aria-sort': ARIA_SORT[direction] })}
              {...(column.label === undefined || column.header === '' ? {} : { 'aria-label': column.label })}
            >
              {column.header === '' && <span className="visually-hidden">{column.label}</span>}
              {column.sort === undefined ? (
                column.header
              ) : (
                <button
                  type="button"
                  className={css['sort']}
                  onClick={() => onSort(nextSorting(sorting, column.id))}
                >
                  {column.header}
                  {direction === 'down' && <ArrowDown aria-hidden="true" />}
                  {direction === 'up' && <ArrowUp aria-hidden="true" />}
                  {direction === null && <ArrowDown aria-hidden="true" className={css['hint']} />}
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
