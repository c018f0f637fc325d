/** Keeping the weights of the position that the order opens. */
import { Field, Input } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { Switch } from '../../components/switch.tsx';
import { type FieldErrors, inPercent } from '../../features/field-errors/field-errors.ts';
import form from '../../features/form.module.css';
import type { RebalanceDraft } from './ticket.ts';
import css from './ticket-panel.module.css';

const ACTIONS = [
  { value: 'TRADE', label: 'Trade back' },
  { value: 'NOTIFY', label: 'Only tell me' },
] as const;
const TIMEFRAMES = [
  { value: '1h', label: '1 hour' },
  { value: '4h', label: '4 hours' },
  { value: '1d', label: '1 day' },
] as const;

export function RebalanceFields({
  value,
  onChange,
  errors,
  isPair,
}: {
  readonly value: RebalanceDraft;
  readonly onChange: (draft: RebalanceDraft) => void;
  readonly errors: FieldErrors;
  /** The beta of one leg on the other needs exactly two. */
  readonly isPair: boolean;
}) {
  const set = (patch: Partial<RebalanceDraft>) => onChange({ ...value, ...patch });
  const modes = [
    { value: 'TARGET_WEIGHTS', label: 'These weights' },
    { value: 'LIVE_BETA', label: 'Live beta', disabled: !isPair },
  ] as const;
  return (
    <fieldset className={css['option']}>
      <legend className="visually-hidden">Auto-rebalance</legend>
      <Switch checked={value.isOn} onChange={(isOn) => set({ isOn })}>
        Auto-rebalance
      </Switch>
      {value.isOn && (
        <div className={form['stack']}>
          <div className={form['row']}>
            <Field label="Keep" error={errors('mode')}>
              <Select options={modes} value={value.mode} onChange={(mode) => set({ mode })} />
            </Field>
            <Field label="Then">
              <Select options={ACTIONS} value={value.action} onChange={(action) => set({ action })} />
            </Field>
          </div>
          <div className={form['row']}>
            <Field label="From a drift of" error={inPercent(errors('minimumDrift'))}>
              <Input
                name="autoRebalance.minimumDrift"
                numeric
                after="%"
                value={value.minimumDrift}
                onChange={(event) => set({ minimumDrift: event.target.value })}
              />
            </Field>
            <Field label="At most every" error={errors('cooldownSeconds')}>
              <Input
                name="autoRebalance.cooldownSeconds"
                numeric
                after="min"
                value={value.cooldown}
                onChange={(event) => set({ cooldown: event.target.value })}
              />
            </Field>
          </div>
          <div className={form['row']}>
            <Field label="Largest trade" error={errors('maxTradeUsd')}>
              <Input
                name="autoRebalance.maxTradeUsd"
                numeric
                after="USD"
                placeholder="no limit"
                value={value.maxTradeUsd}
                onChange={(event) => set({ maxTradeUsd: event.target.value })}
              />
            </Field>
            {value.mode === 'LIVE_BETA' && (
              <Field label="Candles of" error={errors('timeframe')}>
                <Select
                  options={TIMEFRAMES}
                  value={value.timeframe}
                  onChange={(timeframe) => set({ timeframe })}
                />
              </Field>
            )}
          </div>
        </div>
      )}
    </fieldset>
  );
}
