/** A pair in one line, and weights of a basket from past prices of its legs. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { getBasketWeights, getPairSummary } from '../../contract/basket-analytics.ts';
import { basketFigures } from '../../domain/basket-stats.ts';
import { volatilitiesOf, weighings } from '../../domain/basket-weights.ts';
import { type DecimalString, dec, text } from '../../domain/decimal.ts';
import { figures } from '../../domain/figures.ts';
import type { Side } from '../../domain/model.ts';
import { screenPair } from '../../domain/pair-screen.ts';
import type { CandleHistory } from '../../engine/ports/market.ts';
import type { Clock } from '../../engine/ports/system.ts';
import type { Market } from '../../market/market.ts';
import { isoOrNull } from '../present/time.ts';
import { checkListed } from './listed.ts';
import { LOOKBACKS, stepMs } from './lookbacks.ts';

const HOUR_MS = 3_600_000;
const HOURS_A_YEAR = 24 * 365;

export function basketAnalyticsRoutes(deps: {
  readonly market: Pick<Market, 'has' | 'instrument' | 'quote' | 'funding' | 'stats'>;
  readonly candles: Pick<CandleHistory, 'closes'>;
  readonly clock: Pick<Clock, 'now'>;
}): readonly BoundRoute[] {
  const { market, candles, clock } = deps;

  async function history(connector: string, symbols: readonly string[], lookback: keyof typeof LOOKBACKS) {
    const { every, ms } = LOOKBACKS[lookback];
    const to = clock.now();
    const closes = await candles.closes({ connector, symbols, every, from: to - ms, to });
    return {
      from: closes[0]?.at ?? null,
      to: closes.at(-1)?.at ?? null,
      observations: closes.length,
      logs: symbols.map((_, leg) => closes.map(({ prices }) => Math.log(Number(prices[leg])))),
    };
  }

  return [
    bind(getPairSummary, async ({ query }) => {
      const { connector, long, short, lookback } = query;
      checkListed(market, connector, 'long', [long]);
      checkListed(market, connector, 'short', [short]);
      const { logs, to, observations } = await history(connector, [long, short], lookback);
      const pair = screenPair(Float64Array.from(logs[0] ?? []), Float64Array.from(logs[1] ?? []));
      const now = basketFigures(
        [
          { id: long, side: 'BUY' as const },
          { id: short, side: 'SELL' as const },
        ].map(({ id, side }) => ({
          side,
          quote: market.quote(connector, id),
          funding: market.funding(connector, id),
          stats: market.stats(connector, id),
        })),
      );
      const paid = now.netFunding === null ? null : dec(now.netFunding).mul(HOURS_A_YEAR);
      return {
        body: {
          connector,
          long,
          short,
          ratio: now.price,
          ratioChange24h: now.priceChange24h,
          fundingApr: {
            held: paid === null ? null : text(paid.neg()),
            reversed: paid === null ? null : text(paid),
          },
          volume24h: now.volume24h,
          openInterest: now.openInterest,
          lookback,
          observations,
          asOf: isoOrNull(to),
          correlation: figureOf(pair.correlation),
          hedgeRatio: figureOf(pair.hedgeRatio),
          zScore: figureOf(pair.zScore),
          halfLifeHours: figureOf((pair.halfLife * stepMs(lookback)) / HOUR_MS),
          pValue: figureOf(pair.pValue),
        },
      };
    }),

    bind(getBasketWeights, async ({ query }) => {
      const { connector, long = [], short = [], lookback } = query;
      checkListed(market, connector, 'long', long);
      checkListed(market, connector, 'short', short);
      const { logs, from, to, observations } = await history(connector, [...long, ...short], lookback);
      const sides = [...long.map((): Side => 'BUY'), ...short.map((): Side => 'SELL')];
      const legs = [...long, ...short].map((symbol, index) => {
        return { symbol, side: sides[index] ?? 'BUY', logs: logs[index] ?? [] };
      });
      const volatilities = volatilitiesOf(legs);
      return {
        body: {
          connector,
          lookback,
          interval: LOOKBACKS[lookback].every,
          from: isoOrNull(from),
          to: isoOrNull(to),
          observations,
          legs: legs.map(({ symbol, side }, index) => ({
            symbol,
            side,
            volatility: figureOf(volatilities[index] ?? Number.NaN),
          })),
          weightings: weighings(legs).map(({ weighting, millionths, gap, figure }) => ({
            weighting,
            weights: millionths?.map((one) => text(dec(one).div(1_000_000))) ?? null,
            reason: gap,
            figure: figureOf(figure ?? Number.NaN),
          })),
        },
      };
    }),
  ];
}

function figureOf(value: number): DecimalString | null {
  return Number.isFinite(value) ? figures(value) : null;
}
