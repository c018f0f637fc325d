/** Agents that act for the user: permissions, activity, and revocation. */

import { Bot } from 'lucide-react';
import { useMemo, useState } from 'react';
import { GATEWAY_ADDRESS } from '../../api/gateway-address.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { describeError } from '../../components/describe-error.ts';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age, Time } from '../../components/time.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { revokeAllAgents } from '../../features/revoke-agents/revoke-agents.ts';
import { Activity } from './activity.tsx';
import { type Grant, MOST_AGENTS, mayDo, mayWrite } from './agent-words.ts';
import css from './agents.module.css';
import { RevokeOne } from './revoke-one.tsx';

/** Re-reads by timer: a grant appears and ends without an event of the trade account. */
const ANEW_MS = 10_000;

const readAgentsAnew = () => readAnew('GET /oauth2/grants', 'GET /audit-log');

export default function Agents() {
  const grants = useGet('GET /oauth2/grants', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const [asked, setAsked] = useState<Grant | 'all' | null>(null);
  const rows = grants.data?.grants;
  const columns = useMemo(() => columnsOf(setAsked), []);
  const count = rows?.length ?? 0;
  return (
    <Page
      title="Agents"
      actions={
        <>
          {rows !== undefined && (
            <span className={layout['quiet']}>
              {count} of {MOST_AGENTS} connected
            </span>
          )}
          {count > 0 && <Button onClick={() => setAsked('all')}>Revoke all…</Button>}
        </>
      }
    >
      <p className={css['intro']}>
        Programs and AI agents that you allowed to act for you. They never get your password, and each can be
        ended here from its next request on. Their names are their own words: nobody has verified them.
      </p>
      <Panel flush live>
        <Table
          label="Connected agents"
          rows={rows}
          columns={columns}
          rowKey={({ id }) => id}
          error={grants.error}
          onRetry={() => void grants.refetch()}
          detail={(grant) => <Activity grant={grant} />}
          empty={<NoAgents />}
          natural
        />
      </Panel>
      {asked !== null && asked !== 'all' && (
        <RevokeOne grant={asked} onClose={() => setAsked(null)} onRevoked={readAgentsAnew} />
      )}
      {asked === 'all' && <RevokeAll count={count} onClose={() => setAsked(null)} />}
    </Page>
  );
}

function NoAgents() {
  return (
    <EmptyState
      icon={<Bot />}
      title="No agent is connected"
      action={<CopyButton words text={GATEWAY_ADDRESS} label="Copy the gateway's address" />}
    >
      Give your agent the address <code>{GATEWAY_ADDRESS}</code>. It opens a page here on which you decide
      what it may do.
    </EmptyState>
  );
}

function columnsOf(ask: (grant: Grant) => void): readonly Column<Grant>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => (
        <span className={css['name']}>
          <bdi>{name}</bdi>
          <Badge tone="quiet">unverified</Badge>
        </span>
      ),
    },
    {
      id: 'may',
      header: 'May',
      sort: (grant) => mayDo(grant),
      cell: (grant) => <Badge tone={mayWrite(grant) ? 'warn' : 'neutral'}>{mayDo(grant)}</Badge>,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      cell: ({ scopes }) => (scopes.length === 0 ? 'none' : <code>{scopes.join(' ')}</code>),
    },
    {
      id: 'since',
      header: 'Connected since',
      width: 260,
      sort: ({ connectedAt }) => connectedAt,
      cell: ({ connectedAt }) => (
        <span className={css['name']}>
          <Time at={connectedAt} />
          <span className={layout['quiet']}>
            <Age since={connectedAt} /> ago
          </span>
        </span>
      ),
    },
    actionsColumn(100, (grant) => (
      <Button kind="ghost" onClick={() => ask(grant)} aria-label={`Revoke ${grant.name}`}>
        Revoke
      </Button>
    )),
  ];
}

function RevokeAll({ count, onClose }: { readonly count: number; readonly onClose: () => void }) {
  const client = useClient();
  const work = async () => {
    const { failed } = await revokeAllAgents(client);
    await readAgentsAnew();
    const [first] = failed;
    if (first !== undefined)
      throw new Error(`${failed.map(({ name }) => name).join(', ')}: ${describeError(first.error).text}`);
  };
  return (
    <ConfirmedAction
      work={work}
      done="Every agent is disconnected"
      onClose={onClose}
      title={count === 1 ? 'Revoke the only agent?' : `Revoke all ${count} agents?`}
      confirm="Revoke all"
    >
      <p>
        The next request of every one of them is refused with 401, and what they left waiting that could open
        a position is cancelled. Positions, take-profits, stop-losses and orders that close stay.
      </p>
    </ConfirmedAction>
  );
}
