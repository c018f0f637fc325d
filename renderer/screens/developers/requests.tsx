/** The dashboard's own calls, each with a sample program that repeats the call. */
import { ListX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { GATEWAY_ADDRESS } from '../../api/gateway-address.ts';
import { forgetRequests, type LoggedCall, useRequestLog } from '../../api/request-log.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Input } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { Segmented } from '../../components/radio.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Time } from '../../components/time.tsx';
import { valueColumn } from '../../components/value-columns.tsx';
import { codeSample, LANGUAGES, type Language } from './code-samples.ts';
import css from './developers.module.css';

const COLUMNS: readonly Column<LoggedCall>[] = [
  { id: 'at', header: 'Time', width: 90, cell: ({ at }) => <Time at={at} style="time" /> },
  valueColumn('method', 'Method', (call) => call.method, {
    width: 80,
    draw: (method) => <code>{method}</code>,
  }),
  valueColumn('path', 'Path', (call) => call.path, {
    isText: true,
    draw: (path) => (
      <code className={css['path']} title={path}>
        {path}
      </code>
    ),
  }),
  {
    id: 'status',
    header: 'Status',
    width: 110,
    sort: ({ status }) => status,
    cell: (call) => <Status call={call} />,
  },
  valueColumn('ms', 'ms', (call) => call.milliseconds, {
    align: 'right',
    width: 70,
    draw: (ms) => ms ?? '…',
  }),
];

const hasFailed = ({ status, failure }: LoggedCall) => failure !== null || (status !== null && status >= 400);

export function RequestLog() {
  const calls = useRequestLog();
  const [search, setSearch] = useState('');
  const [onlyFailed, setOnlyFailed] = useState(false);
  const rows = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return calls.filter(
      (call) =>
        (!onlyFailed || hasFailed(call)) &&
        (wanted === '' ||
          `${call.method} ${call.path} ${call.requestId ?? ''}`.toLowerCase().includes(wanted)),
    );
  }, [calls, search, onlyFailed]);
  return (
    <Panel
      flush
      title="Calls of this dashboard"
      actions={
        <>
          <Input
            className={css['search']}
            placeholder="Path or request id"
            aria-label="Search the calls"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <Checkbox checked={onlyFailed} onChange={setOnlyFailed}>
            Failed only
          </Checkbox>
          <Button onClick={forgetRequests}>Clear</Button>
        </>
      }
    >
      <Table
        label="Calls of this dashboard"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ number }) => String(number)}
        detail={(call) => <CallDetail call={call} />}
        empty={
          <EmptyState icon={<ListX />} title={calls.length === 0 ? 'No call yet' : 'No call matches'}>
            The last 300 calls of this page, until it is closed. Without passwords, keys and credentials.
          </EmptyState>
        }
      />
    </Panel>
  );
}

function Status({ call }: { readonly call: LoggedCall }) {
  const { status, failure, milliseconds, isGivenUp } = call;
  if (status === null) {
    if (milliseconds === null) return 'under way';
    if (isGivenUp) return <Badge tone="quiet">not awaited</Badge>;
    return <Badge tone="danger">{failure === null ? 'no answer' : 'failed'}</Badge>;
  }
  return <Badge tone={status >= 500 ? 'danger' : status >= 400 ? 'warn' : 'quiet'}>{status}</Badge>;
}

function CallDetail({ call }: { readonly call: LoggedCall }) {
  const [language, setLanguage] = useState<Language>('curl');
  const text = codeSample(language, GATEWAY_ADDRESS, call);
  return (
    <div className={layout['detail']}>
      {call.failure !== null && <p>{call.failure}</p>}
      <div className={css['detailBar']}>
        <Segmented<Language>
          label="Language"
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((value) => ({ value, label: value }))}
        />
        <CopyButton words text={text} label={`Copy as ${language}`} />
        {call.requestId !== null && (
          <span className={layout['quiet']}>
            request <code>{call.requestId}</code> <CopyButton text={call.requestId} label="Copy request id" />
          </span>
        )}
      </div>
      <CodeBlock label={`The call in ${language}`} text={text} />
    </div>
  );
}
