/** Fields for the span of days: a preset span, or any two days. Days are UTC, like the gateway's. */
import { useId } from 'react';
import { useSettings } from '../../api/settings.ts';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields } from '../../features/draft-fields/draft-fields.ts';
import { ALL_DAYS, type DateSpan, lastDays, spanProblem } from './date-span.ts';
import css from './history.module.css';

const USUAL = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: 'all', label: 'All' },
] as const;
type Usual = (typeof USUAL)[number]['value'];

function spanOf(usual: Usual): DateSpan {
  return usual === 'all' ? ALL_DAYS : lastDays(Number(usual), Date.now());
}

/** Preset span of the days; '' if none matches, so that no button is marked. */
function usualOf({ from, to }: DateSpan): Usual | '' {
  const found = USUAL.find(({ value }) => {
    const span = spanOf(value);
    return span.from === from && span.to === to;
  });
  return found?.value ?? '';
}

export function SpanFields({
  span,
  onChange,
}: {
  readonly span: DateSpan;
  readonly onChange: (span: DateSpan) => void;
}) {
  const { text } = draftFields(span, onChange);
  const zone = useSettings((settings) => settings.zone);
  const reason = useId();
  const problem = spanProblem(span) ?? undefined;
  const mark = problem === undefined ? {} : ({ invalid: true, 'aria-describedby': reason } as const);
  const day = { inline: true, type: 'date', className: css['day'] } as const;
  return (
    <div className={css['span']}>
      <Segmented<Usual | ''>
        options={USUAL}
        value={usualOf(span)}
        onChange={(usual) => onChange(usual === '' ? span : spanOf(usual))}
        label="Span"
      />
      <TextField label="From" {...day} max={span.to} {...text('from')} {...mark} />
      <TextField label="To" {...day} min={span.from} {...text('to')} {...mark} />
      {problem === undefined ? (
        <span className={layout['quiet']}>UTC days, times in {zone === 'utc' ? 'UTC' : 'local time'}</span>
      ) : (
        <span id={reason} role="alert" className={layout['problem']}>
          {problem}
        </span>
      )}
    </div>
  );
}
