/** Automatic rebalance of a position: sets, pauses, resumes and ends it. */
import { useState } from 'react';
import { autoRebalanceInput } from '../../../gateway/contract/auto-rebalance.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Facts } from '../../components/facts.tsx';
import layout from '../../components/layout.module.css';
import { Age } from '../../components/time.tsx';
import { say } from '../../components/toast.tsx';
import { FormProblems } from '../../features/form-dialog/form-problems.tsx';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { autoRebalanceBody, NEW_REBALANCE } from '../../features/rebalance-form/rebalance-draft.ts';
import { REBALANCE_MODES, RebalanceFields } from '../../features/rebalance-form/rebalance-fields.tsx';
import { useProgress, useSettling } from '../../features/resting-action/use-settling.ts';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

type Standing = NonNullable<Position['autoRebalance']>;

const CHANGED: readonly ReadRoute[] = ['GET /positions', 'GET /positions/{id}'];
const FIELDS = /^(minimumDrift|cooldownSeconds|maxTradeUsd)$/;

export function AutoRebalanceForm({ position }: { readonly position: Position }) {
  const { autoRebalance } = position;
  if (autoRebalance === null || autoRebalance.status === 'ENDED')
    return <NewConfiguration position={position} />;
  return <StandingConfiguration position={position} standing={autoRebalance} />;
}

function NewConfiguration({ position }: { readonly position: Position }) {
  const account = useAccount();
  const [draft, setDraft] = useState(NEW_REBALANCE);
  const sending = useFormSend(FIELDS);
  const put = useSend('PUT /positions/{id}/auto-rebalance', { changes: CHANGED });
  const submit = async () => {
    const went = await sending.send(autoRebalanceInput, autoRebalanceBody(draft), (body) =>
      put.mutateAsync({ params: { id: position.id }, body }),
    );
    if (went) say('Auto-rebalance set', { kind: 'success', account });
  };
  return (
    <form
      className={layout['stack']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className={layout['quiet']}>Off now: nothing keeps the weights of this position.</p>
      <RebalanceFields
        value={draft}
        onChange={setDraft}
        errors={sending.errors}
        isPair={isPair(position.legs)}
      />
      <FormProblems sending={sending} />
      <div className={css['end']}>
        <Button kind="primary" type="submit" busy={sending.step !== 'idle'}>
          Rebalance automatically
        </Button>
      </div>
    </form>
  );
}

function StandingConfiguration({
  position,
  standing,
}: {
  readonly position: Position;
  readonly standing: Standing;
}) {
  const client = useClient();
  const run = useSettling(CHANGED);
  const key = `auto-rebalance:${position.id}`;
  const progress = useProgress(key);
  const params = { id: position.id };
  const paused = standing.status === 'PAUSED';
  const change = (done: 'paused' | 'resumed' | 'ended', send: () => Promise<unknown>) =>
    run({
      key,
      change: send,
      done: `Auto-rebalance ${done}`,
      notDone: `Auto-rebalance was not ${done}`,
    });
  const pauseOrResume = () =>
    change(paused ? 'resumed' : 'paused', () =>
      client.call(`POST /positions/{id}/auto-rebalance/${paused ? 'resume' : 'pause'}`, { params }),
    );
  const end = () => change('ended', () => client.call('DELETE /positions/{id}/auto-rebalance', { params }));
  return (
    <div className={layout['stack']}>
      <p className={css['badges']}>
        <Badge tone={paused ? 'warn' : 'accent'}>{paused ? 'Paused' : 'Active'}</Badge>
        <span>
          {REBALANCE_MODES.find(({ value }) => value === standing.mode)?.label}:{' '}
          {standing.action === 'TRADE' ? 'trades back' : 'only tells you'} from a drift of{' '}
          <Percent value={standing.minimumDrift} />
        </span>
      </p>
      <Facts
        className={css['facts']}
        of={{
          'Drift last seen': <Percent value={standing.lastDrift} />,
          'Last checked': <Since at={standing.lastCheckedAt} />,
          'Last acted': <Since at={standing.lastActionAt} />,
          'At most once in': `${Math.round(standing.cooldownSeconds / 60)} min`,
          'Most to trade':
            standing.maxTradeUsd === null ? 'No limit' : <Amount value={standing.maxTradeUsd} />,
        }}
      />
      {standing.error !== null && (
        <p role="alert" className={layout['problem']}>
          The last rebalance did not happen: {standing.error}
        </p>
      )}
      <div className={css['end']}>
        <Button kind="danger" busy={progress !== null} onClick={() => void end()}>
          End it
        </Button>
        <Button busy={progress !== null} onClick={() => void pauseOrResume()}>
          {progress === 'settling' ? 'Settling…' : paused ? 'Resume' : 'Pause'}
        </Button>
      </div>
    </div>
  );
}

function Since({ at }: { readonly at: string | null }) {
  return (
    <>
      <Age since={at} />
      {at !== null && ' ago'}
    </>
  );
}
