/** Prices of the legs at the candles of their basket. */

/** Candles of a leg as they were read. Times are starts of candles, epoch seconds. */
export interface LegRead {
  /** Closing price by time, of candles that had ended when they were read. */
  readonly closes: ReadonlyMap<number, number>;
  /** The newest one, whose close is of the moment of the read; null: there is none. */
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

/**
 * The line of a leg at the candles of its basket. Of a candle that ran when the leg was read and has ended since, the close
 * is not known until it is read anew: the last live price of its time stands for it.
 * @param lived live prices by time; those whose closes are known by now are taken out
 */
export function legPoints<Time extends number>(
  rows: readonly { readonly time: Time }[],
  { closes, running }: LegRead,
  lived: Map<number, number>,
): { readonly time: Time; readonly value: number }[] {
  // Nothing is read yet: what lived is of another interval.
  if (running === null) lived.clear();
  for (const time of lived.keys()) if (closes.has(time)) lived.delete(time);
  const last = rows.at(-1)?.time;
  return rows.flatMap(({ time }) => {
    const runs = time === last && time === running?.time;
    const value = closes.get(time) ?? (runs ? running.close : lived.get(time));
    return value === undefined ? [] : [{ time, value }];
  });
}
