/** The best levels of an instrument's order book, as they are shown. */
import { type DecimalString, dec, textRounded, ZERO } from './decimal.ts';

/** Price in USD and quantity in base units. */
export interface BookLevel {
  readonly price: DecimalString;
  readonly quantity: DecimalString;
}

/** Best price first. */
export interface VenueBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

interface SummedLevel extends BookLevel {
  /** USD offered as far as this level, itself included. */
  readonly cumulativeUsd: DecimalString;
}

const USD_PLACES = 6;
const BPS_PLACES = 4;

export function summed(levels: readonly BookLevel[]): readonly SummedLevel[] {
  let total = ZERO;
  return levels.map(({ price, quantity }) => {
    total = total.plus(dec(price).mul(quantity));
    return { price, quantity, cumulativeUsd: textRounded(total, USD_PLACES) };
  });
}

/** Best ask less best bid, in ten-thousandths of their middle; null: a side is empty. */
export function spreadBps({ bids, asks }: VenueBook): DecimalString | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined) return null;
  const middle = dec(ask).plus(bid).div(2);
  return textRounded(dec(ask).minus(bid).div(middle).mul(10_000), BPS_PLACES);
}
