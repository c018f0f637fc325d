/** Prices of Lighter's markets: the statistics of all in one stream, the best bid and ask of each in one of its own. */
import { dec, text } from '../../../domain/decimal.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import { MarketBoard } from '../kit/market-board.ts';
import type { Asset } from './listing.ts';
import type { WireStats } from './wire.ts';

/** Interval in which unchanged values are repeated while the stream speaks: it sends only changes. */
const REPEAT_MS = 2_000;

export class MarketData extends MarketBoard<Asset> {
  readonly #uptime: () => number;
  #repeatedAt = Number.NEGATIVE_INFINITY;

  constructor(connector: string, clock: Clock) {
    super(connector, clock);
    this.#uptime = () => clock.uptime();
  }

  /** @return false: one of the markets is not listed here, or has changed its identity */
  takeStats(all: readonly WireStats[]): boolean {
    const assets = new Map(this.assets.map((asset) => [asset.index, asset]));
    let areKnown = true;
    for (const stats of all) {
      const asset = assets.get(stats.market_id);
      if (asset?.listed.key === `${stats.market_id}:${stats.symbol}`) this.#takeOne(asset, stats);
      else areKnown = false;
    }
    const now = this.#uptime();
    if (now - this.#repeatedAt >= REPEAT_MS) {
      this.#repeatedAt = now;
      this.repeat();
    }
    this.tellSoon();
    return areKnown;
  }

  #takeOne(asset: Asset, stats: WireStats): void {
    const { mark_price: mark, index_price: index, last_trade_price: last } = stats;
    if (mark === null || index === null) return;
    const { current_funding_rate: rate } = stats;
    this.take(asset.listed.key, {
      mark,
      index,
      mid: stats.mid_price,
      last,
      dayAgo: dayAgo(last ?? mark, stats.daily_price_change, asset.priceDecimals),
      funding: rate === null ? null : text(dec(rate).div(100)),
      volume: stats.daily_quote_token_volume,
      openInterest: stats.open_interest,
    });
  }

  /** Latest mark in the venue's units; null: not yet. @param symbol as the venue writes it */
  markAt(index: number, symbol: string): string | null {
    return this.markOf(`${index}:${symbol}`);
  }

  /** @param isQuoted false: its best prices are not followed, so that it has no quote */
  quoteMarket(index: number, isQuoted: boolean): void {
    const asset = this.assets.find((one) => one.index === index);
    if (asset !== undefined) this.withhold(asset.listed.key, !isQuoted);
  }

  /** @param symbol as the venue writes it; prices null: nobody offers */
  takeTicker(index: number, symbol: string, bid: string | null, ask: string | null): void {
    this.takeBest(`${index}:${symbol}`, bid, ask);
  }
}

/** @param change percent */
function dayAgo(last: string, change: string | null, decimals: number): string {
  const factor = dec(change ?? '0')
    .div(100)
    .plus(1);
  if (factor.lte(0)) return last;
  return text(dec(last).div(factor).toDecimalPlaces(decimals));
}
