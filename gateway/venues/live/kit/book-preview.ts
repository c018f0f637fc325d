/** Estimates the fill of a liquidity-taking order from a venue's book. Nothing here asks or places anything. */
import { dec, sum, text, textRounded, ZERO } from '../../../domain/decimal.ts';
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { Side } from '../../../domain/model.ts';
import type { VenueBook } from '../../../domain/order-book.ts';
import type { ExpectedOrder } from '../../../engine/ports/venue.ts';
import type { Units } from './symbols.ts';

/** Price and quantity, as the venue counts them. */
export interface Level {
  readonly price: string;
  readonly quantity: string;
}

export interface BookSide {
  /** Best price first. */
  readonly levels: readonly Level[];
  /** The venue sends the best levels only, and there may be more. */
  readonly isCut: boolean;
}

export interface TakenBook {
  readonly bids: BookSide;
  readonly asks: BookSide;
}

export function sideFor(book: TakenBook, side: Side): BookSide {
  return side === 'BUY' ? book.asks : book.bids;
}

/** True: the best bid is not below the best ask. Such a book was put together wrongly and is useless. */
export function isCrossed({ bids, asks }: TakenBook): boolean {
  const [bid, ask] = [bids.levels[0]?.price, asks.levels[0]?.price];
  return bid !== undefined && ask !== undefined && dec(bid).gte(ask);
}

/** @param order and the answer in our units, `book` in the venue's */
export function previewOf(order: ExpectedOrder, { levels, isCut }: BookSide, units: Units): BookPreview {
  const isBuy = order.side === 'BUY';
  const trades: Level[] = [];
  let left = dec(order.quantity);
  let depth = ZERO;
  for (const level of levels) {
    const price = dec(units.priceToOurs(level.price));
    if (isBuy ? price.gt(order.limitPrice) : price.lt(order.limitPrice)) {
      return { trades, depthUsd: textRounded(depth, 6) };
    }
    const offered = dec(units.quantityToOurs(level.quantity));
    depth = depth.plus(price.mul(offered));
    const taken = offered.lt(left) ? offered : left;
    if (taken.gt(0)) trades.push({ price: text(price), quantity: text(taken) });
    left = left.minus(taken);
  }
  return { trades, depthUsd: textRounded(depth, 6), isPartial: isCut };
}

/** The best `count` levels of each side in our units. */
export function shownBook({ bids, asks }: TakenBook, count: number, units: Units): VenueBook {
  const ours = ({ levels }: BookSide) =>
    levels.slice(0, count).map(({ price, quantity }) => ({
      price: units.priceToOurs(price),
      quantity: units.quantityToOurs(quantity),
    }));
  return { bids: ours(bids), asks: ours(asks) };
}

/** True: the order may exceed the known part of the book. */
export function wantsMore({ quantity }: ExpectedOrder, { trades, isPartial }: BookPreview): boolean {
  return isPartial === true && sum(trades.map((trade) => dec(trade.quantity))).lt(quantity);
}

/**
 * Extends the fine levels of a side by its coarse levels. Quantity in the fine levels is taken off the best coarse
 * ones, so that the venue's rounding of a step's price does not matter; none of the added levels is better than the
 * last fine one.
 */
export function continued(fine: BookSide, coarse: BookSide, side: Side): BookSide {
  let known = sum(fine.levels.map(({ quantity }) => dec(quantity)));
  const last = dec(fine.levels.at(-1)?.price ?? 0);
  const beyond = coarse.levels.flatMap(({ price, quantity }): readonly Level[] => {
    const rest = dec(quantity).minus(known);
    if (rest.lte(0)) {
      known = rest.neg();
      return [];
    }
    known = ZERO;
    const isBetter = side === 'BUY' ? last.gt(price) : last.lt(price);
    return [{ price: isBetter ? text(last) : price, quantity: text(rest) }];
  });
  return { levels: [...fine.levels, ...beyond], isCut: coarse.isCut };
}
