/** Form of a pair's figures between threads and in storage: a row of floats, NaN where there is none. */
import { type PairScreen, SPARKLINE_POINTS } from '../../domain/pair-screen.ts';

export interface ScreenTask {
  /** ln of the closes of one instrument after the other, `hours` each; NaN: not known. */
  readonly closes: SharedArrayBuffer;
  readonly instruments: number;
  readonly hours: number;
}

const NAMES = [
  'observations',
  'correlation',
  'hedgeRatio',
  'zScore',
  'halfLife',
  'statistic',
  'pValue',
] as const satisfies readonly (keyof PairScreen)[];

export const WIDTH = NAMES.length + SPARKLINE_POINTS;

export function writeScreen(screen: PairScreen, row: Float64Array): void {
  row.fill(Number.NaN);
  for (const [index, name] of NAMES.entries()) row[index] = screen[name];
  row.set(screen.sparkline, NAMES.length);
}

export function readScreen(row: Float64Array): PairScreen {
  const of = (name: (typeof NAMES)[number]) => row[NAMES.indexOf(name)] ?? Number.NaN;
  const sparkline = Array.from(row.subarray(NAMES.length));
  return {
    observations: of('observations'),
    correlation: of('correlation'),
    hedgeRatio: of('hedgeRatio'),
    zScore: of('zScore'),
    halfLife: of('halfLife'),
    statistic: of('statistic'),
    pValue: of('pValue'),
    sparkline: sparkline.some(Number.isNaN) ? [] : sparkline,
  };
}
