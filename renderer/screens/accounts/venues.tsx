/** The venues of this gateway with their status. */
import { useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { Badge, ModeBadge } from '../../components/badge.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { AgeAsHeard, Countdown } from '../../components/time.tsx';
import { type Connector, capabilityWords, venueWords } from './account-words.ts';
import css from './accounts.module.css';

/** @param readAt time at which the rows were read, epoch ms */
const columnsOf = (readAt: number): readonly Column<Connector>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: ({ displayName }) => displayName,
    cell: ({ id, displayName, override }) => (
      <span className={layout['line']}>
        {displayName} <code className={layout['quiet']}>{id}</code>
        {override !== undefined && <Badge tone="danger">override: {override}</Badge>}
      </span>
    ),
  },
  {
    id: 'mode',
    header: 'Mode',
    width: 90,
    cell: ({ mode, network }) => <ModeBadge mode={mode} network={network} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: 120,
    cell: (venue) =>
      venue.inUse ? (
        <StatusBadge {...venueWords(venue)} />
      ) : (
        <span className={layout['quiet']}>Not in use</span>
      ),
  },
  {
    id: 'since',
    header: 'Status for',
    width: 120,
    cell: ({ since }) => <AgeAsHeard since={since} readAt={readAt} />,
  },
  { id: 'reason', header: 'Reason', cell: ({ reason, until }) => <Reason reason={reason} until={until} /> },
  {
    id: 'funding',
    header: 'Funding',
    width: 90,
    cell: ({ fundingIntervalHours: hours }) => (hours === 1 ? 'hourly' : `every ${hours} h`),
  },
  {
    id: 'margin',
    header: 'Margin mode',
    width: 130,
    cell: ({ marginMode }) => (marginMode === 'required' ? 'chosen per leg' : 'set by the venue'),
  },
];

function Reason({ reason, until }: Pick<Connector, 'reason' | 'until'>) {
  if (reason === null || until === null) return reason ?? '';
  return (
    <span>
      {reason}, for another <Countdown to={until} over="moment" />
    </span>
  );
}

export function Venues({
  query,
}: {
  readonly query: {
    readonly data: Answer<'GET /connectors'> | undefined;
    readonly dataUpdatedAt: number;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}) {
  const columns = useMemo(() => columnsOf(query.dataUpdatedAt), [query.dataUpdatedAt]);
  return (
    <Panel flush live title="Venues">
      <Table
        label="Venues"
        {...readTable(query, query.data?.connectors)}
        columns={columns}
        rowKey={({ id }) => id}
        detail={({ capabilities }) => (
          <p className={css['checks']}>This venue offers: {capabilityWords(capabilities)}.</p>
        )}
        natural
      />
    </Panel>
  );
}
