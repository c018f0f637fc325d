/** Filter of the screener: a query for the gateway, and words for an empty result. */
import { z } from 'zod';
import { COINTEGRATED_P } from '../../../gateway/contract/cointegrated.ts';
import { keptChoice, lenient, readKept } from '../../api/kept-choice.ts';

/** Mildest p-value to choose: pairs up to it count as cointegrated. */
export const MILDEST = String(COINTEGRATED_P);

export const P_VALUES = [
  { value: '', label: 'Any p-value' },
  { value: MILDEST, label: `p ≤ ${MILDEST}` },
  { value: '0.05', label: 'p ≤ 0.05' },
  { value: '0.01', label: 'p ≤ 0.01' },
] as const;
export const Z_SCORES = [
  { value: '', label: 'Any z-score' },
  { value: '1', label: '|z| ≥ 1' },
  { value: '2', label: '|z| ≥ 2' },
  { value: '3', label: '|z| ≥ 3' },
] as const;

export interface Filter {
  readonly search: string;
  /** '': any */
  readonly maxPValue: string;
  readonly minAbsZScore: (typeof Z_SCORES)[number]['value'];
}

export const NO_FILTER: Filter = { search: '', maxPValue: '', minAbsZScore: '' };

/** Choice kept between visits. Older versions of the page stored the box only. */
const choice = lenient({
  onlyCointegrated: z.boolean().catch(false),
  stricter: z.enum(['', '0.05', '0.01']).catch(''),
});
const [useChoice, changeChoice] = keptChoice('tandem.screener', (text) => readKept(choice, text));

/** One choice for the box and the list of p-values, so that they cannot disagree. '': any */
export function useMaxPValue(): string {
  const { onlyCointegrated, stricter } = useChoice();
  if (!onlyCointegrated) return '';
  return stricter === '' ? MILDEST : stricter;
}

export function chooseMaxPValue(value: string): void {
  const stricter = value === '0.05' || value === '0.01' ? value : '';
  changeChoice({ onlyCointegrated: value !== '', stricter });
}

/** `Only cointegrated (p ≤ 0.1)`, `|z| ≥ 3`: active filters, without the search. */
export function filterWords({ maxPValue, minAbsZScore }: Filter): readonly string[] {
  return [
    ...(maxPValue === '' ? [] : [`Only cointegrated (p ≤ ${maxPValue})`]),
    ...(minAbsZScore === '' ? [] : [`|z| ≥ ${minAbsZScore}`]),
  ];
}
