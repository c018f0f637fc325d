/** Candles and pair analytics. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  candleRange,
  getPairAnalytics,
  listBasketCandles,
  listCandles,
  maxBasketCandles,
} from '../../contract/candles.ts';
import type { AnswerOf } from '../../contract/route.ts';
import type { Candle } from '../../domain/candle.ts';
import { type CandleInterval, INTERVAL_MS } from '../../domain/candle-intervals.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import { figures } from '../../domain/figures.ts';
import { mackinnonP } from '../../domain/pair-screen.ts';
import { type PairStatistics, pairStatistics } from '../../domain/pair-statistics.ts';
import type { CandleHistory, ClosingPrices, MarketData } from '../../engine/ports/market.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { RatioHistory } from '../../market/ratio-history.ts';
import { iso, isoOrNull } from '../present/time.ts';
import { checkListed } from './listed.ts';
import { LOOKBACKS, stepMs } from './lookbacks.ts';

const HOUR_MS = 3_600_000;

export function candleRoutes(deps: {
  readonly candles: CandleHistory;
  readonly ratioHistory: RatioHistory;
  readonly market: MarketData & { has(connector: string): boolean };
  readonly clock: Pick<Clock, 'now'>;
}): readonly BoundRoute[] {
  const { candles, ratioHistory, market, clock } = deps;

  return [
    bind(listCandles, async ({ query }) => {
      const { connector, symbol, interval } = query;
      checkListed(market, connector, 'symbol', [symbol]);
      const { from, to } = candleRange(query, clock.now());
      const found = await candles.candles({ connector, symbol, interval }, from, to);
      return { body: { candles: present(found, interval, clock.now()) } };
    }),

    bind(listBasketCandles, async ({ query }) => {
      const { connector, metric, interval, long = [], short = [], weights } = query;
      checkListed(market, connector, 'long', long);
      checkListed(market, connector, 'short', short);
      const legs = [
        ...long.map((symbol) => ({ symbol, side: 'BUY' as const })),
        ...short.map((symbol) => ({ symbol, side: 'SELL' as const })),
      ].map((leg, index) => ({ ...leg, weight: weights?.[index] ?? '1' }));
      const { from, to } = candleRange(query, clock.now(), maxBasketCandles(legs.length));
      const found = await ratioHistory({ connector, metric, interval, legs, from, to });
      return { body: { candles: present(found, interval, clock.now()) } };
    }),

    bind(getPairAnalytics, async ({ query }) => {
      const { connector, long, short, lookback } = query;
      checkListed(market, connector, 'long', [long]);
      checkListed(market, connector, 'short', [short]);
      const { every, ms } = LOOKBACKS[lookback];
      const to = clock.now();
      const closes = await candles.closes({ connector, symbols: [long, short], every, from: to - ms, to });
      const pair = pairStatistics(
        closes.map(({ prices }) => Number(prices[0])),
        closes.map(({ prices }) => Number(prices[1])),
      );
      return {
        body: {
          connector,
          long,
          short,
          lookback,
          interval: every,
          tradeability: {
            long: tradeabilityOf(market, connector, long),
            short: tradeabilityOf(market, connector, short),
          },
          ...presentPair(closes, pair, stepMs(lookback)),
        },
      };
    }),
  ];
}

function present(
  candles: readonly Candle[],
  interval: CandleInterval,
  now: number,
): AnswerOf<typeof listCandles>['candles'] {
  return candles.map(({ start, open, high, low, close }) => ({
    start: iso(start),
    open,
    high,
    low,
    close,
    isComplete: start + INTERVAL_MS[interval] <= now,
  }));
}

function tradeabilityOf(market: Pick<MarketData, 'instrument'>, connector: string, symbol: string) {
  const { status, reason } = market.instrument(connector, symbol)?.tradeability ?? {
    status: 'not_tradable' as const,
    reason: 'not listed',
  };
  return { status, reason };
}

type PairBody = Omit<
  AnswerOf<typeof getPairAnalytics>,
  'connector' | 'long' | 'short' | 'lookback' | 'interval' | 'tradeability'
>;

function presentPair(
  closes: readonly ClosingPrices[],
  pair: PairStatistics | null,
  stepMs: number,
): PairBody {
  const cointegration = pair?.cointegration ?? null;
  const halfLife = pair?.halfLife ?? null;
  const deviation = pair?.spreadDeviation ?? null;
  return {
    from: isoOrNull(closes[0]?.at ?? null),
    to: isoOrNull(closes.at(-1)?.at ?? null),
    observations: closes.length,
    reason: pair === null ? 'TOO_FEW_OBSERVATIONS' : pair.gap,
    correlation: figureOf(pair?.correlation),
    beta: figureOf(pair?.beta),
    hedgeRatio: figureOf(pair?.hedgeRatio),
    spreadDeviation: figureOf(deviation),
    zScore: figureOf(pair?.zScore),
    halfLifeHours: figureOf(halfLife === null ? null : (halfLife * stepMs) / HOUR_MS),
    halfLifeReason: pair?.halfLifeGap ?? null,
    cointegration:
      cointegration === null
        ? null
        : {
            test: 'ENGLE_GRANGER',
            statistic: figures(cointegration.statistic),
            lags: cointegration.lags,
            criticalValues: {
              '0.01': figures(cointegration.criticalValues['0.01']),
              '0.05': figures(cointegration.criticalValues['0.05']),
              '0.1': figures(cointegration.criticalValues['0.1']),
            },
            pValueBand: cointegration.pValueBand,
            pValue: figures(mackinnonP(cointegration.statistic)),
          },
    history: closes.map(({ at, prices }, index) => {
      const spread = pair?.spread[index];
      return {
        time: iso(at),
        ratio: figures(Number(prices[0]) / Number(prices[1])),
        zScore: deviation === null || spread === undefined ? null : figures(spread / deviation),
      };
    }),
  };
}

function figureOf(value: number | null | undefined): DecimalString | null {
  return value === null || value === undefined ? null : figures(value);
}
