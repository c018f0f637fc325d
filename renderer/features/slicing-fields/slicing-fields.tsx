/** Slicing of a TWAP: duration, interval, limit, and the handling of missed slices. */
import { Checkbox } from '../../components/checkbox.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import form from '../form.module.css';
import type { MissedSlicePolicy, SlicingDraft } from './slicing.ts';

const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
] as const;

const POLICIES: readonly { readonly value: MissedSlicePolicy; readonly label: string }[] = [
  { value: 'CATCH_UP', label: 'Later slices grow' },
  { value: 'SKIP', label: 'Left out' },
  { value: 'PAUSE', label: 'Pause and wait' },
];

export function SlicingFields({
  value,
  onChange,
  errors,
  kind = 'OPEN',
}: FormPart<SlicingDraft> & {
  /**
   * An opening TWAP buys the ratio and waits while it is above the limit; a closing TWAP sells it and waits while it
   * is below.
   */
  readonly kind?: 'OPEN' | 'CLOSE';
}) {
  const { choice, flag, number } = draftFields(value, onChange, errors);
  return (
    <>
      <div className={form['row']}>
        <TextField label="Duration" {...number('duration', 'durationSeconds')} />
        <SelectField label="Unit" options={UNITS} {...choice('durationUnit')} />
        <TextField label="Interval" after="s" {...number('interval', 'intervalSeconds')} />
      </div>
      <div className={form['row']}>
        <TextField
          label="Limit ratio"
          help={`Waits while the weighted ratio is ${kind === 'OPEN' ? 'above' : 'below'}`}
          placeholder="none"
          {...number('limitRatio')}
        />
        <SelectField
          label="Missed slices"
          help="While the gateway was away"
          options={POLICIES}
          {...choice('missedSlicePolicy')}
        />
      </div>
      <Checkbox {...flag('randomize')}>Vary slice times by ±10 %</Checkbox>
    </>
  );
}
