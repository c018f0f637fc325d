/**
 * Disconnects one agent; its resting orders that could open a position are cancelled too, unless the user keeps them.
 */
import { useState } from 'react';
import { readAnew, stopReading, useGet } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import layout from '../../components/layout.module.css';
import { RadioGroup } from '../../components/radio.tsx';
import { ErrorState } from '../../components/states.tsx';
import { ConfirmedAction } from '../../features/confirmed-action/confirmed-action.tsx';
import { type Agent, askedWords, type Grant, openWords, waitingCount, waitingWords } from './agent-words.ts';

type LeftWaiting = 'cancel' | 'keep';

const WAITING = 'GET /oauth2/grants/{id}/waiting';

function choicesOf(count: number) {
  const [these, they] = count === 1 ? ['it', 'it'] : [`these ${count}`, 'they'];
  return [
    { value: 'cancel', label: `Cancel ${these}` },
    { value: 'keep', label: `Keep ${these}: ${they} can still open positions` },
  ] as const;
}

export function RevokeOne({
  grant,
  usage,
  onClose,
  onRevoked,
}: {
  readonly grant: Grant;
  /** null: it has no limits, or could not be read. */
  readonly usage: Agent['usage'];
  readonly onClose: () => void;
  readonly onRevoked: () => Promise<void>;
}) {
  const client = useClient();
  const [leftWaiting, setLeftWaiting] = useState<LeftWaiting>('cancel');
  const { id, name } = grant;
  const waiting = useGet(WAITING, { params: { id } }, { shared: true, freshForMs: 0 });
  // Pending approvals come first in the list, and an agent has five at most.
  const approvals = useGet('GET /approvals', { query: { limit: 100 } }, { shared: true, freshForMs: 0 });
  const asked = (approvals.data?.approvals ?? []).filter(
    ({ status, asker }) => status === 'PENDING' && asker.id === id,
  ).length;
  const what = waiting.data === undefined ? null : waitingWords(waiting.data);
  const work = async () => {
    await stopReading(WAITING);
    try {
      await client.call('DELETE /oauth2/grants/{id}', { params: { id }, query: { leftWaiting } });
    } catch (error) {
      void readAnew(WAITING);
      throw error;
    }
    await onRevoked();
  };
  return (
    <ConfirmedAction
      work={work}
      done={`${name} is disconnected`}
      onClose={onClose}
      title={
        <>
          Revoke <bdi>{name}</bdi>?
        </>
      }
      confirm="Revoke"
    >
      <div className={layout['stack']}>
        <p>
          Its next request is refused. Positions, take-profits, stop-losses and orders that close stay. To
          come back it has to ask you again.
        </p>
        {usage !== null && usage.positions > 0 && <p>{openWords(usage, asked)}</p>}
        {asked > 0 && <p>{askedWords(asked)}</p>}
        {waiting.error !== null && <ErrorState compact error={waiting.error} />}
        {waiting.data !== undefined && what !== null && (
          <>
            <p>
              It left <strong>{what}</strong> waiting.
            </p>
            <RadioGroup
              label="What it left waiting"
              value={leftWaiting}
              onChange={setLeftWaiting}
              options={choicesOf(waitingCount(waiting.data))}
            />
          </>
        )}
        {waiting.data !== undefined && what === null && (
          <p>It has no {asked > 0 && 'other '}waiting order that could open a position.</p>
        )}
      </div>
    </ConfirmedAction>
  );
}
