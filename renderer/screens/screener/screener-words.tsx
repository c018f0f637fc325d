/** Text around the pairs: age of the figures, matches expected by chance, and meaning of the figures. */
import { ChevronRight, ScanSearch } from 'lucide-react';
import { useId, useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { COINTEGRATED_P } from '../../../gateway/contract/cointegrated.ts';
import { WIDEST_HEDGE } from '../../../gateway/contract/traded-hedge.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Age, Time } from '../../components/time.tsx';
import { P_WORDS, screenedSpan } from '../../features/cointegration/cointegration-words.ts';
import css from './screener.module.css';
import { type Filter, filterWords, MILDEST } from './screener-filter.ts';

export type Screener = Answer<'GET /analytics/screener'>;

/** Default span of the figures, hours, until the gateway reports it. */
const HOURS = 90 * 24;

/** Share of pairs that have such a p-value without moving together: the p-value itself. */
const BY_CHANCE: Readonly<Record<string, string>> = {
  '0.1': 'one in ten',
  '0.05': 'one in twenty',
  '0.01': 'one in a hundred',
};

/** One figure without a line break. */
function upTo(pValue: string | number): string {
  return `p\u00a0≤\u00a0${pValue}`;
}

/** Filter of the pairs that the words describe. */
export interface Shown {
  /** '': any */
  readonly maxPValue: string;
  /** True: a search or a least z-score leaves pairs out. */
  readonly isNarrowed: boolean;
}

/** Number of pairs that pass the test, and number expected by chance. Stands before the list, even an empty one. */
export function Standing({
  data,
  isGrouped,
  shown: { maxPValue, isNarrowed },
}: {
  readonly data: Screener | undefined;
  readonly isGrouped: boolean;
  readonly shown: Shown;
}) {
  if (data === undefined || data.asOf === null || data.count === 0) return null;
  return (
    <p className={css['standing']} role="status">
      {maxPValue === '' ? standingOfAll(data, isGrouped) : standingOfPassed(data, maxPValue, isNarrowed)}
    </p>
  );
}

function standingOfAll({ count, cointegrated }: Screener, isGrouped: boolean): string {
  const passes = `cointegrated (${upTo(COINTEGRATED_P)})`;
  if (cointegrated === 0)
    return `None of these ${count} pairs is ${passes}: the test does not show that any of their spreads comes back.`;
  const [are, come] = cointegrated === 1 ? ['is', 'comes'] : ['are', 'come'];
  const first = isGrouped ? `, and ${come} first` : '';
  return `${cointegrated} of ${count} pairs ${are} ${passes}${first}. By chance alone ${BY_CHANCE[MILDEST]} would be.`;
}

/**
 * The answer leaves out pairs that failed, so chance is stated for all tested pairs. A search or z-score leaves an
 * unknown number of those, so a narrowed count stands beside no number.
 */
function standingOfPassed({ count, instruments }: Screener, maxPValue: string, isNarrowed: boolean): string {
  const [are, have] = count === 1 ? ['pair', 'has'] : ['pairs', 'have'];
  const all = (instruments * (instruments - 1)) / 2;
  const passed = `${count} ${are}${isNarrowed ? ' found' : ''} ${have} ${upTo(maxPValue)}`;
  const of = isNarrowed ? 'of any pairs' : `of all ${all} pairs`;
  return `${passed}. By chance alone ${BY_CHANCE[maxPValue]} ${of} would have.`;
}

export function AsOf({ data }: { readonly data: Screener | undefined }) {
  if (data === undefined || data.asOf === null) return null;
  return (
    <span className={css['asOf']}>
      <span>
        {data.instruments} instruments · data to <Time at={data.asOf} style="minute" /> · computed{' '}
        <Age since={data.computedAt} />
        {'\u00a0ago'}
      </span>
      {data.error !== null && <span role="status">The last hour could not be computed: {data.error}</span>}
    </span>
  );
}

/** Legend of the figures, folded in a narrow window. */
export function Legend({ data }: { readonly data: Screener | undefined }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={css['legend']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight aria-hidden="true" />
        What the figures mean
      </button>
      <p id={id} className={css['note']} data-open={isOpen}>
        {screenedSpan(data?.lookbackHours ?? HOURS)}. ln(first) = c + h·ln(second) + spread; z is the spread
        in its deviations. The direction is arithmetic: it gains if z returns to 0. Nothing says that it does.
        “SOL&nbsp;1&nbsp;:&nbsp;0.8” is the notional of the legs, by h; where h is outside {1 / WIDEST_HEDGE}{' '}
        to {WIDEST_HEDGE} or unknown they are traded 1&nbsp;:&nbsp;1. Half-life –: it does not come back,
        &gt;: longer than the data. Z&#8209;score sorts by |z|. Cointegration: {P_WORDS} (dim). Carry: + you
        receive, of the gross notional of these legs. Volume: of the smaller leg.
      </p>
    </>
  );
}

/** Shown while the first screen since the gateway's start is computed, or if it failed. */
export function Computing({ data, onRetry }: { readonly data: Screener; readonly onRetry: () => void }) {
  if (data.progress === null && data.error !== null) {
    return (
      <EmptyState
        icon={<ScanSearch />}
        title="The pairs could not be computed"
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        {data.error}. The gateway tries again with the next full hour.
      </EmptyState>
    );
  }
  const { done, total } = data.progress ?? { done: 0, total: 0 };
  return (
    <EmptyState icon={<ScanSearch />} title="Computing all pairs">
      <span role="status">{done === 0 ? 'Reading 90 days of hours…' : `${done} of ${total} pairs`}</span>
    </EmptyState>
  );
}

export function NoPair({ filter, onClear }: { readonly filter: Filter; readonly onClear: () => void }) {
  const search = filter.search.trim();
  const { maxPValue, minAbsZScore } = filter;
  if (search === '' && minAbsZScore === '' && maxPValue !== '') {
    return (
      <EmptyState
        icon={<ScanSearch />}
        title={`No pair is cointegrated (${upTo(maxPValue)})`}
        action={<Button onClick={onClear}>Show all pairs</Button>}
      >
        The test does not show that any of their spreads comes back.
      </EmptyState>
    );
  }
  const on = filterWords(filter);
  return (
    <EmptyState
      icon={<ScanSearch />}
      title={search === '' ? 'No pair fits' : `No pair fits “${search}”`}
      action={<Button onClick={onClear}>{on.length === 0 ? 'Clear search' : 'Clear filters'}</Button>}
    >
      {on.length === 0
        ? 'A pair needs two of the most traded instruments: search one ticker, or two.'
        : `Also on: ${on.join(', ')}. Loosen ${on.length === 1 ? 'it' : 'one'}, or clear all.`}
    </EmptyState>
  );
}
