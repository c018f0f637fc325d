/**
 * Leaves out columns of a table where the window is too narrow for all of them, so that pinned columns hide none of the
 * others. Rows drawn as cards have space for everything.
 */
import { useMemo, useSyncExternalStore } from 'react';
import type { Column } from '../../components/table-column.ts';

const tight = matchMedia('(560px <= width < 1100px)');

function subscribe(onChange: () => void): () => void {
  tight.addEventListener('change', onChange);
  return () => tight.removeEventListener('change', onChange);
}
const isTight = () => tight.matches;

/** @param spare ids of the columns that go first; must keep its identity from render to render, as `columns` */
export function useFittingColumns<Row>(
  columns: readonly Column<Row>[],
  spare: readonly string[],
): readonly Column<Row>[] {
  const leaves = useSyncExternalStore(subscribe, isTight);
  return useMemo(
    () => (leaves ? columns.filter(({ id }) => !spare.includes(id)) : columns),
    [columns, spare, leaves],
  );
}
