/** Tab of trades outside Tandem: the account's holdings in no basket, and the fills that no basket has. */
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { INSTRUMENT, TRADED } from '../../features/order-tables/fill-columns.tsx';
import { InNoBasket } from './in-no-basket.tsx';
import css from './positions.module.css';
import { useUnassigned, useWaitingFills, type WaitingFill } from './use-position-data.ts';

const COLUMNS: readonly Column<WaitingFill>[] = [
  { id: 'time', header: 'Time', cell: (row) => <Time at={row.timestamp} />, width: 190 },
  INSTRUMENT,
  ...TRADED,
  {
    id: 'order',
    header: 'Client order ID',
    cell: ({ cloid }) => (cloid === null ? '' : <code>{cloid}</code>),
  },
];

export function PastTandem() {
  const fills = useWaitingFills();
  const holdings = useUnassigned();
  const isEmpty = fills.data?.fills.length === 0 && holdings.data?.length === 0;
  if (isEmpty)
    return (
      <EmptyState title="Nothing was traded outside Tandem">
        Trades made at the venue itself are listed here until they belong to a basket.
      </EmptyState>
    );
  return (
    <div className={css['past']}>
      <InNoBasket />
      <Panel title="Fills outside Tandem" flush live>
        <Table
          label="Fills outside Tandem"
          {...readTable(fills, fills.data?.fills)}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty={<p className={layout['quiet']}>No fill outside Tandem waits for a basket.</p>}
          natural
        />
      </Panel>
    </div>
  );
}
