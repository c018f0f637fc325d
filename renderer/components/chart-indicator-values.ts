/**
 * Figures of a chart's indicators, from closing values. For pictures only: numbers, which no order depends on. SMA, EMA
 * (2 ÷ (n + 1), begun with the first close) and Bollinger bands (population deviation) in their usual forms; RSI with
 * the smoothing of Wilder, *New Concepts in Technical Trading Systems* (1978).
 */
import { BollingerBands, EMA, RSI, SMA } from 'trading-signals';

export type IndicatorKind = 'sma' | 'ema' | 'bollinger' | 'rsi';

export interface ChartIndicator {
  readonly id: string;
  readonly kind: IndicatorKind;
  /** Number of candles that it covers. */
  readonly length: number;
  /** Half the width of the bands, in standard deviations; used by Bollinger bands only. */
  readonly deviations: number;
  /** One of the theme's colours for lines. */
  readonly colour: 1 | 2 | 3 | 4;
}

const WORDS: Readonly<Record<IndicatorKind, string>> = {
  sma: 'SMA',
  ema: 'EMA',
  bollinger: 'BB',
  rsi: 'RSI',
};

/** `SMA 20`, `BB 20 2σ`. */
export function indicatorName({ kind, length, deviations }: ChartIndicator): string {
  return `${WORDS[kind]} ${length}${kind === 'bollinger' ? ` ${deviations}σ` : ''}`;
}

/** Number of lines in the picture, for each kind. */
export const LINES_OF: Readonly<Record<IndicatorKind, number>> = { sma: 1, ema: 1, bollinger: 3, rsi: 1 };

/** One figure per line; null: too few candles so far. */
export type IndicatorFigures = readonly number[] | null;

export interface RunningIndicator {
  /** The figures with one more close. `isAgain`: with another close in the place of the last one. */
  readonly add: (close: number, isAgain: boolean) => IndicatorFigures;
}

export function runningIndicator({ kind, length, deviations }: ChartIndicator): RunningIndicator {
  const one = (figure: number | null): IndicatorFigures => (figure === null ? null : [figure]);
  switch (kind) {
    case 'sma': {
      const mean = new SMA(length);
      return { add: (close, isAgain) => one(mean.update(close, isAgain)) };
    }
    case 'ema': {
      const mean = new EMA(length);
      return {
        add(close, isAgain) {
          const figure = mean.update(close, isAgain);
          return mean.isStable ? [figure] : null;
        },
      };
    }
    case 'bollinger': {
      const bands = new BollingerBands(length, deviations);
      return {
        add(close, isAgain) {
          const figures = bands.update(close, isAgain);
          return figures === null ? null : [figures.upper, figures.middle, figures.lower];
        },
      };
    }
    case 'rsi': {
      const strength = new RSI(length);
      return { add: (close, isAgain) => one(strength.update(close, isAgain)) };
    }
  }
}
