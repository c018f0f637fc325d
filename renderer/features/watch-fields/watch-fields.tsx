/** Fields of a trigger's condition: one of six types with its level, and its watching options. */
import { useMemo } from 'react';
import { CONDITIONS } from '../../../gateway/domain/condition-table.ts';
import { useConnector, useInstruments, useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Combobox } from '../../components/combobox.tsx';
import { Field } from '../../components/field.tsx';
import { MomentField } from '../../components/moment-field.tsx';
import { Segmented } from '../../components/radio.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { draftFields, type FormPart } from '../draft-fields/draft-fields.ts';
import type { FieldErrors } from '../field-errors/field-errors.ts';
import form from '../form.module.css';
import { TRANSFORM_HELP, TRANSFORM_NAMES } from '../ratio-chart/spread-words.ts';
import type { WeighedLeg } from '../ratio-chart/subject.ts';
import { SubjectNow } from '../ratio-chart/subject-now.tsx';
import { TransformNow } from '../ratio-chart/transform-now.tsx';
import {
  conditionTypes,
  hoursOf,
  subjectOf,
  transformOf,
  unitOf,
  type WatchDraft,
  watchedLeg,
} from './watch.ts';

const DIRECTIONS = [
  { value: 'LESS_THAN', label: 'Falls below' },
  { value: 'MORE_THAN', label: 'Rises above' },
] as const;
const SOURCES = [
  { value: 'MARK', label: 'Mark price' },
  { value: 'LAST', label: 'Last price' },
  { value: 'INDEX', label: 'Index price' },
] as const;
const TRANSFORM_CHOICES = [
  { value: '', label: 'Ratio' },
  { value: 'Z_SCORE', label: TRANSFORM_NAMES.Z_SCORE },
  { value: 'SPREAD', label: TRANSFORM_NAMES.SPREAD },
] as const;
const MISSED = [
  { value: 'FIRE', label: 'Fire late' },
  { value: 'SKIP', label: 'Wait for the next' },
] as const;

export function WatchFields({
  value,
  onChange,
  errors,
  legs,
}: FormPart<WatchDraft> & { readonly legs: readonly WeighedLeg[] }) {
  const capabilities = useConnector()?.capabilities;
  const { choice, flag, number, text } = draftFields(value, onChange, errors);
  const set = (patch: Partial<WatchDraft>) => onChange({ ...value, ...patch });
  const types = conditionTypes(legs, capabilities ?? []).map(({ type, unavailable }) => ({
    value: type,
    label: CONDITIONS[type].name,
    disabled: unavailable !== null && type !== value.type,
    ...(unavailable === null ? {} : { hint: unavailable }),
  }));
  const transform = transformOf(value);
  const subject = subjectOf(value, legs);
  return (
    <>
      <SelectField label="Condition" error={errors('condition.type')} options={types} {...choice('type')} />
      <WatchedThing value={value} set={set} errors={errors} legs={legs} />
      <Segmented wide label="Direction" options={DIRECTIONS} {...choice('direction')} />
      <TextField
        label="Level"
        help={
          subject === null ? (
            <FeedNow draft={value} />
          ) : transform !== '' ? (
            <>
              <TransformNow
                subject={subject}
                legs={legs}
                transform={transform}
                lookback={hoursOf(value.lookback)}
              />
              . {TRANSFORM_HELP[transform]}
            </>
          ) : (
            <SubjectNow subject={subject} legs={legs} onTake={(level) => set({ value: level })} />
          )
        }
        after={unitOf({ type: value.type, transform: transform || undefined }) || undefined}
        {...number('value', 'condition.value')}
      />
      <MomentField label="Expires" {...text('expiresAt')} />
      <div className={form['row']}>
        <SelectField
          label="Watches"
          error={errors('priceSource')}
          options={transform === '' ? SOURCES : SOURCES.slice(0, 1)}
          {...choice('priceSource')}
        />
        <SelectField label="If missed" options={MISSED} {...choice('onMissed')} />
      </div>
      <Checkbox {...flag('allowImmediate')}>Fire at once if it is met already</Checkbox>
    </>
  );
}

interface DraftProps {
  readonly value: WatchDraft;
  readonly set: (patch: Partial<WatchDraft>) => void;
}

/**
 * Choice of the instrument or prediction market that the condition watches. Ratios watch the basket itself, so there
 * is nothing to choose.
 */
function WatchedThing({
  errors,
  legs,
  ...draft
}: DraftProps & { readonly errors: FieldErrors; readonly legs: readonly WeighedLeg[] }) {
  const { value, set } = draft;
  const tickerOf = useTicker();
  switch (CONDITIONS[value.type].names) {
    case 'leg':
      return (
        <SelectField
          label="Leg"
          error={errors('condition.symbol')}
          options={legs.map(({ id }) => ({ value: id, label: tickerOf(id), hint: id }))}
          value={watchedLeg(value, legs) || null}
          onChange={(symbol) => set({ symbol })}
          placeholder="Add a leg first"
        />
      );
    case 'instrument':
      return <AnyInstrument {...draft} error={errors('condition.symbol')} />;
    case 'prediction':
      return <Question {...draft} error={errors('condition.marketKey') ?? errors('condition.source')} />;
    case 'ratio':
      return <Compared value={value} set={set} errors={errors} />;
    case 'nothing':
      return null;
  }
}

/** Choice between the ratio itself and its transform against its own past. */
function Compared({ value, set, errors }: DraftProps & { readonly errors: FieldErrors }) {
  return (
    <>
      <Segmented
        wide
        label="Compares"
        options={TRANSFORM_CHOICES}
        value={value.transform}
        onChange={(transform) => set({ transform })}
      />
      {value.transform !== '' && (
        <TextField
          label="Looks back"
          numeric
          after="h"
          value={value.lookback}
          onChange={(lookback) => set({ lookback })}
          error={errors('condition.lookback') ?? errors('condition.transform')}
        />
      )}
    </>
  );
}

function AnyInstrument({ value, set, error }: DraftProps & { readonly error: string | undefined }) {
  const instruments = useInstruments();
  const options = useMemo(
    () => instruments.map(({ id, symbol }) => ({ value: id, label: symbol, hint: id })),
    [instruments],
  );
  return (
    <Field label="Instrument" error={error}>
      <Combobox
        options={options}
        value={value.crossSymbol}
        onChange={(crossSymbol) => set({ crossSymbol })}
        placeholder="Ticker"
      />
    </Field>
  );
}

function useFeeds() {
  const connector = useConnector();
  return useGet(
    'GET /feeds',
    { query: { connector: connector?.id ?? '' } },
    { shared: true, enabled: connector !== undefined, refetchEvery: 5_000 },
  ).data;
}

function Question({ value, set, error }: DraftProps & { readonly error: string | undefined }) {
  const markets = useFeeds()?.predictionMarkets ?? [];
  const chosen = markets.findIndex(
    ({ source, marketKey }) => source === value.market?.source && marketKey === value.market?.marketKey,
  );
  return (
    <SelectField
      label="Question"
      error={error}
      options={markets.map(({ question }, index) => ({ value: String(index), label: question }))}
      value={chosen === -1 ? null : String(chosen)}
      onChange={(index) => {
        const market = markets[Number(index)];
        if (market !== undefined) set({ market: { source: market.source, marketKey: market.marketKey } });
      }}
      placeholder={markets.length === 0 ? 'The venue has no questions' : 'Choose'}
    />
  );
}

/** Present value of the venue's feed, in percent: dominance or a market's outcome. */
function FeedNow({ draft }: { readonly draft: WatchDraft }) {
  const feeds = useFeeds();
  const now =
    CONDITIONS[draft.type].names === 'nothing'
      ? feeds?.dominance?.value
      : feeds?.predictionMarkets.find(
          ({ source, marketKey }) => source === draft.market?.source && marketKey === draft.market?.marketKey,
        )?.probability;
  return <span>Now {now === undefined ? '—' : `${now} %`}</span>;
}
