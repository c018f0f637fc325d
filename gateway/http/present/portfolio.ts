import type { z } from 'zod';
import type { portfolio, portfolioAnalytics } from '../../contract/portfolio.ts';
import { attoText } from '../../domain/atto.ts';
import { figures } from '../../domain/figures.ts';
import type { PortfolioOverview } from '../../engine/portfolio.ts';
import type { PortfolioAnalytics, PortfolioRisk } from '../../engine/portfolio-analytics.ts';
import { iso } from './time.ts';

export function presentPortfolio(value: PortfolioOverview): z.input<typeof portfolio> {
  return {
    ...value,
    buckets: value.buckets.map(({ start, end, ...sums }) => ({ start: iso(start), end: iso(end), ...sums })),
  };
}

export function presentAnalytics(
  value: PortfolioAnalytics,
  tickerOf: (symbol: string) => string,
): z.input<typeof portfolioAnalytics> {
  return {
    risk: presentRisk(value.risk),
    assets: value.assets.map((asset) => ({
      symbol: asset.symbol,
      ticker: tickerOf(asset.symbol),
      fills: asset.fills,
      volume: attoText(asset.volume),
      realizedPnl: attoText(asset.realizedPnl),
      fees: attoText(asset.fees),
      funding: attoText(asset.funding),
      pnl: attoText(asset.realizedPnl - asset.fees + asset.funding),
    })),
    pairs: value.pairs.map((pair) => ({
      basketKey: pair.basketKey,
      trades: pair.closed,
      pnl: attoText(pair.won - pair.lost),
      hitRate: pair.hitRate,
      averageHoldSeconds: Math.round(pair.holdMs / Math.max(pair.closed, 1) / 1_000),
    })),
    ...(value.series === null
      ? {}
      : {
          series: value.series.map(({ start, equity, pnl, drawdown, rolling }) => ({
            date: day(start),
            equity,
            pnl,
            drawdown: figures(drawdown * 100),
            rollingSharpe: figureOrNull(rolling.sharpe),
            rollingSortino: figureOrNull(rolling.sortino),
            rollingVolatility: figureOrNull(rolling.volatility),
          })),
        }),
  };
}

function presentRisk(risk: PortfolioRisk): z.input<typeof portfolioAnalytics>['risk'] {
  const fall = risk.maxDrawdown;
  return {
    sharpe: figureOrNull(risk.sharpe),
    sortino: figureOrNull(risk.sortino),
    calmar: figureOrNull(risk.calmar),
    volatility: figureOrNull(risk.volatility),
    maxDrawdown: {
      value: fall === null ? null : attoText(fall.value),
      pct: fall === null ? null : figures(fall.share * 100),
      from: dayOrNull(fall?.from ?? null),
      to: dayOrNull(fall?.to ?? null),
      recoveredAt: dayOrNull(fall?.recoveredAt ?? null),
    },
    valueAtRisk95: figureOrNull(risk.valueAtRisk95),
    expectedShortfall95: figureOrNull(risk.expectedShortfall95),
    beta: figureOrNull(risk.beta),
    ulcerIndex: figureOrNull(risk.ulcerIndex),
  };
}

function day(epochMs: number): string {
  return iso(epochMs).slice(0, 10);
}

function dayOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : day(epochMs);
}

function figureOrNull(value: number | null): string | null {
  return value === null ? null : figures(value);
}
