/** Words for the figures of `GET /analytics/pair`: their meaning, and the reason for a missing one. */
import type { PairAnalytics } from '../../features/ratio-chart/pair-analytics.ts';

export type PairFigure = 'correlation' | 'beta' | 'hedgeRatio' | 'zScore' | 'halfLifeHours' | 'cointegration';

/** Number of observations below which the gateway gives no figure. */
const MIN_OBSERVATIONS = 30;

/** null: the figure is available. */
export function whyPairFigureIsMissing(figure: PairFigure, pair: PairAnalytics): string | null {
  if (pair[figure] !== null) return null;
  if (pair.observations < MIN_OBSERVATIONS)
    return `Needs ${MIN_OBSERVATIONS} common prices; there are ${pair.observations}`;
  if (pair.reason === 'LONG_CONSTANT') return `The price of ${pair.long} stood still`;
  if (pair.reason === 'SHORT_CONSTANT') return `The price of ${pair.short} stood still`;
  if (figure === 'halfLifeHours' && pair.halfLifeReason !== null)
    return pair.halfLifeReason === 'OSCILLATES'
      ? 'The spread jumps from one side to the other'
      : 'The spread does not come back in this period';
  return 'The prices of this period do not define it';
}

/** Warning about legs that cannot be traded as usual; null: all legs can. */
export function pairWarning({ long, short, tradeability }: PairAnalytics): string | null {
  const told = [
    { symbol: long, ...tradeability.long },
    { symbol: short, ...tradeability.short },
  ].flatMap(({ symbol, status, reason }) => {
    if (status === 'tradable') return [];
    const state = status === 'reduce_only' ? 'can only be closed' : 'is not traded any more';
    return `${symbol} ${state}${reason === null ? '' : ` (${reason})`}`;
  });
  return told.length === 0 ? null : `${told.join('; ')}: these figures are of the past.`;
}
