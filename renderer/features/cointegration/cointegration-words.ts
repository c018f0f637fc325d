/**
 * The test for cointegration in words, the same wherever a pair is shown. A word is always shown with its p-value and
 * its span: over another span the same pair may have another word.
 */
import { COINTEGRATED_P } from '../../../gateway/contract/cointegrated.ts';
import type { PairAnalytics } from '../ratio-chart/pair-analytics.ts';

/** Legend of the words, for a list of p-values. */
export const P_WORDS = `p < 0.01 very likely, < 0.05 likely, ≤ ${COINTEGRATED_P} possible, above: no evidence`;

/** Strength of the evidence against "not cointegrated". @param pValue decimal string */
export function cointegrationWord(pValue: string): string {
  const p = Number(pValue);
  if (p < 0.01) return 'Very likely';
  if (p < 0.05) return 'Likely';
  return p <= COINTEGRATED_P ? 'Possible' : 'No evidence';
}

/** `p 0.023, 30 days of hourly closes` */
export function evidenceWords(pValue: string, span: string): string {
  const p = Number(pValue);
  return `p ${p < 0.001 ? '< 0.001' : p.toFixed(3)}, ${span}`;
}

const SPANS: Readonly<Record<PairAnalytics['lookback'], string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};
const STEPS: Readonly<Record<string, string>> = { '5m': '5-minute', '1h': 'hourly', '4h': '4-hour' };

/** `30 days of hourly closes` */
export function spanWords({ lookback, interval }: Pick<PairAnalytics, 'lookback' | 'interval'>): string {
  return `${SPANS[lookback]} of ${STEPS[interval] ?? interval} closes`;
}

/** Span of the screener. @param lookbackHours as it answers */
export function screenedSpan(lookbackHours: number): string {
  return `${Math.round(lookbackHours / 24)} days of hourly closes`;
}
