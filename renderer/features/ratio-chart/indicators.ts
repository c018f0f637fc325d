/** Indicators that the user has chosen for all charts of ratios, kept in this browser. */
import { useMemo } from 'react';
import { z } from 'zod';
import { type CandleInterval, INTERVAL_MS } from '../../../gateway/domain/candle-intervals.ts';
import { useNow } from '../../api/clock.ts';
import { keptChoice, lenient, readKept } from '../../api/kept-choice.ts';
import type { ChartIndicator, IndicatorKind } from '../../components/chart-indicator-values.ts';

export const LENGTHS = { least: 2, most: 400 } as const;
export const DEVIATIONS = { least: 0.1, most: 10 } as const;
export const MOST_INDICATORS = 8;

export interface ChosenIndicator extends ChartIndicator {
  readonly isShown: boolean;
}

const chosen = z.object({
  id: z.string(),
  kind: z.enum(['sma', 'ema', 'bollinger', 'rsi']),
  length: z.int().min(LENGTHS.least).max(LENGTHS.most),
  deviations: z.number().min(DEVIATIONS.least).max(DEVIATIONS.most),
  colour: z.literal([1, 2, 3, 4]),
  isShown: z.boolean(),
});
const kept = lenient({
  chosen: z.array(chosen).max(MOST_INDICATORS).catch([]),
  showsLegs: z.boolean().catch(false),
});

interface Choice {
  readonly chosen: readonly ChosenIndicator[];
  /** True: the legs' prices are drawn among the candles. */
  readonly showsLegs: boolean;
}

export const [useIndicatorChoice, changeIndicators] = keptChoice<Choice>('tandem.indicators', (text) =>
  readKept(kept, text),
);

/** Visible indicators. */
export function useShownIndicators(): readonly ChartIndicator[] {
  const all = useIndicatorChoice((choice) => choice.chosen);
  return useMemo(() => all.filter(({ isShown }) => isShown), [all]);
}

const USUAL_LENGTH: Readonly<Record<IndicatorKind, number>> = { sma: 20, ema: 20, bollinger: 20, rsi: 14 };

/** A new indicator, in an unused colour if there is one. */
export function newIndicator(kind: IndicatorKind, beside: readonly ChartIndicator[]): ChosenIndicator {
  const free = ([4, 1, 2, 3] as const).find((colour) => !beside.some((one) => one.colour === colour));
  const id = crypto.randomUUID();
  return { id, kind, length: USUAL_LENGTH[kind], deviations: 2, colour: free ?? 4, isShown: true };
}

/** Number of candles that the gateway returns by default. */
const USUAL_CANDLES = 300;
const MOST_CANDLES = 2_000;
const MOST_LEG_CANDLES = 6_000;
/** History needed before the first candle, in lengths: a smoothed indicator then has under 0.1 % of its start. */
const LENGTHS_BEFORE: Readonly<Record<IndicatorKind, number>> = { sma: 1, ema: 4, bollinger: 1, rsi: 8 };
/** The start is rounded to this many candles: otherwise each new candle would cause a new read. */
const GRID = 50;

/** Start of the candles that these indicators need, ISO; undefined: the default is enough. */
export function useCandlesFrom(
  indicators: readonly ChartIndicator[],
  interval: CandleInterval,
  legs: number,
): string | undefined {
  const candleMs = INTERVAL_MS[interval];
  const now = useNow(candleMs * GRID);
  if (indicators.length === 0) return undefined;
  const before = Math.max(...indicators.map(({ kind, length }) => length * LENGTHS_BEFORE[kind]));
  const most = Math.min(MOST_CANDLES, Math.floor(MOST_LEG_CANDLES / Math.max(1, legs)));
  const count = Math.min(USUAL_CANDLES + before, most - GRID);
  return new Date(now - count * candleMs).toISOString();
}
