/**
 * Leaves columns of a table out where the window is too narrow for all of them, so that none of the others is hidden under
 * the pinned ones. Rows that are drawn as cards have room for everything.
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
