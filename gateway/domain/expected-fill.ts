/**
 * Price that a liquidity-taking order would pay by the book now, beside the worst price that it may pay. An estimate:
 * the book moves before the order arrives.
 */
import { dec, sum, text, textRounded, ZERO } from './decimal.ts';
import type { Side } from './model.ts';

/** Liquidity in the book for one order. Prices and quantities are decimal strings. */
export interface BookPreview {
  /** Levels that the order would take, no worse than its limit, best price first. */
  readonly trades: readonly { readonly price: string; readonly quantity: string }[];
  /** USD offered as far as the limit. */
  readonly depthUsd: string;
  /** The venue reports the best levels only, and they end before the limit: there may be more. Default false. */
  readonly isPartial?: boolean;
}

export interface ExpectedFill {
  /** Base units that the book has for the order; less than its quantity: the rest would not fill. */
  readonly fillable: string;
  /** Mean fill price; null: nothing would fill. */
  readonly averagePrice: string | null;
  /** Fraction of the mark price, positive: worse than the mark; null: nothing would fill. */
  readonly slippage: string | null;
  /** The same in USD; null: nothing would fill. */
  readonly cost: string | null;
  /** USD offered as far as the worst price. */
  readonly depth: string;
  /** The known part of the book ends before the worst price: `fillable` and `depth` are at least these. */
  readonly isPartial: boolean;
}

export interface ExpectedPlan {
  /** One per leg; null: no book is known. */
  readonly legs: readonly (ExpectedFill | null)[];
  /** USD of all legs together, positive: worse than the marks; null: a leg has none. */
  readonly cost: string | null;
  /** The same as a fraction of the filled notional at the marks. */
  readonly slippage: string | null;
}

/** Price fields of an order: fills are measured against the mark price. */
export interface MeasuredLeg {
  readonly side: Side;
  /** Mark. */
  readonly price: string;
}

/** @param previews by leg; undefined or null: no book is known */
export function expectedPlan(
  legs: readonly MeasuredLeg[],
  previews: readonly (BookPreview | null | undefined)[],
): ExpectedPlan {
  const fills = legs.map((leg, index) => expectedFill(leg, previews[index] ?? null));
  const known = fills.flatMap((fill) => (fill?.cost == null ? [] : [fill]));
  if (known.length < legs.length || legs.length === 0) return { legs: fills, cost: null, slippage: null };
  const cost = sum(known.map((fill) => dec(fill.cost ?? 0)));
  const atMark = sum(fills.map((fill, index) => dec(fill?.fillable ?? 0).mul(legs[index]?.price ?? 0)));
  return { legs: fills, cost: textRounded(cost, 12), slippage: textRounded(cost.div(atMark), 12) };
}

function expectedFill({ side, price }: MeasuredLeg, preview: BookPreview | null): ExpectedFill | null {
  if (preview === null) return null;
  const { trades, depthUsd: depth, isPartial = false } = preview;
  const fillable = sum(trades.map(({ quantity }) => dec(quantity)));
  if (fillable.isZero())
    return { fillable: '0', averagePrice: null, slippage: null, cost: null, depth, isPartial };
  const paid = sum(trades.map((trade) => dec(trade.price).mul(trade.quantity)));
  const atMark = fillable.mul(price);
  const cost = side === 'BUY' ? paid.minus(atMark) : atMark.minus(paid);
  return {
    fillable: text(fillable),
    averagePrice: textRounded(paid.div(fillable), 12),
    slippage: textRounded(cost.div(atMark), 12),
    cost: textRounded(cost, 12),
    depth,
    isPartial,
  };
}

/**
 * Two orders of one side in sequence, as the halves of a reversal: the second gets the remaining liquidity.
 * @param both liquidity in the book for both together
 * @param first quantity of the first, base units
 */
export function inTurn(both: BookPreview, first: string): readonly [BookPreview, BookPreview] {
  let left = dec(first);
  let taken = ZERO;
  const halves: [{ price: string; quantity: string }[], { price: string; quantity: string }[]] = [[], []];
  for (const { price, quantity } of both.trades) {
    const own = left.lt(quantity) ? left : dec(quantity);
    const rest = dec(quantity).minus(own);
    left = left.minus(own);
    taken = taken.plus(own.mul(price));
    if (own.gt(0)) halves[0].push({ price, quantity: text(own) });
    if (rest.gt(0)) halves[1].push({ price, quantity: text(rest) });
  }
  const depthUsd = textRounded(dec(both.depthUsd).minus(taken), 6);
  return [
    { ...both, trades: halves[0] },
    { ...both, trades: halves[1], depthUsd },
  ];
}
