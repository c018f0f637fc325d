/** Disconnecting one agent: what it left waiting and could open something is cancelled with it, unless its user keeps it. */
import { useState } from 'react';
import { useGet } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RadioGroup } from '../../components/radio.tsx';
import { ErrorState } from '../../components/states.tsx';
import { say } from '../../components/toast.tsx';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { type Grant, waitingWords } from './agent-words.ts';
import css from './agents.module.css';

type LeftWaiting = 'cancel' | 'keep';

const CHOICES = [
  { value: 'cancel', label: 'Cancel it' },
  { value: 'keep', label: 'Keep it: it can still open positions' },
] as const;

export function RevokeOne({
  grant,
  onClose,
  onRevoked,
}: {
  readonly grant: Grant;
  readonly onClose: () => void;
  readonly onRevoked: () => Promise<void>;
}) {
  const client = useClient();
  const [leftWaiting, setLeftWaiting] = useState<LeftWaiting>('cancel');
  const { id, name } = grant;
  const waiting = useGet(
    'GET /oauth2/grants/{id}/waiting',
    { params: { id } },
    { shared: true, freshForMs: 0 },
  );
  const what = waiting.data === undefined ? null : waitingWords(waiting.data);
  const revoke = useAction(async () => {
    await client.call('DELETE /oauth2/grants/{id}', { params: { id }, query: { leftWaiting } });
    await onRevoked();
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={async () => {
        if (!(await revoke.run())) return;
        say(`${name} is disconnected`, { kind: 'success' });
        onClose();
      }}
      title={
        <>
          Revoke <bdi>{name}</bdi>?
        </>
      }
      confirm="Revoke"
      danger
      busy={revoke.busy}
      error={revoke.error}
    >
      <div className={css['paragraphs']}>
        <p>
          Its next request is refused with 401. Positions, take-profits, stop-losses and orders that close
          stay. To come back it has to ask you again.
        </p>
        {waiting.error !== null && <ErrorState compact error={waiting.error} />}
        {what !== null && (
          <>
            <p>
              It left <strong>{what}</strong> waiting.
            </p>
            <RadioGroup
              label="What it left waiting"
              value={leftWaiting}
              onChange={setLeftWaiting}
              options={CHOICES}
            />
          </>
        )}
        {waiting.data !== undefined && what === null && (
          <p>Nothing of it waits that could open a position.</p>
        )}
      </div>
    </ConfirmDialog>
  );
}
