/** Slicing of a TWAP: duration, interval, limit, and the handling of missed slices. */
import { Checkbox } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import form from '../form.module.css';
import type { WeighedLeg } from '../ratio-chart/subject.ts';
import { SubjectNow } from '../ratio-chart/subject-now.tsx';
import { type LimitOf, OtherRatio, useLimitFault } from './limit-fault.tsx';
import { LIMIT_NAMES, type LimitMeasure } from './limit-measure.ts';
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
  legs,
  measure = 'WEIGHTED_RATIO',
  kind = 'OPEN',
  canLimit = true,
}: FormPart<SlicingDraft> & {
  /** Legs of the limit's ratio. */
  readonly legs: readonly WeighedLeg[];
  /** Measure in which the limit is typed. */
  readonly measure?: LimitMeasure;
  /**
   * An opening TWAP buys the ratio and waits while it is above the limit; a closing TWAP sells it and waits while it
   * is below.
   */
  readonly kind?: 'OPEN' | 'CLOSE';
  /** False: the TWAP takes no limit. An already typed limit stays visible, to be removed. */
  readonly canLimit?: boolean;
}) {
  const { choice, flag, number } = draftFields(value, onChange, errors);
  const typed = draftFields(value, (next) => onChange({ ...next, limitMeasure: measure }), errors);
  const limit = typed.number('limitRatio');
  return (
    <>
      <div className={form['row']}>
        <TextField label="Duration" {...number('duration', 'durationSeconds')} />
        <SelectField label="Unit" options={UNITS} {...choice('durationUnit')} />
        <TextField label="Interval" after="s" {...number('interval', 'intervalSeconds')} />
      </div>
      <div className={form['row']}>
        <TextField
          label={`Limit, ${LIMIT_NAMES[measure]}`}
          help={
            canLimit ? (
              <>
                Waits while it is {kind === 'OPEN' ? 'above' : 'below'}.{' '}
                <SubjectNow subject={{ metric: measure }} legs={legs} onTake={limit.onChange} />
                {measure === 'WEIGHTED_RATIO' && <OtherRatio legs={legs} />}
              </>
            ) : (
              'None for what only reduces'
            )
          }
          placeholder="none"
          {...limit}
        />
        <SelectField
          label="Missed slices"
          help="While the gateway was away"
          options={POLICIES}
          {...choice('missedSlicePolicy')}
        />
      </div>
      {canLimit && <LimitWarning limit={value.limitRatio} legs={legs} measure={measure} kind={kind} />}
      <Checkbox {...flag('randomize')}>Vary slice times by ±10 %</Checkbox>
    </>
  );
}

/** Problem of the typed limit, if there is one: screen readers announce each change. */
function LimitWarning(limit: LimitOf) {
  const fault = useLimitFault(limit);
  return fault === null ? null : (
    <p className={layout['caution']} role="status">
      {fault}
    </p>
  );
}
