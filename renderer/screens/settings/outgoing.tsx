/** Outgoing notifications: webhooks, and messages to a phone or a chat. Loaded apart from the other settings. */
import { Plus } from 'lucide-react';
import { Fragment, useMemo, useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { gateway } from '../../api/client.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { say, sayError } from '../../components/toast.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { AddChannel } from './add-channel.tsx';
import { AddWebhook } from './add-webhook.tsx';
import css from './settings.module.css';

type Webhook = Answer<'GET /webhooks'>['webhooks'][number];
type Channel = Answer<'GET /notification-channels'>['notificationChannels'][number];
type Destination = Pick<Webhook, 'id' | 'name' | 'enabled' | 'waiting' | 'lastAttempt'>;

const ANEW_MS = 10_000;
const READ = { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 } as const;

export default function Outgoing() {
  return (
    <>
      <Webhooks />
      <Channels />
    </>
  );
}

function Webhooks() {
  const read = useGet('GET /webhooks', {}, READ);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Webhook | null>(null);
  const columns = useMemo(
    (): readonly Column<Webhook>[] => [
      {
        id: 'name',
        header: 'Name and address',
        cell: ({ name, url }) => (
          <span className={css['named']}>
            <bdi>{name}</bdi>
            <Address url={url} />
          </span>
        ),
      },
      { id: 'events', header: 'Events', isText: true, cell: ({ events }) => <Words names={events} /> },
      ...standing<Webhook>(
        (row) => tried(row, () => gateway.call('POST /webhooks/{id}/test', { params: { id: row.id } })),
        setRemoved,
      ),
    ],
    [],
  );
  return (
    <Panel
      flush
      live
      title="Webhooks"
      actions={
        <Button icon={<Plus />} onClick={() => setAdding(true)}>
          Add webhook
        </Button>
      }
    >
      <Table
        label="Webhooks"
        {...readTable(read, read.data?.webhooks)}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No webhook">
            Events of your accounts, signed, to a program of yours. Nothing leaves unless you add one.
          </EmptyState>
        }
        natural
      />
      {isAdding && <AddWebhook onClose={() => setAdding(false)} />}
      {removed !== null && (
        <Removal
          name={removed.name}
          work={async () => {
            await gateway.call('DELETE /webhooks/{id}', { params: { id: removed.id } });
            await readAnew('GET /webhooks');
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </Panel>
  );
}

const SERVICES = { NTFY: 'ntfy', TELEGRAM: 'Telegram', DISCORD: 'Discord' } as const;

function Channels() {
  const read = useGet('GET /notification-channels', {}, READ);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Channel | null>(null);
  const columns = useMemo(
    (): readonly Column<Channel>[] => [
      { id: 'name', header: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
      { id: 'service', header: 'Service', width: 100, cell: ({ service }) => SERVICES[service] },
      {
        id: 'kinds',
        header: 'Tells of',
        isText: true,
        cell: ({ kinds }) => <Words names={kinds.map((kind) => kind.toLowerCase())} />,
      },
      ...standing<Channel>(
        (row) =>
          tried(row, () => gateway.call('POST /notification-channels/{id}/test', { params: { id: row.id } })),
        setRemoved,
      ),
    ],
    [],
  );
  return (
    <Panel
      flush
      live
      title="Messages to your phone or chat"
      actions={
        <Button icon={<Plus />} onClick={() => setAdding(true)}>
          Add channel
        </Button>
      }
    >
      <Table
        label="Notification channels"
        {...readTable(read, read.data?.notificationChannels)}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No channel">
            Plain sentences to ntfy, Telegram or Discord, with a topic, bot or channel of your own.
          </EmptyState>
        }
        natural
      />
      {isAdding && <AddChannel onClose={() => setAdding(false)} />}
      {removed !== null && (
        <Removal
          name={removed.name}
          work={async () => {
            await gateway.call('DELETE /notification-channels/{id}', { params: { id: removed.id } });
            await readAnew('GET /notification-channels');
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </Panel>
  );
}

function standing<Row extends Destination>(
  test: (row: Row) => void,
  remove: (row: Row) => void,
): readonly Column<Row>[] {
  return [
    { id: 'state', header: 'State', width: 150, cell: stateOf },
    actionsColumn(120, (row) => (
      <span className={layout['line']}>
        <Button kind="ghost" onClick={() => test(row)} aria-label={`Send a test to ${row.name}`}>
          Test
        </Button>
        <Button kind="ghost" onClick={() => remove(row)} aria-label={`Remove ${row.name}`}>
          Remove
        </Button>
      </span>
    )),
  ];
}

function stateOf({ enabled, lastAttempt, waiting }: Destination) {
  if (!enabled) return <Badge>Switched off</Badge>;
  if (waiting > 0) return <Badge tone="warn">{waiting} waiting</Badge>;
  if (lastAttempt === null) return '';
  if (lastAttempt.error === null) return <Badge tone="accent">Last one delivered</Badge>;
  return <Badge tone="danger">{lastAttempt.error}</Badge>;
}

/** Breaks the address only before its parts: broken anywhere else, it could be read as another address. */
function Address({ url }: { readonly url: string }) {
  return (
    <code className={css['address']} title={url}>
      {url.split(/(?<=[^/])(?=\/(?!\/)|[?&])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        <span key={index}>{part}</span>
      ))}
    </code>
  );
}

function Words({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={css['words']}>
      {wordsOf(names)
        .split('.')
        .map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
          <Fragment key={index}>
            {index > 0 && '.'}
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
    </span>
  );
}

function wordsOf(names: readonly string[]): string {
  return names.includes('*') ? 'All' : names.join(', ');
}

/** Sends a test and reports the result. */
function tried({ name }: Destination, send: () => Promise<Answer<'POST /webhooks/{id}/test'>>): void {
  send().then(
    ({ status, error }) => {
      if (status === 'DELIVERED') say(`The test reached ${name}`, { kind: 'success' });
      else say(`The test did not reach ${name}`, { kind: 'error', detail: error ?? '' });
      void readAnew('GET /webhooks');
      void readAnew('GET /notification-channels');
    },
    (error: unknown) => sayError('The test was not sent', error),
  );
}

function Removal({
  name,
  work,
  onClose,
}: {
  readonly name: string;
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmedAction
      work={work}
      done={`${name} is removed`}
      onClose={onClose}
      title={
        <>
          Remove <bdi>{name}</bdi>?
        </>
      }
      confirm="Remove"
    >
      <p className={layout['quiet']}>
        What waits for it is not sent any more. Its log and its secrets go too.
      </p>
    </ConfirmedAction>
  );
}
