/**
 * Prices of Hyperliquid's perpetuals: all contexts (mark, oracle, funding, volumes) in one stream, the best bid and ask of
 * each instrument in one of its own.
 */
import { dec, text } from '../../../domain/decimal.ts';
import { MarketBoard } from '../kit/market-board.ts';
import type { Asset } from './listing.ts';
import type { AssetContext } from './wire.ts';

export class MarketData extends MarketBoard<Asset> {
  /** @param contexts in the order of the universe; null: not as described */
  takeContexts(contexts: readonly (AssetContext | null)[]): void {
    for (const asset of this.assets) {
      const context = contexts[asset.index] ?? null;
      if (context !== null) this.#takeContext(asset, context);
    }
    this.tellSoon();
  }

  #takeContext({ coin }: Asset, context: AssetContext): void {
    const { markPx, oraclePx, openInterest } = context;
    // A context without prices belongs to an instrument without trading: its known prices grow old.
    if (markPx === null || oraclePx === null) return;
    this.take(coin, {
      mark: markPx,
      index: oraclePx,
      mid: context.midPx,
      last: null,
      dayAgo: context.prevDayPx ?? markPx,
      funding: context.funding,
      volume: context.dayNtlVlm,
      // The venue counts open interest in its units of the coin, so that its own price gives USD.
      openInterest: openInterest === null ? null : text(dec(openInterest).mul(markPx)),
    });
  }
}
