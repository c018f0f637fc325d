/** The standing rebalance of a position: set, paused, resumed, ended. */
import { useState } from 'react';
import { autoRebalanceInput } from '../../../gateway/contract/auto-rebalance.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { useSend } from '../../api/queries.ts';
import { useClient } from '../../api/session.ts';
import { Amount, Percent } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { ErrorState } from '../../components/states.tsx';
import { Age } from '../../components/time.tsx';
import { say } from '../../components/toast.tsx';
import { inPercent } from '../../features/field-errors/field-errors.ts';
import form from '../../features/form.module.css';
import { useFormSend } from '../../features/form-dialog/use-form-send.ts';
import { useProgress, useSettling } from '../../features/resting-action/use-settling.ts';
import { fractionOfPercent } from './close-draft.ts';
import css from './positions.module.css';
import { MODES, type RebalanceMode, TIMEFRAMES, type Timeframe } from './rebalance-modes.ts';
import type { Position } from './use-position-data.ts';
import { isPair } from './weighed-legs.ts';

type Standing = NonNullable<Position['autoRebalance']>;

const ACTIONS = [
  { value: 'TRADE', label: 'Trade it back' },
  { value: 'NOTIFY', label: 'Only tell me' },
] as const;
const CHANGED: readonly ReadRoute[] = ['GET /positions', 'GET /positions/{id}'];
const FIELDS = /^(minimumDrift|cooldownSeconds|maxTradeUsd)$/;

export function AutoRebalanceForm({ position }: { readonly position: Position }) {
  const { autoRebalance } = position;
  if (autoRebalance === null || autoRebalance.status === 'ENDED')
    return <NewConfiguration position={position} />;
  return <StandingConfiguration position={position} standing={autoRebalance} />;
}

function NewConfiguration({ position }: { readonly position: Position }) {
  const [mode, setMode] = useState<RebalanceMode>('TARGET_WEIGHTS');
  const [action, setAction] = useState<(typeof ACTIONS)[number]['value']>('TRADE');
  const [drift, setDrift] = useState('5');
  const [timeframe, setTimeframe] = useState<Timeframe>('1h');
  const [minutes, setMinutes] = useState('60');
  const [most, setMost] = useState('');
  const sending = useFormSend((path) => FIELDS.test(path));
  const put = useSend('PUT /positions/{id}/auto-rebalance', { changes: CHANGED });
  const { errors } = sending;
  const submit = async () => {
    const body = {
      mode,
      action,
      minimumDrift: fractionOfPercent(drift) ?? drift,
      cooldownSeconds: /^\d{1,6}$/.test(minutes.trim()) ? Number(minutes) * 60 : Number.NaN,
      ...(mode === 'LIVE_BETA' ? { timeframe } : {}),
      ...(most.trim() === '' ? {} : { maxTradeUsd: most.trim() }),
    };
    const went = await sending.send(autoRebalanceInput, body, (checked) =>
      put.mutateAsync({ params: { id: position.id }, body: checked }),
    );
    if (went) say('Auto-rebalance set', { kind: 'success' });
  };
  return (
    <form
      className={form['stack']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={form['row']}>
        {isPair(position) && (
          <Field label="Target">
            <Segmented options={MODES} value={mode} onChange={setMode} label="Target" wide />
          </Field>
        )}
        <Field label="When it has drifted">
          <Segmented options={ACTIONS} value={action} onChange={setAction} label="When it has drifted" wide />
        </Field>
      </div>
      <div className={form['row']}>
        <Field
          label="From a drift of"
          help="Distance of a weight from its target"
          error={inPercent(errors('minimumDrift'))}
        >
          <Input
            numeric
            after="%"
            value={drift}
            invalid={errors('minimumDrift') !== undefined}
            onChange={(event) => setDrift(event.target.value)}
          />
        </Field>
        <Field label="At most once in" error={errors('cooldownSeconds')}>
          <Input
            numeric
            after="min"
            value={minutes}
            invalid={errors('cooldownSeconds') !== undefined}
            onChange={(event) => setMinutes(event.target.value)}
          />
        </Field>
        <Field label="Most to trade" help="Empty: no limit" error={errors('maxTradeUsd')}>
          <Input
            numeric
            after="USD"
            value={most}
            invalid={errors('maxTradeUsd') !== undefined}
            onChange={(event) => setMost(event.target.value)}
          />
        </Field>
        {mode === 'LIVE_BETA' && (
          <Field label="Beta from">
            <Select options={TIMEFRAMES} value={timeframe} onChange={setTimeframe} />
          </Field>
        )}
      </div>
      {sending.elsewhere.map((message) => (
        <p key={message} role="alert" className={css['problem']}>
          {message}
        </p>
      ))}
      {sending.error !== null && <ErrorState compact error={sending.error} />}
      <div className={css['end']}>
        <Button kind="primary" type="submit" busy={sending.step !== 'idle'}>
          Keep the weights
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
  const pauseOrResume = () =>
    run({
      key,
      change: () =>
        paused
          ? client.call('POST /positions/{id}/auto-rebalance/resume', { params })
          : client.call('POST /positions/{id}/auto-rebalance/pause', { params }),
      done: paused ? 'Auto-rebalance resumed' : 'Auto-rebalance paused',
      notDone: paused ? 'Auto-rebalance was not resumed' : 'Auto-rebalance was not paused',
    });
  const end = () =>
    run({
      key,
      change: () => client.call('DELETE /positions/{id}/auto-rebalance', { params }),
      done: 'Auto-rebalance ended',
      notDone: 'Auto-rebalance was not ended',
    });
  return (
    <div className={form['stack']}>
      <p className={css['badges']}>
        <Badge tone={paused ? 'warn' : 'accent'}>{paused ? 'Paused' : 'Active'}</Badge>
        <span>
          {MODES.find(({ value }) => value === standing.mode)?.label},{' '}
          {standing.action === 'TRADE' ? 'traded back' : 'told'} from a drift of{' '}
          <Percent value={standing.minimumDrift} /> on
        </span>
      </p>
      <dl className={css['facts']}>
        <div>
          <dt>Drift last seen</dt>
          <dd>
            <Percent value={standing.lastDrift} />
          </dd>
        </div>
        <div>
          <dt>Looked at</dt>
          <dd>
            <Age since={standing.lastCheckedAt} />
          </dd>
        </div>
        <div>
          <dt>Last acted</dt>
          <dd>
            <Age since={standing.lastActionAt} />
          </dd>
        </div>
        <div>
          <dt>At most once in</dt>
          <dd>{Math.round(standing.cooldownSeconds / 60)} min</dd>
        </div>
        <div>
          <dt>Most to trade</dt>
          <dd>{standing.maxTradeUsd === null ? 'No limit' : <Amount value={standing.maxTradeUsd} />}</dd>
        </div>
      </dl>
      {standing.error !== null && (
        <p role="alert" className={css['problem']}>
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
