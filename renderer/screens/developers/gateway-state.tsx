/** The gateway's address for programs, its version, and the state of its parts. */

import { ExternalLink } from 'lucide-react';
import { useConnection } from '../../api/connection.ts';
import { GATEWAY_ADDRESS, MCP_ADDRESS } from '../../api/gateway-address.ts';
import { useGet } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { checkDetail, checkName } from '../../features/gateway-checks/check-words.ts';
import css from './developers.module.css';

const ANEW_MS = 5_000;

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string | null;
}

const COLUMNS: readonly Column<Check>[] = [
  { id: 'name', header: 'Part', cell: ({ name }) => checkName(name) },
  {
    id: 'ok',
    header: 'State',
    width: 120,
    cell: ({ ok }) => <StatusBadge text={ok ? 'Fine' : 'Failing'} tone={ok ? 'good' : 'bad'} />,
  },
  { id: 'detail', header: 'Detail', cell: (check) => checkDetail(check) ?? '' },
];

const CONNECTION = { live: 'Connected', connecting: 'Connecting', lost: 'Lost, trying again' } as const;

export function GatewayState() {
  const ready = useGet('GET /ready', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const version = useGet('GET /version', {}, { shared: true });
  const connection = useConnection();
  return (
    <div className={css['columns']}>
      <Panel title="Address">
        <div className={layout['stack']}>
          <div className={css['address']}>
            <Facts
              of={{
                'Base URL': <Address text={GATEWAY_ADDRESS} label="Copy the base URL" />,
                WebSocket: (
                  <Address
                    text={`${GATEWAY_ADDRESS.replace('http', 'ws')}/ws`}
                    label="Copy the WebSocket's URL"
                  />
                ),
                'Agents (MCP)': <Address text={MCP_ADDRESS} label="Copy the address for agents" />,
                Version: (
                  <Loaded query={version} rows={1}>
                    {(answer) => `${answer.version} (API ${answer.apiVersion})`}
                  </Loaded>
                ),
                'This page': CONNECTION[connection],
                Reference: (
                  <a href="/docs" target="_blank" rel="noreferrer" className={css['link']}>
                    All routes, to read and to try <ExternalLink aria-hidden="true" />
                  </a>
                ),
              }}
            />
          </div>
          <p className={layout['quiet']}>
            Programs send an API key as <code className={css['whole']}>x-api-key</code>, and{' '}
            <code className={css['whole']}>x-trade-account-id</code> where a call is about one account.
          </p>
          <CodeBlock
            label="First call with curl"
            copyLabel="Copy"
            text={`curl ${GATEWAY_ADDRESS}/trade-accounts -H "x-api-key: $TANDEM_API_KEY"\n`}
          />
        </div>
      </Panel>
      <Panel
        title="State"
        flush
        live
        actions={
          ready.data &&
          (connection === 'lost' ? (
            <Badge tone="quiet">As it was last heard</Badge>
          ) : (
            <Badge tone={ready.data.ready ? 'accent' : 'danger'}>
              {ready.data.ready ? 'Ready' : 'Not ready'}
            </Badge>
          ))
        }
      >
        <Table
          label="Parts of the gateway"
          {...readTable(ready, ready.data?.checks)}
          columns={COLUMNS}
          rowKey={({ name }) => name}
          natural
        />
      </Panel>
    </div>
  );
}

/** Address that breaks lines after a slash only. */
function Address({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <>
      <code>
        {text.split(/(?<=\/)/).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
          <span key={index} className={css['whole']}>
            {part}
          </span>
        ))}
      </code>
      <CopyButton text={text} label={label} />
    </>
  );
}
