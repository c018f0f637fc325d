/** Slicing of a TWAP: duration, interval, limit, and the handling of missed slices. */
import { Checkbox } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import form from '../form.module.css';
import type { WeighedLeg } from '../ratio-chart/subject.ts';
import { SubjectNow } from '../ratio-chart/subject-now.tsx';
import { useSubjectValue } from '../ratio-chart/use-subject-value.ts';
import type { MissedSlicePolicy, SlicingDraft } from './slicing.ts';

const WEIGHTED = { metric: 'WEIGHTED_RATIO' } as const;

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
  kind = 'OPEN',
}: FormPart<SlicingDraft> & {
  /** Legs whose weighted ratio the limit is about. */
  readonly legs: readonly WeighedLeg[];
  /**
   * An opening TWAP buys the ratio and waits while it is above the limit; a closing TWAP sells it and waits while it
   * is below.
   */
  readonly kind?: 'OPEN' | 'CLOSE';
}) {
  const { choice, flag, number } = draftFields(value, onChange, errors);
  const limit = number('limitRatio');
  return (
    <>
      <div className={form['row']}>
        <TextField label="Duration" {...number('duration', 'durationSeconds')} />
        <SelectField label="Unit" options={UNITS} {...choice('durationUnit')} />
        <TextField label="Interval" after="s" {...number('interval', 'intervalSeconds')} />
      </div>
      <div className={form['row']}>
        <TextField
          label="Limit, weighted ratio"
          help={
            <>
              Waits while it is {kind === 'OPEN' ? 'above' : 'below'}.{' '}
              <SubjectNow subject={WEIGHTED} legs={legs} onTake={limit.onChange} />
            </>
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
      <LimitWarning limit={value.limitRatio} legs={legs} kind={kind} />
      <Checkbox {...flag('randomize')}>Vary slice times by ±10 %</Checkbox>
    </>
  );
}

/** How far from now a limit may be before it is asked about, as a factor. */
const FAR = 1.25;

/** A limit that would never hold a slice back, or hold back every one: often the price ratio, typed by mistake. */
function LimitWarning({
  limit,
  legs,
  kind,
}: {
  readonly limit: string;
  readonly legs: readonly WeighedLeg[];
  readonly kind: 'OPEN' | 'CLOSE';
}) {
  const now = useSubjectValue(WEIGHTED, legs);
  const level = Number(limit);
  if (now === null || !(level > 0)) return null;
  const room = kind === 'OPEN' ? level / now : now / level;
  if (room >= 1 && room <= FAR) return null;
  return (
    <p className={layout['caution']} role="status">
      {room < 1
        ? `The weighted ratio is ${kind === 'OPEN' ? 'above' : 'below'} it now: no slice would be sent before that changes.`
        : 'Far from the weighted ratio of now: it would hold nothing back. Is it a price ratio?'}
    </p>
  );
}
