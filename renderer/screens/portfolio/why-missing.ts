/**
 * Reasons for missing figures. The gateway answers null where its data do not define a figure; the trader learns
 * which data are missing. The conditions are those of the metrics' definitions.
 */
import type { Answer } from '../../../gateway/client/client.ts';

type Portfolio = Answer<'GET /portfolio'>;
type Risk = Answer<'GET /portfolio/analytics'>['risk'];

/** Minimum number of days: with fewer, the 5 % tail holds less than one day. */
const MIN_TAIL_DAYS = 20;
/** Number of days below which yearly figures say little. */
export const FEW_DAYS = MIN_TAIL_DAYS;
const BENCHMARK = 'BTC-PERP';

const NO_ANSWER = 'The venue does not answer right now';
const NOTHING_CLOSED = 'Nothing won or lost in this range';

export type PortfolioFigure =
  | 'equity'
  | 'balance'
  | 'hitRate'
  | 'profitFactor'
  | 'averageWin'
  | 'averageLoss';

/** null: the figure is available; empty: the reason stands beside another figure. */
export function whyPortfolioFigureIsMissing(figure: PortfolioFigure, portfolio: Portfolio): string | null {
  if (portfolio[figure] !== null) return null;
  if (figure === 'equity' || figure === 'balance') return NO_ANSWER;
  // The reason is given once, beside the first figure.
  if (portfolio.winCount + portfolio.lossCount === 0) return figure === 'hitRate' ? NOTHING_CLOSED : '';
  if (figure === 'averageWin') return 'No win in this range';
  return 'No loss in this range';
}

export type RiskFigure = Exclude<keyof Risk, 'maxDrawdown'> | 'maxDrawdown';

export interface RiskData {
  /** Number of days with a point in the daily series of the range. */
  readonly days: number;
  /** The venue has reported the account's equity. */
  readonly isVenueAnswering: boolean;
}

/** Reason why all risk figures are missing; null: there may be some. */
export function whyRiskIsMissing({ days, isVenueAnswering }: RiskData): string | null {
  if (days > 0) return null;
  return isVenueAnswering
    ? 'Nothing was traded in this range, so there are no daily returns yet.'
    : `${NO_ANSWER}.`;
}

/** null: the figure is available; empty: `whyRiskIsMissing` gives the reason for all figures. */
export function whyRiskFigureIsMissing(figure: RiskFigure, risk: Risk, data: RiskData): string | null {
  const value = figure === 'maxDrawdown' ? risk.maxDrawdown.value : risk[figure];
  if (value !== null) return null;
  if (data.days === 0) return '';
  if (figure === 'valueAtRisk95' || figure === 'expectedShortfall95') {
    return data.days < MIN_TAIL_DAYS
      ? `Needs ${MIN_TAIL_DAYS} days; there ${data.days === 1 ? 'is 1' : `are ${data.days}`}`
      : 'Equity was not above 0 on enough days';
  }
  if (data.days < 2) return 'Needs 2 days; there is 1';
  return WITH_ENOUGH_DAYS[figure];
}

const WITH_ENOUGH_DAYS: Readonly<
  Record<Exclude<RiskFigure, 'valueAtRisk95' | 'expectedShortfall95'>, string>
> = {
  sharpe: 'The daily returns do not vary',
  sortino: 'No day lost money, so there is no downside to divide by',
  calmar: 'Equity never fell, so there is no drawdown to divide by',
  volatility: 'Equity was not above 0 on two days',
  beta: `The daily prices of ${BENCHMARK} are not known for these days`,
  ulcerIndex: 'Equity is not known for these days',
  maxDrawdown: 'Equity is not known for these days',
};

/** Reason why the rolling figures have no point; null: they have points. */
export function whyRollingIsEmpty(
  points: readonly (string | null)[],
  window: number,
  /** Volatilities of the same points. They exist for every whole window, whatever the returns are. */
  volatilities: readonly (string | null)[],
): string | null {
  if (points.some((point) => point !== null)) return null;
  if (volatilities.some((point) => point !== null)) return 'The returns of the window do not define it yet';
  return `A window of ${window} days needs ${window} days of history up to its end; this account has fewer`;
}
