/** Prices of the legs at the candles of their basket. */

/** Candles of a leg as they were read, by start of the candle, epoch seconds. */
export interface LegRead {
  /** Closing price by time, of candles that had ended when they were read. */
  readonly closes: ReadonlyMap<number, number>;
  /** The newest candle, with the price at the time of the read as its close; null: there is none. */
  readonly running: { readonly time: number; readonly close: number } | null;
}

export interface ReadoutLeg {
  readonly name: string;
  readonly closes: LegRead['closes'];
  /** The present price; null: not known. */
  readonly live: number | null;
}

export interface LegPrice {
  readonly name: string;
  readonly price: number;
}

/** Prices for the running candle: live ones, because the chart moves its close to the live price too. */
export function livePrices(legs: readonly ReadoutLeg[]): readonly LegPrice[] {
  return legs.flatMap(({ name, live }) => (live === null ? [] : [{ name, price: live }]));
}

/** Closing prices for a candle that has ended. */
export function closingPrices(legs: readonly ReadoutLeg[], time: number): readonly LegPrice[] {
  return legs.flatMap(({ name, closes }) => {
    const price = closes.get(time);
    return price === undefined ? [] : [{ name, price }];
  });
}

/**
 * Points of a leg's line at the basket's candles. A candle that was running at the last read and has ended since has no
 * known close: its last live price stands in until the next read.
 * @param lived live prices by time; entries whose closes are known are removed
 */
export function legPoints<Time extends number>(
  rows: readonly { readonly time: Time }[],
  { closes, running }: LegRead,
  lived: Map<number, number>,
): { readonly time: Time; readonly value: number }[] {
  // No read yet: the live prices belong to another interval.
  if (running === null) lived.clear();
  for (const time of lived.keys()) if (closes.has(time)) lived.delete(time);
  const last = rows.at(-1)?.time;
  return rows.flatMap(({ time }) => {
    const runs = time === last && time === running?.time;
    const value = closes.get(time) ?? (runs ? running.close : lived.get(time));
    return value === undefined ? [] : [{ time, value }];
  });
}
