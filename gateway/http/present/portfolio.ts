import type { z } from 'zod';
import type { portfolio, portfolioAnalytics } from '../../contract/portfolio.ts';
import { type AccountLedger, type Result, resultOf } from '../../domain/account-ledger.ts';
import { type Atto, attoText } from '../../domain/atto.ts';
import { figures } from '../../domain/figures.ts';
import type { PortfolioOverview } from '../../engine/portfolio/portfolio.ts';
import type {
  DayChange,
  PortfolioAnalytics,
  PortfolioRisk,
} from '../../engine/portfolio/portfolio-analytics.ts';
import { iso } from './time.ts';

export function presentPortfolio(
  { ledger, now: _, equity, balance, deposits, ...value }: PortfolioOverview,
  {
    includeLedger,
    day,
    holdings,
  }: Pick<z.input<typeof portfolio>, 'holdings'> & {
    readonly includeLedger: boolean;
    readonly day: DayChange | null | undefined;
  },
): z.input<typeof portfolio> {
  return {
    ...value,
    equity: attoOrNull(equity),
    balance: attoOrNull(balance),
    deposits: attoOrNull(deposits),
    ...(includeLedger ? { ledger: deposits === null ? null : presentLedger(ledger, deposits) } : {}),
    ...(day === undefined ? {} : { day: day === null ? null : { ...day, start: iso(day.start) } }),
    ...(holdings === undefined ? {} : { holdings }),
    buckets: value.buckets.map(({ start, end, ...sums }) => ({ start: iso(start), end: iso(end), ...sums })),
  };
}

function presentLedger(
  { total, sources, instruments, baskets, unassigned }: AccountLedger,
  deposits: Atto,
): NonNullable<z.input<typeof portfolio>['ledger']> {
  return {
    equity: attoText(deposits + resultOf(total)),
    deposits: attoText(deposits),
    ...presentResult(total),
    sources: (['gateway', 'external'] as const).map((source) => ({
      source,
      ...presentResult(sources[source]),
    })),
    instruments: instruments.map((instrument) => ({
      symbol: instrument.symbol,
      ...presentResult(instrument),
    })),
    baskets: baskets.map((basket) => ({
      basketKey: basket.basketKey,
      closedPnl: attoText(basket.closedPnl),
      ...presentResult(basket),
      pnl: attoText(basket.closedPnl + resultOf(basket)),
    })),
    unassigned: {
      closedPnl: attoText(unassigned.closedPnl),
      unrealizedPnl: attoText(unassigned.unrealizedPnl),
      pnl: attoText(unassigned.closedPnl + unassigned.unrealizedPnl),
    },
  };
}

function presentResult(result: Result) {
  return {
    realizedPnl: attoText(result.realizedPnl),
    fees: attoText(result.fees),
    funding: attoText(result.funding),
    unrealizedPnl: attoText(result.unrealizedPnl),
    pnl: attoText(resultOf(result)),
  };
}

function attoOrNull(amount: Atto | null): string | null {
  return amount === null ? null : attoText(amount);
}

export function presentAnalytics(
  value: PortfolioAnalytics,
  tickerOf: (symbol: string) => string,
): z.input<typeof portfolioAnalytics> {
  return {
    risk: presentRisk(value.risk),
    basis: value.basis,
    sampledSince: value.sampledSince === null ? null : iso(value.sampledSince),
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
          series: value.series.map(({ start, drawdown, rolling, ...money }) => ({
            date: day(start),
            ...money,
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
