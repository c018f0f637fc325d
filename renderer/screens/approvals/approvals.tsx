/** Approvals: orders of agents and programs that wait for their user, and past decisions. */
import { ShieldQuestion } from 'lucide-react';
import { Link, useRoute } from 'wouter';
import { usePages } from '../../api/queries.ts';
import { Amount } from '../../components/amount.tsx';
import { AccountMark, Badge } from '../../components/badge.tsx';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { pagedTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Countdown, Time } from '../../components/time.tsx';
import { BasketLabel } from '../../features/basket-name/basket-label.tsx';
import { type Approval, KIND_WORDS, legsAsHeld, STATUS_WORDS } from './approval-words.ts';
import { OneApproval } from './one-approval.tsx';

const PAGE_ROWS = 50;
const ANEW_MS = 5_000;

const COLUMNS: readonly Column<Approval>[] = [
  {
    id: 'status',
    header: 'Status',
    cell: ({ id, status }) =>
      status === 'PENDING' ? (
        <span>
          {STATUS_WORDS.PENDING}: <Link href={`/approvals/${id}`}>Look and decide</Link>
        </span>
      ) : (
        <Link href={`/approvals/${id}`}>{STATUS_WORDS[status]}</Link>
      ),
  },
  {
    id: 'basket',
    header: 'Basket',
    isText: true,
    cell: ({ plan }) => <BasketLabel legs={legsAsHeld(plan.legs)} />,
  },
  {
    id: 'asker',
    header: 'Asked by',
    isText: true,
    cell: ({ asker }) => (
      <span className={layout['line']}>
        <bdi>{asker.name}</bdi> <Badge tone="warn">unverified</Badge>
      </span>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => <AccountMark {...account} alias={account.alias ?? 'removed'} />,
  },
  { id: 'kind', header: 'Kind', priority: 1, cell: ({ kind }) => KIND_WORDS[kind] },
  { id: 'usd', header: 'Counts as', align: 'right', cell: ({ plan }) => <Amount value={plan.worstUsd} /> },
  {
    id: 'asked',
    header: 'Asked',
    priority: 2,
    cell: ({ createdAt }) => <Time at={createdAt} style="short" />,
  },
  {
    id: 'when',
    header: 'Expires or decided',
    isText: true,
    cell: ({ status, expiresAt, decidedAt }) =>
      status === 'PENDING' ? (
        <span>
          expires in <Countdown to={expiresAt} over="a moment" />
        </span>
      ) : (
        <Time at={decidedAt} />
      ),
  },
];

export default function Approvals() {
  const [, params] = useRoute('/approvals/:id?');
  const id = params?.id;
  return id === undefined ? <List /> : <OneApproval key={id} id={id} />;
}

function List() {
  const pages = usePages(
    'GET /approvals',
    { query: { limit: PAGE_ROWS } },
    { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 },
  );
  return (
    <Page title="Approvals">
      <p className={layout['quiet']}>
        Orders that agents and programs may not place alone wait here until you decide or they expire. Nothing
        is sent before.
      </p>
      <Panel flush live>
        <Table
          label="Approvals"
          columns={COLUMNS}
          rowKey={({ id: key }) => key}
          empty={
            <EmptyState icon={<ShieldQuestion />} title="Nothing waits for you">
              Whether an agent has to ask is set in its limits, under <Link href="/agents">Agents</Link>.
            </EmptyState>
          }
          natural
          {...pagedTable(pages)}
        />
      </Panel>
    </Page>
  );
}
