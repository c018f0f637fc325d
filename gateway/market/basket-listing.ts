/**
 * `GET /markets/baskets`: the baskets that were opened or saved here, then every pair of tradable instruments, ordered or
 * each once, each part by descending 24 h volume. The list of pairs is never built: the position of each pair is
 * computed (pair-order.ts), and only the rows of the requested page are made, from present market data.
 */
import type { MaterializedBasket } from '../domain/basket.ts';
import { basketTradeability } from '../domain/basket-stats.ts';
import { dec, ZERO } from '../domain/decimal.ts';
import type { Instrument, TradeabilityStatus } from '../domain/model.ts';
import type { Unsubscribe } from '../engine/ports/system.ts';
import { type BasketMarket, type BasketRow, basketRow } from './basket-row.ts';
import type { Market } from './market.ts';
import type { MarketFilter } from './market-listing.ts';
import { PairOrder, placeAround } from './pair-order.ts';
import {
  type BasketSearch,
  basketMatches,
  basketSearch,
  namedPairs,
  nameMatches,
  type PairPlaces,
  unordered,
} from './pair-search.ts';

export interface BasketPage {
  limit: number;
  offset: number;
  /** Number of baskets on all pages. */
  count: number;
  markets: BasketRow[];
}

export interface BasketFilter extends MarketFilter {
  /** UNORDERED: a pair and its inverse are one row. Default ORDERED. */
  readonly pairs?: 'ORDERED' | 'UNORDERED' | undefined;
}

export interface BasketListing {
  page(connector: string, filter: BasketFilter): BasketPage;
  close(): void;
}

export interface BasketListingOptions {
  readonly market: BasketMarket & Pick<Market, 'onTick'>;
  /** Materialized baskets of a connector; a new array whenever a basket is added. */
  readonly materialized: (connector: string) => readonly MaterializedBasket[];
  readonly basketKey: (longIds: readonly string[], shortIds: readonly string[]) => string;
}

/** Selections kept until the ranking changes, so that a further page only has to make its rows. */
const MAX_SELECTIONS = 64;

/** Baskets and pairs that scope and search select, in listing order. */
interface Selection {
  readonly materialized: readonly MaterializedBasket[];
  readonly pairs: PairPlaces;
  /**
   * Positions, in the order of pairs, of pairs that are listed as opened or saved baskets already and must not be
   * listed twice.
   */
  readonly skipped: readonly number[];
}

/** Instruments by descending 24 h volume; valid until the next statistics arrive. */
interface Ranking {
  readonly instruments: readonly Instrument[];
  readonly materialized: readonly MaterializedBasket[];
  /** Rank of every instrument of the connector, by instrument ID. */
  readonly rankOf: ReadonlyMap<string, number>;
  readonly byId: ReadonlyMap<string, Instrument>;
  /** Tradable instruments, ranked among themselves. */
  readonly tradable: readonly Instrument[];
  readonly tradableRankOf: ReadonlyMap<string, number>;
  /** Materialized baskets in listing order. */
  readonly listed: readonly MaterializedBasket[];
  readonly selections: Map<string, Selection>;
}

export function createBasketListing(options: BasketListingOptions): BasketListing {
  const { market, materialized, basketKey } = options;
  const rankings = new Map<string, Ranking>();
  const stop: Unsubscribe = market.onTick(({ connector, stats }) => {
    if (stats.length > 0) rankings.delete(connector);
  });

  function rankingOf(connector: string): Ranking {
    const known = rankings.get(connector);
    const instruments = market.instruments(connector);
    const baskets = materialized(connector);
    if (known?.instruments === instruments && known.materialized === baskets) return known;
    const ranking = rank(market, connector, instruments, baskets);
    rankings.set(connector, ranking);
    return ranking;
  }

  function pairRow(connector: string, ranking: Ranking, { pairs, skipped }: Selection, place: number) {
    const { long, short } = pairs.at(placeAround(skipped, place));
    const [longId, shortId] = [ranking.tradable[long]?.id, ranking.tradable[short]?.id];
    if (longId === undefined || shortId === undefined) throw new RangeError(`no pair at ${place}`);
    return basketRow(market, {
      connector,
      basketKey: basketKey([longId], [shortId]),
      legs: [
        { symbol: longId, side: 'BUY' },
        { symbol: shortId, side: 'SELL' },
      ],
      isMaterialized: false,
    });
  }

  return {
    page(connector, filter) {
      const ranking = rankingOf(connector);
      const selection = selectionOf(ranking, filter);
      const first = selection.materialized.length;
      const count = first + selection.pairs.count - selection.skipped.length;
      const { limit, offset } = filter;
      const markets: BasketRow[] = [];
      for (let place = offset; place < Math.min(offset + limit, count); place += 1) {
        const basket = selection.materialized[place];
        markets.push(
          basket === undefined
            ? pairRow(connector, ranking, selection, place - first)
            : basketRow(market, { ...basket, isMaterialized: true }),
        );
      }
      return { limit, offset, count, markets };
    },
    close: stop,
  };
}

function rank(
  market: BasketMarket,
  connector: string,
  instruments: readonly Instrument[],
  materialized: readonly MaterializedBasket[],
): Ranking {
  const weighed = instruments.map((instrument) => {
    const stats = market.stats(connector, instrument.id);
    return { instrument, volume: stats === undefined ? ZERO : dec(stats.volume24h) };
  });
  weighed.sort((a, b) => b.volume.cmp(a.volume) || (a.instrument.id < b.instrument.id ? -1 : 1));
  const ranked = weighed.map(({ instrument }) => instrument);
  const tradable = ranked.filter(({ tradeability }) => tradeability.status === 'tradable');
  const rankOf = ranks(ranked);
  return {
    instruments,
    materialized,
    rankOf,
    byId: new Map(ranked.map((instrument) => [instrument.id, instrument])),
    tradable,
    tradableRankOf: ranks(tradable),
    listed: byVolume(materialized, rankOf),
    selections: new Map(),
  };
}

function ranks(instruments: readonly Instrument[]): ReadonlyMap<string, number> {
  return new Map(instruments.map(({ id }, index) => [id, index]));
}

/** A basket's volume is that of its least traded leg; a basket with an unlisted leg comes last. */
function byVolume(
  baskets: readonly MaterializedBasket[],
  rankOf: ReadonlyMap<string, number>,
): readonly MaterializedBasket[] {
  return baskets
    .map((basket) => ({
      basket,
      worst: Math.max(...basket.legs.map(({ symbol }) => rankOf.get(symbol) ?? Number.MAX_SAFE_INTEGER)),
    }))
    .sort((a, b) => a.worst - b.worst || (a.basket.basketKey < b.basket.basketKey ? -1 : 1))
    .map(({ basket }) => basket);
}

function selectionOf(ranking: Ranking, filter: BasketFilter): Selection {
  const { scope, search, pairs = 'ORDERED' } = filter;
  const key = `${pairs} ${scope} ${search?.trim().toLowerCase() ?? ''}`;
  const known = ranking.selections.get(key);
  if (known !== undefined) return known;
  const made = select(ranking, filter);
  if (ranking.selections.size >= MAX_SELECTIONS) ranking.selections.clear();
  ranking.selections.set(key, made);
  return made;
}

function select(ranking: Ranking, { scope, search, pairs: asked }: BasketFilter): Selection {
  const wanted = basketSearch(search);
  const isUnordered = asked === 'UNORDERED';
  const named = ({ symbol, side }: MaterializedBasket['legs'][number]) => {
    const { id, symbol: ticker } = ranking.byId.get(symbol) ?? { id: symbol, symbol };
    return { id, symbol: ticker, side };
  };
  const found = ranking.listed.filter(
    ({ legs }) =>
      (scope === 'all' || scope === statusOf(ranking, legs)) && basketMatches(legs.map(named), wanted),
  );
  const materialized = isUnordered ? withoutInverses(found) : found;
  // Generated pairs are of tradable instruments only, so the two other scopes have none.
  const hasPairs = scope === 'tradable' || scope === 'all';
  const tradable = hasPairs ? ranking.tradable : [];
  const pairs = pairsOf(tradable, wanted, isUnordered);
  const skipped = hasPairs ? placesOf(ranking, materialized, pairs) : [];
  return { materialized, pairs, skipped };
}

function pairsOf(tradable: readonly Instrument[], search: BasketSearch, isUnordered: boolean): PairPlaces {
  if (search.kind === 'sides' || search.kind === 'legs') return namedPairs(tradable, search, isUnordered);
  const matches =
    search.kind === 'all' ? null : tradable.map((instrument) => nameMatches(instrument, search.term));
  const order = new PairOrder(tradable.length, matches);
  return isUnordered ? unordered(order) : order;
}

/** Keeps the first of a pair and its inverse, which are listed as two baskets. */
function withoutInverses(baskets: readonly MaterializedBasket[]): readonly MaterializedBasket[] {
  const seen = new Set<string>();
  return baskets.filter(({ legs }) => {
    const [one, other] = legs;
    if (legs.length !== 2 || one === undefined || other === undefined || one.side === other.side) return true;
    const name = [one.symbol, other.symbol].sort().join(' ');
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function statusOf(ranking: Ranking, legs: MaterializedBasket['legs']): TradeabilityStatus {
  return basketTradeability(
    legs.map(({ symbol }) => ({ symbol, tradeability: ranking.byId.get(symbol)?.tradeability ?? null })),
  ).status;
}

/** Places in the ranking of pairs whose pair is listed already, as an opened or saved basket; ascending. */
function placesOf(
  ranking: Ranking,
  materialized: readonly MaterializedBasket[],
  pairs: PairPlaces,
): readonly number[] {
  return materialized
    .flatMap(({ legs }) => {
      const [first, second] = legs;
      if (legs.length !== 2 || first?.side !== 'BUY' || second?.side !== 'SELL') return [];
      const long = ranking.tradableRankOf.get(first.symbol);
      const short = ranking.tradableRankOf.get(second.symbol);
      const place = long === undefined || short === undefined ? null : pairs.placeOf({ long, short });
      return place === null ? [] : [place];
    })
    .sort((a, b) => a - b);
}
