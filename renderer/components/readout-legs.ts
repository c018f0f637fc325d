/** Prices of the legs beside a candle's open, high, low and close. */

export interface ReadoutLeg {
  readonly name: string;
  /** Closing price by the start of a candle, epoch seconds. */
  readonly closes: ReadonlyMap<number, number>;
  /** The present price; null: not known. */
  readonly live: number | null;
}

export interface LegPrice {
  readonly name: string;
  readonly price: number;
}

/** Of the candle that runs: of the moment to which the chart moved its close, which was read at another one. */
export function livePrices(legs: readonly ReadoutLeg[]): readonly LegPrice[] {
  return legs.flatMap(({ name, live }) => (live === null ? [] : [{ name, price: live }]));
}

/** Of a candle that has ended. */
export function closingPrices(legs: readonly ReadoutLeg[], time: number): readonly LegPrice[] {
  return legs.flatMap(({ name, closes }) => {
    const price = closes.get(time);
    return price === undefined ? [] : [{ name, price }];
  });
}
