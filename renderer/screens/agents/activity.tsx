/** Activity of one agent, from the audit log: read page by page back to the agent's consent. */
import { useEffect } from 'react';
import { Link } from 'wouter';
import { usePages } from '../../api/queries.ts';
import { useAccounts } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import {
  ACTIONS,
  type AuditEntry,
  activityOf,
  clientIdOf,
  type Grant,
  METHODS,
  reachesBack,
} from './agent-words.ts';
import css from './agents.module.css';

const PAGE_ROWS = 200;

export function Activity({ grant }: { readonly grant: Grant }) {
  const log = usePages('GET /audit-log', { query: { limit: PAGE_ROWS } }, { shared: true, freshForMs: 0 });
  const entries = log.data ?? [];
  const { hasNextPage, isFetching, error, fetchNextPage } = log;
  const wantsMore = hasNextPage && !isFetching && error === null && !reachesBack(grant, entries);
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  if (log.data === undefined && error === null) return <Skeleton rows={3} />;
  const lines = activityOf(grant, entries);
  const clientId = clientIdOf(grant.id, entries);
  return (
    <div className={layout['detail']}>
      <p className={layout['quiet']}>
        Client ID <code>{clientId ?? 'not in the log'}</code> · Scopes{' '}
        <code>{grant.scopes.length === 0 ? 'none' : grant.scopes.join(' ')}</code> · Its orders are under{' '}
        <Link href="/orders">Orders</Link> and <Link href="/history">History</Link>.
      </p>
      {error !== null && <ErrorState compact error={error} onRetry={() => void log.refetch()} />}
      {lines.length === 0 ? (
        <p className={layout['quiet']}>
          {wantsMore || isFetching ? 'Reading the audit log…' : 'Nothing in the audit log.'}
        </p>
      ) : (
        <ol className={css['lines']} aria-label={`Activity of ${grant.name}`}>
          {lines.map((entry) => (
            <Line key={entry.id} entry={entry} grantId={grant.id} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Line({ entry, grantId }: { readonly entry: AuditEntry; readonly grantId: string }) {
  const account = useAccounts().find(({ id }) => id === entry.subjectId && id !== grantId);
  return (
    <li className={css['line']}>
      <Time at={entry.at} />
      <span>
        {ACTIONS[entry.action]}
        {account !== undefined && ` of ${account.alias}`}
      </span>
      <span className={layout['quiet']}>
        {METHODS[entry.method]}
        {entry.ip !== null && ` · ${entry.ip}`}
      </span>
      {entry.says !== null && (
        <q className={layout['quiet']}>
          <bdi>{entry.says}</bdi>
        </q>
      )}
    </li>
  );
}
