/** How a TWAP is cut: duration, interval, limit, and what happens to slices that were missed. */
import { Checkbox } from '../../components/checkbox.tsx';
import { Field, Input } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import type { FieldErrors } from '../field-errors/field-errors.ts';
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
}: {
  readonly value: SlicingDraft;
  readonly onChange: (draft: SlicingDraft) => void;
  readonly errors: FieldErrors;
  /** Opening buys the ratio and waits while it is above the limit; closing the other way round. */
  readonly kind?: 'OPEN' | 'CLOSE';
}) {
  const set = (patch: Partial<SlicingDraft>) => onChange({ ...value, ...patch });
  return (
    <>
      <div className={form['row']}>
        <Field label="Duration" error={errors('durationSeconds')}>
          <Input
            name="durationSeconds"
            numeric
            value={value.duration}
            onChange={(event) => set({ duration: event.target.value })}
          />
        </Field>
        <Field label="Unit">
          <Select
            options={UNITS}
            value={value.durationUnit}
            onChange={(durationUnit) => set({ durationUnit })}
          />
        </Field>
        <Field label="Interval" error={errors('intervalSeconds')}>
          <Input
            name="intervalSeconds"
            numeric
            after="s"
            value={value.interval}
            onChange={(event) => set({ interval: event.target.value })}
          />
        </Field>
      </div>
      <div className={form['row']}>
        <Field
          label="Limit ratio"
          error={errors('limitRatio')}
          help={
            kind === 'OPEN'
              ? 'Waits while the weighted ratio is above'
              : 'Waits while the weighted ratio is below'
          }
        >
          <Input
            name="limitRatio"
            numeric
            placeholder="none"
            value={value.limitRatio}
            onChange={(event) => set({ limitRatio: event.target.value })}
          />
        </Field>
        <Field label="Missed slices" help="While the gateway was away">
          <Select
            options={POLICIES}
            value={value.missedSlicePolicy}
            onChange={(missedSlicePolicy) => set({ missedSlicePolicy })}
          />
        </Field>
      </div>
      <Checkbox checked={value.randomize} onChange={(randomize) => set({ randomize })}>
        Vary slice times by ±10 %
      </Checkbox>
    </>
  );
}
