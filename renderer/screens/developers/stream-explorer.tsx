/** The WebSocket from a program's view: chosen channels, and the raw frames on the wire. */
import { Radio } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createClient } from '../../../gateway/client/client.ts';
import { gatewayOptions } from '../../api/client.ts';
import { useGet } from '../../api/queries.ts';
import { useMaybeAccount } from '../../api/session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { classNames } from '../../components/class-names.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Field, Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import css from './developers.module.css';
import { type Frame, FrameBuffer, prettyFrame, readChannels, tappedSocket } from './stream-frames.ts';

const SHOWN_CHARS = 200;

const COLUMNS: readonly Column<Frame>[] = [
  { id: 'at', header: 'Time', width: 90, cell: ({ at }) => <Time at={at} style="time" /> },
  {
    id: 'direction',
    header: <span className="visually-hidden">Direction</span>,
    width: 90,
    cell: ({ direction }) => <Badge tone="quiet">{direction === 'sent' ? '↑ sent' : '↓ received'}</Badge>,
  },
  { id: 'title', header: 'Message', width: 220, cell: ({ title }) => title },
  { id: 'bytes', header: 'Chars', align: 'right', width: 80, cell: ({ text }) => text.length },
  {
    id: 'text',
    header: 'Text',
    priority: 1,
    isText: true,
    cell: ({ text }) => {
      const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
      return (
        <code className={classNames(css['path'], css['frame'])} title={shown}>
          {shown}
        </code>
      );
    },
  },
];

export function StreamExplorer() {
  const account = useMaybeAccount();
  const connectors = useGet('GET /connectors', {}, { shared: true });
  const [chosen, setChosen] = useState<readonly string[]>(['status']);
  const [typed, setTyped] = useState('');
  const [following, setFollowing] = useState<readonly string[] | null>(null);
  const [isHeld, setHeld] = useState(false);
  const [buffer] = useState(() => new FrameBuffer());
  const frames = useSyncExternalStore(buffer.subscribe, buffer.list);
  const error = useStream(following, buffer);

  const offered = [
    ...(account === null ? [] : [{ name: `user:${account.id}`, label: `Events of ${account.alias}` }]),
    { name: 'status', label: 'Venues' },
    ...(connectors.data?.connectors ?? []).flatMap(({ id, displayName }) => [
      { name: `prices:${id}`, label: `Prices, ${displayName}` },
      { name: `funding:${id}`, label: `Funding, ${displayName}` },
      { name: `baskets:${id}`, label: `Markets, ${displayName}` },
    ]),
  ];
  const more = readChannels(typed);
  const wanted = [...new Set([...chosen, ...(more ?? [])])];
  const isOn = following !== null;
  return (
    <div className={css['explorer']}>
      <Panel title="Channels">
        <form
          className={layout['stack']}
          onSubmit={(event) => {
            event.preventDefault();
            setFollowing(isOn ? null : wanted);
          }}
        >
          {offered.map(({ name, label }) => (
            <Checkbox
              key={name}
              disabled={isOn}
              checked={chosen.includes(name)}
              onChange={(on) => setChosen(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
            >
              {label} <code className={css['channel']}>{name}</code>
            </Checkbox>
          ))}
          <Field
            label="Others"
            help="Names with commas between them"
            error={more === null ? 'A channel looks like prices:paper' : undefined}
          >
            <Input value={typed} disabled={isOn} onChange={({ target }) => setTyped(target.value)} />
          </Field>
          <Button
            kind={isOn ? 'secondary' : 'primary'}
            type="submit"
            disabled={!isOn && (wanted.length === 0 || more === null)}
          >
            {isOn ? 'Disconnect' : 'Connect'}
          </Button>
          {isOn && <p className={layout['quiet']}>Disconnect to choose other channels.</p>}
          {error !== null && <ErrorState compact error={error} />}
        </form>
      </Panel>
      <Panel
        flush
        title="Frames"
        actions={
          <>
            <Checkbox
              checked={isHeld}
              onChange={(on) => {
                setHeld(on);
                buffer.hold(on);
              }}
            >
              Hold
            </Checkbox>
            <Button onClick={() => buffer.clear()}>Clear</Button>
          </>
        }
      >
        <Table
          label="Frames"
          rows={frames}
          columns={COLUMNS}
          rowKey={({ number }) => String(number)}
          detail={({ text }) => (
            <div className={layout['detail']}>
              <CodeBlock label="The frame" text={prettyFrame(text)} copyLabel="Copy the frame" />
            </div>
          )}
          empty={
            <EmptyState icon={<Radio />} title={isOn ? 'Nothing came yet' : 'Not connected'}>
              {isOn
                ? 'Events of an account come when something happens there.'
                : 'Choose channels and connect.'}
            </EmptyState>
          }
        />
      </Panel>
    </div>
  );
}

/** Follows the channels on a connection of its own. @returns the error that ended the stream, or null */
function useStream(channels: readonly string[] | null, buffer: FrameBuffer): unknown {
  const [error, setError] = useState<unknown>(null);
  const client = useMemo(
    () => createClient({ ...gatewayOptions, WebSocket: tappedSocket(buffer) }),
    [buffer],
  );
  useEffect(() => {
    setError(null);
    if (channels === null) return;
    const ending = new AbortController();
    const follow = async () => {
      for await (const _message of client.events({ channels, signal: ending.signal })) {
        // Nothing to do: the tapped socket has recorded the message already.
      }
    };
    follow().catch((reason: unknown) => {
      if (!ending.signal.aborted) setError(reason);
    });
    return () => ending.abort();
  }, [channels, client]);
  return error;
}
