/** The user's API keys: creation, list, revocation. Only the creating dialog shows the secret key, once. */
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { type TradeAccount, useAccounts, useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age, Time } from '../../components/time.tsx';
import { timeColumn, valueColumn } from '../../components/value-columns.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { useOpenedByLink } from '../../features/opened-by-link/use-opened-by-link.ts';
import { CreateKey } from './create-key.tsx';

type ApiKey = Answer<'GET /api-keys'>['apiKeys'][number];

const ANEW_MS = 30_000;

export function ApiKeys() {
  const keys = useGet('GET /api-keys', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const agents = useGet('GET /agents', {}, { shared: true }).data?.agents;
  const accounts = useAccounts();
  const [isCreating, setCreating] = useOpenedByLink('create');
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const columns = useMemo(() => columnsOf(accounts, agents, setRevoked), [accounts, agents]);
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  const isEmpty = keys.data?.apiKeys.length === 0;
  return (
    <>
      <Panel flush live title="API keys" actions={isEmpty ? undefined : create}>
        <Table
          label="API keys"
          {...readTable(keys, keys.data?.apiKeys)}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<KeyRound />} title="No API key" action={create}>
              Programs on this computer trade with an API key. Agents need none: they ask you for access.
            </EmptyState>
          }
          natural
        />
      </Panel>
      {isCreating && <CreateKey accounts={accounts} onClose={() => setCreating(false)} />}
      {revoked !== null && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function columnsOf(
  accounts: readonly TradeAccount[],
  agents: Answer<'GET /agents'>['agents'] | undefined,
  revoke: (key: ApiKey) => void,
): readonly Column<ApiKey>[] {
  const alias = (id: string) => accounts.find((account) => account.id === id)?.alias ?? 'a removed account';
  return [
    {
      id: 'label',
      header: 'Label',
      sort: ({ label }) => label.toLowerCase(),
      cell: ({ label }) => <bdi>{label}</bdi>,
    },
    valueColumn('scope', 'Allowed to', (key) => mayDo(key, agents), {
      width: 190,
      isText: true,
      draw: (words) => <Badge tone={words === MAY.read ? 'neutral' : 'warn'}>{words}</Badge>,
    }),
    { id: 'prefix', header: 'Begins with', width: 120, cell: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
    {
      id: 'accounts',
      header: 'Accounts',
      cell: ({ tradeAccountIds: ids }) => (ids === null ? 'All' : ids.map(alias).join(', ')),
    },
    valueColumn('expires', 'Expires', ({ expiresAt }) => expiresAt, { width: 140, draw: expiry }),
    valueColumn('used', 'Last used', ({ lastUsedAt }) => lastUsedAt, { width: 130, draw: lastUse }),
    timeColumn('created', 'Created', ({ createdAt }) => createdAt, { width: 130, style: 'date' }),
    actionsColumn(100, (key) => (
      <Button kind="ghost" onClick={() => revoke(key)} aria-label={`Revoke ${key.label}`}>
        Revoke
      </Button>
    )),
  ];
}

const MAY = {
  read: 'Read',
  limited: 'Read and trade, in limits',
  whole: 'Read, trade, see credentials',
} as const;

/** Permissions of a key. Without limits, a trading key may also read the credentials in the vault. */
function mayDo({ id, scope }: ApiKey, agents: Answer<'GET /agents'>['agents'] | undefined) {
  if (scope === 'read') return MAY.read;
  const terms = agents?.find((agent) => agent.id === id)?.mandate?.terms;
  return terms === undefined || terms.rights.readCredentials ? MAY.whole : MAY.limited;
}

const lastUse = (lastUsedAt: string | null) =>
  lastUsedAt === null ? (
    'Never'
  ) : (
    <span>
      <Age since={lastUsedAt} /> ago
    </span>
  );

function expiry(expiresAt: string | null) {
  if (expiresAt === null) return 'Never';
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="danger">Expired</Badge>;
  return <Time at={expiresAt} style="date" />;
}

function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const client = useClient();
  const work = async () => {
    await client.call('DELETE /api-keys/{id}', { params: { id: apiKey.id } });
    await readAnew('GET /api-keys');
  };
  return (
    <ConfirmedAction
      work={work}
      done={`${apiKey.label} is revoked`}
      onClose={onClose}
      title={
        <>
          Revoke <bdi>{apiKey.label}</bdi>?
        </>
      }
      confirm="Revoke"
    >
      <p className={layout['dim']}>
        Requests with this key are refused from now on, and its WebSocket is closed. This cannot be undone.
      </p>
    </ConfirmedAction>
  );
}
