/** Properties that the tables of all kinds of orders share. */
import { type ReactNode, useMemo, useState } from 'react';
import type { TableProps } from '../../components/table.tsx';
import { CancelAllButton } from '../resting-action/cancel-all-button.tsx';

/** Orders screen: all orders with all columns. Panel below the chart: pending orders with fewer columns. */
export type Place = 'page' | 'panel';

type OrderList<Row> = Pick<
  TableProps<Row>,
  'rows' | 'error' | 'onRetry' | 'onReachEnd' | 'loadingMore' | 'isDim'
>;

export interface OrderTableProps<Row> {
  readonly place: Place;
  readonly list: OrderList<Row>;
  /** Shown when the list has no rows. */
  readonly empty: ReactNode;
}

export const orderKey = ({ id }: { readonly id: string }) => id;

/**
 * The row whose form is open. It follows the updates of its list. A row that leaves the list meanwhile, like a trigger
 * that fires, stays until the form is closed.
 */
export function useEdited<Row extends { readonly id: string }>(rows: readonly Row[] | undefined) {
  const [chosen, edit] = useState<Row | null>(null);
  const edited = rows?.find(({ id }) => id === chosen?.id) ?? chosen;
  return { edited, edit, leave: () => edit(null) };
}

/**
 * Button in the head of the panel's lists that cancels the listed orders; keeps its identity while they are the same.
 * @param rows undefined or empty: no button
 */
export function useCancelListed(
  what: 'orders' | 'triggers',
  rows: readonly { readonly id: string }[] | undefined,
): ReactNode {
  // A text keeps its identity while the rows are the same.
  const ids = (rows ?? []).map(({ id }) => id).join(' ');
  return useMemo(
    () =>
      ids === '' ? undefined : <CancelAllButton isQuiet what={what} only={ids.split(' ')} disabled={false} />,
    [what, ids],
  );
}
