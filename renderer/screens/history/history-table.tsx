/** Table of the rows of the chosen days. */
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../components/button.tsx';
import type { PagedTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table, type TableProps } from '../../components/table.tsx';
import { useChosenColumns } from '../../features/chosen-columns/chosen-columns.tsx';
import type { DateSpan } from './date-span.ts';

/** Properties of a view of the history. */
export interface HistoryView {
  readonly span: DateSpan;
  /** True: the typed days are no valid span, so nothing is said about an empty result of the last span. */
  readonly isSpanWrong: boolean;
  /** Widens the span to every day. */
  readonly onAllDays: () => void;
  /** Called with the reason that there are no rows; null: there are some. */
  readonly onWhyNone: (why: string | null) => void;
}

export function HistoryTable<One extends { readonly id: string }>({
  span: { from, to },
  isSpanWrong,
  onAllDays,
  onWhyNone,
  noneThen,
  none,
  columns,
  ...table
}: HistoryView &
  PagedTable<One> &
  Pick<TableProps<One>, 'label' | 'columns' | 'detail' | 'totals' | 'comesBy'> & {
    /** Title while the chosen days have no rows. */
    readonly noneThen: string;
    /** Shown while no day has rows. */
    readonly none: ReactNode;
  }) {
  const isFiltered = from !== '' || to !== '';
  const noneOfThese = (
    <EmptyState title={noneThen} action={<Button onClick={onAllDays}>All days</Button>}>
      Other days may have some.
    </EmptyState>
  );
  const empty = isSpanWrong ? <EmptyState title="Choose days to see their rows" /> : noneOfThese;
  const { rows, error = null } = table;
  const whyNone =
    (rows ?? []).length === 0 && error !== null
      ? 'The rows could not be read'
      : rows?.length === 0
        ? 'There are no rows to export'
        : rows === undefined
          ? 'The rows are being read'
          : null;
  useEffect(() => {
    onWhyNone(whyNone);
    return () => onWhyNone(null);
  }, [onWhyNone, whyNone]);
  const chosen = useChosenColumns(table.label, columns);
  return (
    <Table
      {...table}
      columns={chosen}
      rowKey={({ id }) => id}
      empty={isFiltered || isSpanWrong ? empty : none}
    />
  );
}
