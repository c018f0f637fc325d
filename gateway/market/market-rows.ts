/** Wire rows of market data. The shapes are those of contract/market.ts; a test parses real rows with its schemas. */
import { type DecimalString, dec, ONE, textRounded } from '../domain/decimal.ts';
import type { FundingRate, Instrument, MarketStats, Quote, Tradeability } from '../domain/model.ts';

/** Decimals of `priceChange24h`: enough for a hundredth of a basis point of a per cent, short enough to read. */
const CHANGE_PLACES = 8;

export interface MarketRow {
  id: string;
  symbol: string;
  price: DecimalString;
  priceChange24h: DecimalString;
  funding: DecimalString | null;
  volume24h: DecimalString | null;
  openInterest: DecimalString | null;
  tradeability: Tradeability;
  updatedAt: string;
}

export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** JSON text of a price row. */
export function priceText(quote: Quote): string {
  return JSON.stringify({
    id: quote.id,
    symbol: quote.symbol,
    mark: quote.mark,
    index: quote.index,
    mid: quote.mid,
    bid: quote.bid,
    ask: quote.ask,
    last: quote.last,
    price24hAgo: quote.price24hAgo,
    updatedAt: isoTime(quote.updatedAt),
  });
}

/** JSON text of a funding row. */
export function fundingText(rate: FundingRate): string {
  return JSON.stringify({
    id: rate.id,
    symbol: rate.symbol,
    rate: rate.rate,
    intervalHours: rate.intervalHours,
    nextFundingTime: isoTime(rate.nextFundingTime),
  });
}

/** mark ÷ price 24 h ago − 1, a decimal fraction; 0 when the price of 24 h ago is not known (zero). */
export function priceChange24h(quote: Quote): DecimalString {
  const before = dec(quote.price24hAgo);
  return before.isZero() ? '0' : textRounded(dec(quote.mark).div(before).minus(ONE), CHANGE_PLACES);
}

export function marketRow(
  instrument: Instrument,
  quote: Quote,
  funding: FundingRate | undefined,
  stats: MarketStats | undefined,
): MarketRow {
  return {
    id: instrument.id,
    symbol: instrument.symbol,
    price: quote.mark,
    priceChange24h: priceChange24h(quote),
    funding: funding?.rate ?? null,
    volume24h: stats?.volume24h ?? null,
    openInterest: stats?.openInterest ?? null,
    tradeability: instrument.tradeability,
    updatedAt: isoTime(quote.updatedAt),
  };
}
