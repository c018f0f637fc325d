/**
 * Baskets as the market lists them. A basket is a set of sided instruments: weights are no part of its key, so the market
 * shows every basket at canonical weights: half of the gross notional on each side (all of it where there is one side
 * only), split equally among the legs of a side.
 */
import type { Side } from './model.ts';

export interface BasketLeg {
  /** Instrument ID. */
  readonly symbol: string;
  readonly side: Side;
}

/** A basket that was once opened, or saved, on this gateway. Its legs are in canonical order. */
export interface MaterializedBasket {
  readonly connector: string;
  readonly basketKey: string;
  readonly legs: readonly BasketLeg[];
  readonly createdAt: number;
}

/**
 * Number of times that a trader opened a basket on a venue; added to the recorded count, which never falls.
 */
export interface BasketOpens {
  readonly basketKey: string;
  readonly connector: string;
  readonly userId: string;
  readonly opened: number;
}

export interface BasketCount {
  readonly basketKey: string;
  /** Number of times that the basket was ever opened. */
  readonly opened: number;
  /** Distinct traders, each counted once per venue. */
  readonly traders: number;
}

/** Longs before shorts, each side by id in code-unit order: the order of the text behind the basket key. */
export function canonicalLegs(legs: readonly BasketLeg[]): readonly BasketLeg[] {
  return legs
    .map(({ symbol, side }) => ({ symbol, side }))
    .sort((a, b) => (a.side === b.side ? (a.symbol < b.symbol ? -1 : 1) : a.side === 'BUY' ? -1 : 1));
}

/** `BTC+SOL/ETH`: longs before the stroke, shorts behind it. @param tickers of the legs, in their order */
export function displaySymbol(legs: readonly BasketLeg[], tickers: readonly string[]): string {
  const of = (side: Side) => tickers.filter((_, index) => legs[index]?.side === side).join('+');
  const shorts = of('SELL');
  return shorts === '' ? of('BUY') : `${of('BUY')}/${shorts}`;
}
