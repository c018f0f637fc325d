/** The screener: computed figures of all pairs with present funding and volume, filtered, sorted and paged. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import { COINTEGRATED_P } from '../../contract/cointegrated.ts';
import type { AnswerOf } from '../../contract/route.ts';
import { getScreener, type ScreenOrder } from '../../contract/screener.ts';
import { tradedHedge } from '../../contract/traded-hedge.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import { figures } from '../../domain/figures.ts';
import type { Market } from '../../market/market.ts';
import {
  SCREEN_HOURS,
  type Screen,
  type ScreenedPair,
  type Screener,
} from '../../market/screener/screener.ts';
import { isoOrNull } from '../present/time.ts';

const HOURS_A_YEAR = 24 * 365;

type ScreenerMarket = Pick<Market, 'has' | 'instrument' | 'funding' | 'stats'>;
type Pair = AnswerOf<typeof getScreener>['pairs'][number];

interface Now {
  readonly symbol: string;
  /** Funding rate an hour; NaN: not known. */
  readonly rate: number;
  /** USD; NaN: not known. */
  readonly volume: number;
}

/** A pair with its present figures. */
interface Live {
  readonly pair: ScreenedPair;
  readonly first: Now;
  readonly second: Now;
  readonly carry: number;
  readonly volume: number;
}

const SORTED: Readonly<Record<Exclude<ScreenOrder, `-${string}`>, (live: Live) => number>> = {
  correlation: ({ pair }) => pair.correlation,
  pValue: ({ pair }) => pair.pValue,
  zScore: ({ pair }) => pair.zScore,
  absZScore: ({ pair }) => Math.abs(pair.zScore),
  halfLifeHours: ({ pair }) => pair.halfLife,
  carryApr: ({ carry }) => carry,
  volume24h: ({ volume }) => volume,
};

export function screenerRoutes(deps: {
  readonly market: ScreenerMarket;
  readonly screener: Pick<Screener, 'of'>;
}): readonly BoundRoute[] {
  const { market, screener } = deps;
  return [
    bind(getScreener, ({ query }) => {
      const { connector, limit, offset } = query;
      if (!market.has(connector)) throw invalid('connector', 'Unknown connector');
      const { screen, progress, error } = screener.of(connector);
      const selected = screen === null ? [] : select(market, connector, screen, query);
      return {
        body: {
          connector,
          asOf: isoOrNull(screen?.asOf ?? null),
          computedAt: isoOrNull(screen?.computedAt ?? null),
          progress: progress === null ? null : { ...progress },
          error,
          lookbackHours: SCREEN_HOURS,
          instruments: screen?.instruments.length ?? 0,
          limit,
          offset,
          count: selected.length,
          cointegrated: selected.filter(isCointegrated).length,
          pairs: selected.slice(offset, offset + limit).map(present),
        },
      };
    }),
  ];
}

function select(
  market: ScreenerMarket,
  connector: string,
  screen: Screen,
  asked: {
    readonly search?: string | undefined;
    readonly maxPValue?: number | undefined;
    readonly minAbsZScore?: number | undefined;
    readonly orderBy: ScreenOrder;
    readonly cointegratedFirst: boolean;
  },
): readonly Live[] {
  const now = new Map(screen.instruments.map((id) => [id, nowOf(market, connector, id)]));
  const { maxPValue = Number.POSITIVE_INFINITY, minAbsZScore = 0, orderBy } = asked;
  const isFound = finder(asked.search ?? '');
  const lives = screen.pairs.flatMap((pair) => {
    const [first, second] = [now.get(pair.first), now.get(pair.second)];
    if (first === undefined || second === undefined) return [];
    if (asked.maxPValue !== undefined && !(pair.pValue <= maxPValue)) return [];
    if (asked.minAbsZScore !== undefined && !(Math.abs(pair.zScore) >= minAbsZScore)) return [];
    if (!isFound(`${pair.first} ${first.symbol}`, `${pair.second} ${second.symbol}`)) return [];
    return [liveOf(pair, first, second)];
  });
  const isDescending = orderBy.startsWith('-');
  const value = SORTED[(isDescending ? orderBy.slice(1) : orderBy) as keyof typeof SORTED];
  const sign = isDescending ? -1 : 1;
  const isFirst = asked.cointegratedFirst ? isCointegrated : () => true;
  return lives
    .map((live) => ({ live, key: value(live), isFirst: isFirst(live) }))
    .sort((a, b) => {
      if (a.isFirst !== b.isFirst) return a.isFirst ? -1 : 1;
      if (Number.isNaN(a.key) || Number.isNaN(b.key))
        return Number(Number.isNaN(a.key)) - Number(Number.isNaN(b.key));
      return sign * (a.key - b.key);
    })
    .map(({ live }) => live);
}

/** Without a p-value nothing is shown. */
function isCointegrated({ pair }: Live): boolean {
  return pair.pValue <= COINTEGRATED_P;
}

/** True: the names of both legs have the searched parts, in either order; one part: any leg. */
function finder(search: string): (first: string, second: string) => boolean {
  const [one = '', other] = search
    .toLowerCase()
    .split(/[/\s]+/)
    .filter((part) => part !== '');
  return (first, second) => {
    const [a, b] = [first.toLowerCase(), second.toLowerCase()];
    if (other === undefined) return a.includes(one) || b.includes(one);
    return (a.includes(one) && b.includes(other)) || (b.includes(one) && a.includes(other));
  };
}

function nowOf(market: ScreenerMarket, connector: string, id: string): Now {
  const funding = market.funding(connector, id);
  return {
    symbol: market.instrument(connector, id)?.symbol ?? id,
    rate: funding === undefined ? Number.NaN : Number(funding.rate) / funding.intervalHours,
    volume: Number(market.stats(connector, id)?.volume24h ?? Number.NaN),
  };
}

function liveOf(pair: ScreenedPair, first: Now, second: Now): Live {
  const hedge = tradedHedge(pair.hedgeRatio) ?? 1;
  const received = ((hedge * second.rate - first.rate) / (1 + hedge)) * HOURS_A_YEAR;
  return {
    pair,
    first,
    second,
    carry: directionOf(pair) === 'SHORT_FIRST' ? -received : received,
    volume: first.volume < second.volume ? first.volume : second.volume,
  };
}

function directionOf({ zScore }: ScreenedPair): Pair['direction'] {
  if (zScore > 0) return 'SHORT_FIRST';
  return zScore < 0 ? 'LONG_FIRST' : null;
}

function present({ pair, first, second, carry, volume }: Live): Pair {
  return {
    first: { id: pair.first, symbol: first.symbol },
    second: { id: pair.second, symbol: second.symbol },
    observations: pair.observations,
    correlation: figureOf(pair.correlation),
    hedgeRatio: figureOf(pair.hedgeRatio),
    zScore: figureOf(pair.zScore),
    halfLifeHours: figureOf(pair.halfLife),
    statistic: figureOf(pair.statistic),
    pValue: figureOf(pair.pValue),
    direction: directionOf(pair),
    carryApr: figureOf(carry),
    volume24h: figureOf(volume),
    sparkline: pair.sparkline.map((one) => figures(Number(one.toFixed(3)))),
  };
}

function figureOf(value: number): DecimalString | null {
  return Number.isFinite(value) ? figures(value) : null;
}
