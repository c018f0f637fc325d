/** Lists the user's sessions and ends them. */
import { LogOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { gateway } from '../../api/client.ts';
import { readAnew, useGet } from '../../api/queries.ts';
import { signOut, useUser } from '../../api/session.ts';
import { actionsColumn } from '../../components/actions-column.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { readTable } from '../../components/paged-table.ts';
import { Table } from '../../components/table.tsx';
import type { Column } from '../../components/table-column.ts';
import { Age, Time } from '../../components/time.tsx';
import { sayError } from '../../components/toast.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { deviceName } from './diagnostics.ts';

type Session = Answer<'GET /auth/sessions'>['sessions'][number];

const ANEW_MS = 30_000;
/** Number of sessions from which the list scrolls, so that it does not push away the parts below. */
const MANY = 8;
const MANY_PX = 280;

export function Sessions() {
  const user = useUser();
  const sessions = useGet('GET /auth/sessions', {}, { shared: true, refetchEvery: ANEW_MS, freshForMs: 0 });
  const [ended, setEnded] = useState<Session | 'others' | null>(null);
  const rows = sessions.data?.sessions;
  const columns = useMemo(() => columnsOf(setEnded), []);
  const others = rows?.filter(({ current }) => !current) ?? [];
  return (
    <Panel
      flush
      live
      title={`Signed in as ${user?.email ?? user?.walletAddress ?? ''}`}
      actions={
        <>
          {others.length > 0 && (
            <Button kind="ghost" onClick={() => setEnded('others')}>
              Sign out all others
            </Button>
          )}
          <Button
            icon={<LogOut />}
            onClick={() => {
              signOut().catch((error: unknown) => sayError('Still signed in', error));
            }}
          >
            Sign out
          </Button>
        </>
      }
    >
      <Table
        label="Sessions"
        {...readTable(sessions, rows)}
        columns={columns}
        rowKey={({ id }) => id}
        {...((rows?.length ?? 0) <= MANY ? { natural: true } : { height: MANY_PX })}
      />
      {ended !== null && (
        <EndSessions
          sessions={ended === 'others' ? others : [ended]}
          isOthers={ended === 'others'}
          onClose={() => setEnded(null)}
        />
      )}
    </Panel>
  );
}

function EndSessions({
  sessions,
  isOthers,
  onClose,
}: {
  readonly sessions: readonly Session[];
  /** True: all sessions but the present one. */
  readonly isOthers: boolean;
  readonly onClose: () => void;
}) {
  const work = async () => {
    for (const { id } of sessions) await gateway.call('DELETE /auth/sessions/{id}', { params: { id } });
    await readAnew('GET /auth/sessions');
  };
  return (
    <ConfirmedAction
      work={work}
      done={isOthers ? 'All other sessions are signed out' : 'The session is signed out'}
      onClose={onClose}
      title={
        isOthers ? 'Sign out all other sessions?' : `Sign out ${deviceName(sessions[0]?.userAgent ?? null)}?`
      }
      confirm={isOthers ? 'Sign out all' : 'Sign out'}
    >
      <p className={layout['quiet']}>
        That browser has to sign in again. API keys and agents are not affected.
      </p>
    </ConfirmedAction>
  );
}

function columnsOf(end: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      id: 'device',
      header: 'Where',
      cell: ({ userAgent, current }) => (
        <span className={layout['line']}>
          {deviceName(userAgent)}
          {current && <Badge tone="accent">this one</Badge>}
        </span>
      ),
    },
    { id: 'ip', header: 'Address', width: 110, cell: ({ ip }) => ip ?? '' },
    {
      id: 'since',
      header: 'Since',
      width: 110,
      cell: ({ createdAt }) => <Time at={createdAt} style="date" />,
    },
    {
      id: 'used',
      header: 'Last used',
      width: 120,
      cell: ({ lastUsedAt, current }) =>
        current ? (
          'now'
        ) : (
          <span>
            <Age since={lastUsedAt} /> ago
          </span>
        ),
    },
    actionsColumn(84, (session) =>
      session.current ? null : (
        <Button
          kind="ghost"
          onClick={() => end(session)}
          aria-label={`Sign out ${deviceName(session.userAgent)}`}
        >
          Sign out
        </Button>
      ),
    ),
  ];
}
