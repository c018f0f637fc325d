/** `GET /markets`: rows by descending 24 h volume, filtered and paged, with the connector's totals. */
import { type DecimalString, dec, sum, text, ZERO } from '../domain/decimal.ts';
import type { TradeabilityStatus } from '../domain/model.ts';
import type { MarketRow } from './market-rows.ts';

export interface MarketFilter {
  readonly scope: 'all' | TradeabilityStatus;
  /** Part of a ticker or instrument ID, any case. */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface MarketTotals {
  markets: number;
  volume24h: DecimalString;
  openInterest: DecimalString;
}

export interface MarketPage {
  markets: MarketRow[];
  totals: MarketTotals;
}

/** All rows in listing order with their totals; computed once between two changes of the market. */
export interface MarketRanking {
  readonly rows: readonly MarketRow[];
  readonly totals: MarketTotals;
}

export function rankMarkets(rows: Iterable<MarketRow>): MarketRanking {
  const weighed = Array.from(rows, (row) => ({
    row,
    volume: row.volume24h === null ? ZERO : dec(row.volume24h),
    openInterest: row.openInterest === null ? ZERO : dec(row.openInterest),
  }));
  weighed.sort((a, b) => b.volume.cmp(a.volume) || (a.row.id < b.row.id ? -1 : 1));
  return {
    rows: weighed.map((entry) => entry.row),
    totals: {
      markets: weighed.length,
      volume24h: text(sum(weighed.map((entry) => entry.volume))),
      openInterest: text(sum(weighed.map((entry) => entry.openInterest))),
    },
  };
}

export function pageOfMarkets(ranking: MarketRanking, filter: MarketFilter): MarketPage {
  const wanted = filter.search?.trim().toLowerCase() ?? '';
  const matching = ranking.rows.filter(
    (row) =>
      (filter.scope === 'all' || row.tradeability.status === filter.scope) &&
      (row.symbol.toLowerCase().includes(wanted) || row.id.toLowerCase().includes(wanted)),
  );
  return {
    markets: matching.slice(filter.offset, filter.offset + filter.limit),
    totals: ranking.totals,
  };
}
