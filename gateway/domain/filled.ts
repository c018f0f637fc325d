/** Filled quantities and values of a plan's legs: of a trigger, a rung, a ladder or a schedule. */
import { Decimal, type DecimalString, dec, sum, text, textRounded } from './decimal.ts';
import type { Order, Side } from './model.ts';

export interface FilledLeg {
  readonly symbol: string;
  /** Side of the orders. */
  readonly side: Side;
  /** Base units. */
  readonly quantity: DecimalString;
  /** USD: quantity × average fill price. */
  readonly notional: DecimalString;
}

/** The legs of an execution with their fills so far; '0' where nothing has filled. */
export function filledLegs(
  orders: readonly Pick<Order, 'symbol' | 'side' | 'filledQuantity' | 'averagePrice'>[],
): readonly FilledLeg[] {
  return orders.map(({ symbol, side, filledQuantity, averagePrice }) => ({
    symbol,
    side,
    quantity: filledQuantity,
    notional: textRounded(dec(filledQuantity).mul(averagePrice ?? 0), 18),
  }));
}

export function hasFilled(filled: readonly FilledLeg[]): boolean {
  return filled.some(({ quantity }) => quantity !== '0');
}

/**
 * Quantity of a fill that its unwinding has closed again, base units. The unwinding order also takes in what was traded
 * outside Tandem against the basket, which is no part of it.
 */
export function unwoundOf(
  filledQuantity: DecimalString,
  { filledQuantity: closed }: Pick<Order, 'filledQuantity'>,
) {
  return Decimal.min(filledQuantity, closed);
}

/** The legs less their unwound quantity, at their fill prices. */
export function lessUnwound(
  filled: readonly FilledLeg[],
  unwind: readonly Pick<Order, 'symbol' | 'filledQuantity'>[],
): readonly FilledLeg[] {
  return filled.map((leg) => {
    const order = unwind.find(({ symbol }) => symbol === leg.symbol);
    if (order === undefined || leg.quantity === '0') return leg;
    const left = dec(leg.quantity).minus(unwoundOf(leg.quantity, order));
    const notional = textRounded(dec(leg.notional).mul(left).div(leg.quantity), 18);
    return { ...leg, quantity: text(left), notional };
  });
}

/** The legs with one more fill of their orders. */
export function withFill(
  filled: readonly FilledLeg[],
  {
    symbol,
    side,
    quantity,
    price,
  }: Pick<FilledLeg, 'symbol' | 'side' | 'quantity'> & { readonly price: string },
): readonly FilledLeg[] {
  const notional = textRounded(dec(quantity).mul(price), 18);
  return sumOfFilled([filled, [{ symbol, side, quantity, notional }]]);
}

/** Sum over several executions with the same legs, for example the rungs of a ladder. */
export function sumOfFilled(all: readonly (readonly FilledLeg[])[]): readonly FilledLeg[] {
  const symbols = [...new Set(all.flat().map(({ symbol }) => symbol))];
  return symbols.flatMap((symbol) => {
    const own = all.flat().filter((leg) => leg.symbol === symbol);
    const [first] = own;
    if (first === undefined) return [];
    return [
      {
        ...first,
        quantity: text(sum(own.map(({ quantity }) => dec(quantity)))),
        notional: text(sum(own.map(({ notional }) => dec(notional)))),
      },
    ];
  });
}
