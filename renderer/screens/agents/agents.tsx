/** Agents that act for the user: permissions, limits in money, activity, suspension and revocation. */

import { Bot } from 'lucide-react';
import { useMemo, useState } from 'react';
import { MCP_ADDRESS } from '../../api/gateway-address.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { describeError } from '../../components/describe-error.ts';
import { Page, Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age, Time } from '../../components/time.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { revokeAllAgents } from '../../features/revoke-agents/revoke-agents.ts';
import { Activity } from './activity.tsx';
import { type Agent, type Grant, MOST_AGENTS, mayDo, mayWrite, STATES } from './agent-words.ts';
import css from './agents.module.css';
import { EditLimits } from './edit-limits.tsx';
import { HousePanel } from './house.tsx';
import { Limits } from './limits.tsx';
import { Refused } from './refused.tsx';
import { RevokeOne } from './revoke-one.tsx';

/** Refresh interval, ms: a grant appears and ends without an event of the trade account. */
const ANEW_MS = 10_000;

const readAgentsAnew = () => readAnew('GET /oauth2/grants', 'GET /agents', 'GET /audit-log');

export default function Agents() {
  const grants = useGet('GET /oauth2/grants', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const limits = useGet('GET /agents', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const [asked, setAsked] = useState<Grant | 'all' | 'pause' | null>(null);
  const [edited, setEdited] = useState<Agent | null>(null);
  const rows = grants.data?.grants;
  const agents = limits.data?.agents;
  const columns = useMemo(() => columnsOf(setAsked, agents), [agents]);
  const keys = agents?.filter(({ kind, mandate }) => kind === 'api_key' && mandate !== null) ?? [];
  const count = rows?.length;
  // The user can stop agents even if their list could not be read, since they may still exist.
  const mayRevoke = count !== 0;
  const mayPause = mayRevoke || agents === undefined || keys.length > 0;
  return (
    <Page
      title="Agents"
      actions={
        <>
          {mayPause && <Button onClick={() => setAsked('pause')}>Pause all agents…</Button>}
          {mayRevoke && <Button onClick={() => setAsked('all')}>Revoke all…</Button>}
        </>
      }
    >
      <p className={css['intro']}>
        Programs and AI agents that may act for you. They never get your password, and you can disconnect each
        of them here. Their names are unverified: they chose them.
        {count !== undefined && ` ${count} of ${MOST_AGENTS} connected.`}
        {count !== 0 && (
          <>
            {' '}
            Another one is connected with the address <code>{MCP_ADDRESS}</code>{' '}
            <CopyButton text={MCP_ADDRESS} label="Copy the address for agents" />
          </>
        )}
      </p>
      <Panel flush live>
        <Table
          label="Connected agents"
          {...readTable(grants, rows)}
          columns={columns}
          rowKey={({ id }) => id}
          detail={(grant) => <Detail grant={grant} agents={agents} onEdit={setEdited} />}
          empty={<NoAgents />}
          natural
        />
      </Panel>
      {keys.length > 0 && (
        <Panel title="API keys with limits" live>
          {keys.map((key) => (
            <section key={key.id} aria-label={key.name}>
              <h3 className={css['name']}>
                {key.name} <StateBadge agent={key} />
              </h3>
              <Limits agent={key} onEdit={() => setEdited(key)} />
              <Refused id={key.id} name={key.name} />
            </section>
          ))}
        </Panel>
      )}
      {limits.data !== undefined && <HousePanel house={limits.data.house} />}
      {limits.error !== null && <ErrorState compact error={limits.error} />}
      {edited !== null && <EditLimits agent={edited} onClose={() => setEdited(null)} />}
      {asked === 'pause' && <PauseAll onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'all' && asked !== 'pause' && (
        <RevokeOne
          grant={asked}
          usage={agents?.find(({ id }) => id === asked.id)?.usage ?? null}
          onClose={() => setAsked(null)}
          onRevoked={readAgentsAnew}
        />
      )}
      {asked === 'all' && <RevokeAll count={count} onClose={() => setAsked(null)} />}
    </Page>
  );
}

function Detail({
  grant,
  agents,
  onEdit,
}: {
  readonly grant: Grant;
  readonly agents: readonly Agent[] | undefined;
  readonly onEdit: (agent: Agent) => void;
}) {
  const agent = agents?.find(({ id }) => id === grant.id);
  return (
    <div className={css['seen']}>
      {agent !== undefined && mayWrite(grant) && <Limits agent={agent} onEdit={() => onEdit(agent)} />}
      <Refused id={grant.id} name={grant.name} />
      <Activity grant={grant} />
    </div>
  );
}

function StateBadge({ agent }: { readonly agent: Agent | undefined }) {
  if (agent === undefined) return null;
  const [words, tone] = STATES[agent.state];
  return <Badge tone={tone}>{words}</Badge>;
}

/** Time since the agent's last request, as a sign that it is working. */
function LastRequest({ agent }: { readonly agent: Agent | undefined }) {
  if (agent === undefined) return null;
  if (agent.lastSeenAt === null) return 'Not known';
  return (
    <span>
      <Age since={agent.lastSeenAt} /> ago
    </span>
  );
}

function NoAgents() {
  return (
    <EmptyState
      icon={<Bot />}
      title="No agent is connected"
      action={<CopyButton words text={MCP_ADDRESS} label="Copy the address" />}
    >
      Give your agent the address <code>{MCP_ADDRESS}</code>. It opens a page here on which you decide what it
      may do.
    </EmptyState>
  );
}

function columnsOf(
  ask: (grant: Grant) => void,
  agents: readonly Agent[] | undefined,
): readonly Column<Grant>[] {
  const agentOf = ({ id }: Grant) => agents?.find((agent) => agent.id === id);
  return [
    {
      id: 'name',
      header: 'Name',
      sort: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => (
        <span className={css['name']}>
          <bdi>{name}</bdi>
          <Badge tone="warn">unverified</Badge>
        </span>
      ),
    },
    {
      id: 'may',
      header: 'Allowed to',
      isText: true,
      sort: (grant) => mayDo(grant, agentOf(grant)),
      cell: (grant) => (
        <Badge tone={mayWrite(grant) ? 'warn' : 'neutral'}>{mayDo(grant, agentOf(grant))}</Badge>
      ),
    },
    {
      id: 'state',
      header: 'State',
      isText: true,
      sort: (grant) => agentOf(grant)?.state ?? '',
      cell: (grant) => <StateBadge agent={agentOf(grant)} />,
    },
    {
      id: 'seen',
      header: 'Last request',
      width: 120,
      priority: 1,
      sort: (grant) => agentOf(grant)?.lastSeenAt ?? null,
      cell: (grant) => <LastRequest agent={agentOf(grant)} />,
    },
    {
      id: 'since',
      header: 'Connected since',
      width: 170,
      priority: 2,
      isText: true,
      sort: ({ connectedAt }) => connectedAt,
      cell: ({ connectedAt }) => <Time at={connectedAt} />,
    },
    actionsColumn(100, (grant) => (
      <Button kind="ghost" onClick={() => ask(grant)} aria-label={`Revoke ${grant.name}`}>
        Revoke
      </Button>
    )),
  ];
}

function PauseAll({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const work = async () => {
    await client.call('POST /agents/pause-all');
    await readAgentsAnew();
  };
  return (
    <ConfirmedAction
      work={work}
      done="Every agent is paused"
      onClose={onClose}
      title="Pause all agents?"
      confirm="Pause all"
    >
      <p>
        No agent, and no API key with limits, opens anything until you resume it. Positions, brackets and
        closing are not affected.
      </p>
    </ConfirmedAction>
  );
}

function RevokeAll({
  count,
  onClose,
}: {
  /** Number of agents; undefined: they could not be read. */
  readonly count: number | undefined;
  readonly onClose: () => void;
}) {
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
      title={
        count === 1 ? 'Revoke the only agent?' : `Revoke all ${count === undefined ? '' : `${count} `}agents?`
      }
      confirm="Revoke all"
    >
      <p>
        Their next requests are refused, and their waiting orders that could open a position are cancelled.
        Positions, take-profits, stop-losses and closing orders stay.
      </p>
    </ConfirmedAction>
  );
}
