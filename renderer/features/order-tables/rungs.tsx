/** Rungs of a ladder, each changed and cancelled by itself: a rung is a trigger. */
import { useCallback, useMemo, useState } from 'react';
import { useAccount, useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { amountColumn } from '../../components/figure-columns.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { sayError } from '../../components/toast.tsx';
import { isChangeable } from '../change-trigger/trigger-change.ts';
import { RestingButtons } from '../resting-action/resting-buttons.tsx';
import { restingActions } from '../resting-action/resting-state.ts';
import { type Ladder, type Rung, rungLevelText, type Trigger, triggerState } from './order-states.ts';
import css from './order-tables.module.css';
import { StateBadge } from './state-badge.tsx';

/** Number of a rung. A card has no header, so it needs the word as well. */
function rungName({ index }: Rung) {
  return (
    <span>
      <span className={css['onCard']}>Rung </span>
      {index + 1}
    </span>
  );
}

const rungKey = ({ triggerId }: Rung) => triggerId;

/** Rungs of a ladder, which can be cancelled one by one: each rung is a trigger. */
export function Rungs({
  ladder,
  onEdit,
}: {
  readonly ladder: Ladder;
  readonly onEdit: (triggerId: string) => void;
}) {
  const columns = useMemo(
    (): readonly Column<Rung>[] => [
      { id: 'index', header: 'Rung', cell: rungName, width: 60 },
      {
        id: 'level',
        header: 'Level',
        align: 'right',
        cell: ({ level }) => <span title={level}>{rungLevelText(level)}</span>,
        width: 120,
      },
      amountColumn('usd', 'Size', (row) => row.usd, { width: 120 }),
      {
        id: 'state',
        header: 'State',
        cell: (row) => <StateBadge id={row.triggerId} state={triggerState(row)} />,
      },
      // The table has few columns and never scrolls sideways.
      actionsColumn(
        104,
        ({ triggerId, index, status }) => (
          <RestingButtons
            what="rung"
            id={triggerId}
            name={String(index + 1)}
            actions={restingActions(status)}
            onEdit={isChangeable({ status, bracketType: null }) ? () => onEdit(triggerId) : undefined}
          />
        ),
        false,
      ),
    ],
    [onEdit],
  );
  return <Table label="Rungs" natural rows={ladder.rungs} columns={columns} rowKey={rungKey} />;
}

/** Reads a rung before its dialog opens, since a ladder's row has few facts about its rungs. */
export function useRungEditor() {
  const client = useClient();
  const account = useAccount();
  const [rung, setRung] = useState<Trigger | null>(null);
  const edit = useCallback(
    (id: string) => {
      client
        .call('GET /triggers/{id}', { params: { id } })
        .then(setRung, (error: unknown) => sayError('The rung could not be read', error, account));
    },
    [client, account],
  );
  return { rung, edit, leave: () => setRung(null) };
}
