/**
 * The Engle–Granger test: do two price series share a trend, so that their spread comes back?
 *
 * Step 2 of R. F. Engle and C. W. J. Granger, "Co-integration and error correction", Econometrica 55 (1987): an augmented
 * Dickey–Fuller regression without constant on the residuals e of the hedge regression,
 *
 *   Δe_t = γ·e_t−1 + Σ_{i=1…p} δ_i·Δe_t−i + u_t,   statistic = γ̂ ÷ s.e.(γ̂),   p = ⌊(n − 1)^⅓⌋
 *
 * (the number of lags is that of Said and Dickey, Biometrika 71 (1984)). Critical values for two series and a constant:
 * J. G. MacKinnon, "Critical values for cointegration tests", Queen's University WP 1227 (2010), table 2:
 * β∞ + β1/T + β2/T², T the number of observations in the regression. The more negative the statistic, the less likely it
 * is that the two drift apart; between critical values only a band of the p-value is known.
 */
import { leastSquares } from './least-squares.ts';

const MACKINNON = {
  '0.01': [-3.89644, -10.9519, -22.527],
  '0.05': [-3.33613, -6.1101, -6.823],
  '0.1': [-3.04445, -4.2412, -2.72],
} as const;

type Level = keyof typeof MACKINNON;

export const P_VALUE_BANDS = ['<0.01', '0.01-0.05', '0.05-0.1', '>0.1'] as const;
export type PValueBand = (typeof P_VALUE_BANDS)[number];

export interface EngleGranger {
  readonly statistic: number;
  readonly lags: number;
  readonly criticalValues: Readonly<Record<Level, number>>;
  /** p-value of the hypothesis that the two series are not cointegrated. */
  readonly pValueBand: PValueBand;
}

/** null: too few residuals, or residuals that define no regression. */
export function engleGranger(residuals: readonly number[]): EngleGranger | null {
  const lags = Math.floor(Math.cbrt(residuals.length - 1));
  const changes = residuals.slice(1).map((value, index) => value - (residuals[index] ?? 0));
  const y: number[] = [];
  const rows: number[][] = [];
  for (let t = lags; t < changes.length; t += 1) {
    y.push(changes[t] ?? 0);
    rows.push([residuals[t] ?? 0, ...Array.from({ length: lags }, (_, lag) => changes[t - 1 - lag] ?? 0)]);
  }
  const fit = leastSquares(y, rows);
  const gamma = fit?.coefficients[0];
  const error = fit?.errors[0];
  if (gamma === undefined || error === undefined || error === 0) return null;
  const statistic = gamma / error;
  const at = (level: Level) => critical(level, y.length);
  const criticalValues = { '0.01': at('0.01'), '0.05': at('0.05'), '0.1': at('0.1') };
  return { statistic, lags, criticalValues, pValueBand: band(statistic, criticalValues) };
}

function critical(level: Level, observations: number): number {
  const [limit, first, second] = MACKINNON[level];
  return limit + first / observations + second / observations ** 2;
}

function band(statistic: number, values: EngleGranger['criticalValues']): PValueBand {
  if (statistic < values['0.01']) return '<0.01';
  if (statistic < values['0.05']) return '0.01-0.05';
  return statistic < values['0.1'] ? '0.05-0.1' : '>0.1';
}
