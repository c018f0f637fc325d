/** Lays recorded candles over the price process: the mid of a recorded instrument follows its candles while they last. */
import type { PremiumProcess } from './premium-process.ts';
import type { PriceProcess } from './price-process.ts';
import type { ReplaySource } from './replay.ts';

interface RecordedInstrument {
  readonly i: number;
  readonly symbol: string;
  readonly end: number;
}

export class ReplayTracks {
  /** Market time at which the earliest candle opens. */
  startAt: number;
  private readonly source: ReplaySource | undefined;
  private readonly recorded: readonly RecordedInstrument[];

  /** A candle's symbol may be a ticker or an instrument id; candles of other symbols are ignored. */
  constructor(source: ReplaySource | undefined, tickers: readonly string[], startAt: number) {
    this.source = source;
    this.startAt = startAt;
    this.recorded = (source?.symbols ?? []).flatMap((symbol) => {
      const i = tickers.findIndex((ticker) => symbol === ticker || symbol === `${ticker}-PERP`);
      const end = source?.endOf(symbol);
      return i < 0 || end === undefined ? [] : [{ i, symbol, end }];
    });
  }

  /**
   * Sets the prices of the recorded instruments after the process moved from `from` to `at`. When its recording ends,
   * an instrument is set to the last close, and the price process continues from there.
   */
  apply(from: number, at: number, prices: PriceProcess, premium: PremiumProcess): void {
    for (const { i, symbol, end } of this.recorded) {
      if (from - this.startAt >= end) continue;
      const price = this.source?.priceAt(symbol, Math.min(at - this.startAt, end));
      if (price !== undefined) prices.place(i, Math.log(price) - (premium.basis[i] ?? 0));
    }
  }
}
