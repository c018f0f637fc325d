/** Fields of a position's automatic rebalance; the form around them checks and sends. */
import { Field } from '../../components/field.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import form from '../form.module.css';
import { CLOSING_FAILURES } from '../leg-failure/leg-failure.ts';
import type { RebalanceDraft } from './rebalance-draft.ts';

export const REBALANCE_MODES = [
  { value: 'TARGET_WEIGHTS', label: 'Its weights' },
  { value: 'LIVE_BETA', label: 'Live beta' },
] as const;
export const TIMEFRAMES = [
  { value: '1h', label: '1 hour candles' },
  { value: '4h', label: '4 hour candles' },
  { value: '1d', label: '1 day candles' },
] as const;
const ACTIONS = [
  { value: 'TRADE', label: 'Trade it back' },
  { value: 'NOTIFY', label: 'Only tell me' },
] as const;

/** Shorter labels for the narrow ticket. */
const TICKET_MODES = [
  { value: 'TARGET_WEIGHTS', label: 'These weights' },
  { value: 'LIVE_BETA', label: 'Live beta' },
] as const;
const TICKET_TIMEFRAMES = [
  { value: '1h', label: '1 hour' },
  { value: '4h', label: '4 hours' },
  { value: '1d', label: '1 day' },
] as const;
const TICKET_ACTIONS = [
  { value: 'TRADE', label: 'Trade back' },
  { value: 'NOTIFY', label: 'Only tell me' },
] as const;

interface RebalanceFieldsProps extends FormPart<RebalanceDraft> {
  /** False: the live beta is not offered, because it needs exactly two legs. */
  readonly isPair: boolean;
}

/** Fields in a dialog about the position. */
export function RebalanceFields({ value, onChange, errors, isPair }: RebalanceFieldsProps) {
  const { choice, number, percent } = draftFields(value, onChange, errors);
  return (
    <>
      <div className={form['row']}>
        {isPair && (
          <Field label="Target">
            <Segmented options={REBALANCE_MODES} {...choice('mode')} label="Target" wide />
          </Field>
        )}
        <Field label="When it has drifted">
          <Segmented options={ACTIONS} {...choice('action')} label="When it has drifted" wide />
        </Field>
      </div>
      <div className={form['row']}>
        <TextField
          label="From a drift of"
          help="Distance of a weight from its target"
          {...percent('minimumDrift')}
        />
        <TextField label="At most once in" after="min" {...number('cooldown', 'cooldownSeconds')} />
        <TextField label="Most to trade" help="Empty: no limit" after="USD" {...number('maxTradeUsd')} />
        {value.mode === 'LIVE_BETA' && (
          <SelectField label="Beta from" options={TIMEFRAMES} {...choice('timeframe')} />
        )}
        <FailureField value={value} onChange={onChange} errors={errors} />
      </div>
    </>
  );
}

/** Fields on the narrow ticket, for the position that its order opens. */
export function TicketRebalanceFields({ value, onChange, errors, isPair }: RebalanceFieldsProps) {
  const { choice, number, percent } = draftFields(value, onChange, errors, 'autoRebalance.');
  const modes = TICKET_MODES.map((mode) => ({ ...mode, disabled: mode.value === 'LIVE_BETA' && !isPair }));
  return (
    <div className={layout['stack']}>
      <div className={form['row']}>
        <SelectField label="Keep" options={modes} {...choice('mode')} error={errors('mode')} />
        <SelectField label="Then" options={TICKET_ACTIONS} {...choice('action')} />
      </div>
      <div className={form['row']}>
        <TextField label="From a drift of" {...percent('minimumDrift')} />
        <TextField label="At most every" after="min" {...number('cooldown', 'cooldownSeconds')} />
      </div>
      <div className={form['row']}>
        <TextField label="Largest trade" after="USD" placeholder="no limit" {...number('maxTradeUsd')} />
        {value.mode === 'LIVE_BETA' && (
          <SelectField
            label="Candles of"
            options={TICKET_TIMEFRAMES}
            {...choice('timeframe')}
            error={errors('timeframe')}
          />
        )}
      </div>
      <FailureField value={value} onChange={onChange} errors={errors} />
    </div>
  );
}

/** Shown only if the rebalance trades. */
function FailureField({ value, onChange }: FormPart<RebalanceDraft>) {
  if (value.action !== 'TRADE') return null;
  const { choice } = draftFields(value, onChange);
  return <SelectField label="If a leg fails" options={CLOSING_FAILURES} {...choice('onLegFailure')} />;
}
