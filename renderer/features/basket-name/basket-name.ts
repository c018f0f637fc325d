/** Displayed name of a basket: its tickers by side. */
export interface NamedLeg {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  /** Quantity that a position holds of it; left out for orders. */
  readonly quantity?: string;
}

/** Tickers of legs that a position should hold and does not, while it holds others: the hedge is incomplete. */
export function missingLegs(
  legs: readonly NamedLeg[],
  tickerOf: (symbol: string) => string,
): readonly string[] {
  const isHeld = ({ quantity }: NamedLeg) => quantity === undefined || Number(quantity) !== 0;
  return legs.some(isHeld) ? legs.filter((leg) => !isHeld(leg)).map(({ symbol }) => tickerOf(symbol)) : [];
}

export interface BasketName {
  readonly longs: readonly string[];
  readonly shorts: readonly string[];
  /** `BTC + SOL / ETH`; for a basket with one side only `BTC` or `short ETH`. */
  readonly text: string;
}

/** @param tickerOf instrument id → ticker */
export function basketName(legs: readonly NamedLeg[], tickerOf: (symbol: string) => string): BasketName {
  const ofSide = (side: NamedLeg['side']) =>
    legs.filter((leg) => leg.side === side).map(({ symbol }) => tickerOf(symbol));
  const [longs, shorts] = [ofSide('BUY'), ofSide('SELL')];
  if (longs.length === 0) return { longs, shorts, text: `short ${shorts.join(' + ')}` };
  if (shorts.length === 0) return { longs, shorts, text: longs.join(' + ') };
  return { longs, shorts, text: `${longs.join(' + ')} / ${shorts.join(' + ')}` };
}
