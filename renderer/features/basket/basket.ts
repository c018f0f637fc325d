/** A basket under construction: its legs by side, with weights that are whole millionths of its gross notional. */
import { deriveBasketKey } from '../../../gateway/contract/basket-key.ts';
import type { BasketLink } from '../basket-link/basket-link.ts';
import { millionthsOf, normalise, ONE, percentText, weightNumber } from '../basket-weights/basket-weights.ts';

export type Side = 'BUY' | 'SELL';

export interface BasketLeg {
  /** Instrument id (`BTC-PERP`), never the ticker. */
  readonly id: string;
  readonly side: Side;
  /** Millionths of the whole basket. */
  readonly weight: number;
}

export interface Basket {
  readonly legs: readonly BasketLeg[];
  /** False: weights follow the legs, half for each side and equal within a side. True: the trader has set a weight. */
  readonly isWeighted: boolean;
}

export const MAX_LEGS = 20;
export const EMPTY_BASKET: Basket = { legs: [], isWeighted: false };

/** Sum of the weights, millionths. */
export function weightSum(legs: readonly Pick<BasketLeg, 'weight'>[]): number {
  return legs.reduce((sum, leg) => sum + leg.weight, 0);
}

export function legsOn(basket: Basket, side: Side): readonly BasketLeg[] {
  return basket.legs.filter((leg) => leg.side === side);
}

/** Longs, then shorts, in the gateway's order. */
export function inOrder(basket: Basket): readonly BasketLeg[] {
  return [...legsOn(basket, 'BUY'), ...legsOn(basket, 'SELL')];
}

/** Adds a leg. A basket that has the instrument already, or twenty legs, stays as it is. */
export function addLeg(basket: Basket, id: string, side: Side): Basket {
  if (basket.legs.length >= MAX_LEGS || basket.legs.some((leg) => leg.id === id)) return basket;
  const legs = (weight: number) => [...basket.legs, { id, side, weight }];
  if (!basket.isWeighted) return equalBasket(legs(0));
  const missing = ONE - weightSum(basket.legs);
  return { ...basket, legs: legs(missing > 0 ? missing : Math.round(ONE / (basket.legs.length + 1))) };
}

export function removeLeg(basket: Basket, id: string): Basket {
  const legs = basket.legs.filter((leg) => leg.id !== id);
  if (legs.length === 0) return EMPTY_BASKET;
  return basket.isWeighted ? { ...basket, legs } : equalBasket(legs);
}

export function setWeight(basket: Basket, id: string, weight: number): Basket {
  return { isWeighted: true, legs: basket.legs.map((leg) => (leg.id === id ? { ...leg, weight } : leg)) };
}

export function moveLeg(basket: Basket, id: string): Basket {
  const legs = basket.legs.map((leg) => (leg.id === id ? { ...leg, side: otherSide(leg.side) } : leg));
  return basket.isWeighted ? { ...basket, legs } : equalBasket(legs);
}

/** Longs become shorts and the other way round. */
export function swapSides(basket: Basket): Basket {
  return { ...basket, legs: basket.legs.map((leg) => ({ ...leg, side: otherSide(leg.side) })) };
}

function otherSide(side: Side): Side {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

/** Half of the basket for each side, with equal legs within a side. */
export function equalBasket(legs: readonly BasketLeg[]): Basket {
  return inHalves(
    false,
    legs,
    legs.map((leg) => ({ ...leg, weight: 1 })),
  );
}

/** Gives each leg the same notional. If that is also half for each side, weights follow the legs from then on. */
export function equalLegs(basket: Basket): Basket {
  const halves = equalBasket(basket.legs);
  const [first] = halves.legs;
  if (first === undefined || halves.legs.every(({ weight }) => Math.abs(weight - first.weight) <= 1))
    return halves;
  return normalised({ isWeighted: true, legs: basket.legs.map((leg) => ({ ...leg, weight: 1 })) });
}

/** Scales the weights to a sum of exactly `ONE`. */
export function normalised(basket: Basket): Basket {
  const weights = normalise(basket.legs.map((leg) => leg.weight));
  return withWeights(basket.isWeighted, basket.legs, basket.legs, weights);
}

/** Equal notional long and short, with the proportions within each side kept. A single side is normalised. */
export function balanced(basket: Basket): Basket {
  return inHalves(true, basket.legs, basket.legs);
}

/** Exactly half for each side, legs in the proportions of `from`; a single side gets the whole. */
function inHalves(isWeighted: boolean, legs: readonly BasketLeg[], from: readonly BasketLeg[]): Basket {
  const sides = (['BUY', 'SELL'] as const).map((side) => from.filter((leg) => leg.side === side));
  const total = sides.every((own) => own.length > 0) ? ONE / 2 : ONE;
  const weights = sides.flatMap((own) =>
    normalise(
      own.map((leg) => leg.weight),
      total,
    ),
  );
  return withWeights(isWeighted, legs, sides.flat(), weights);
}

/** @param weights of the legs in `from`, by index */
function withWeights(
  isWeighted: boolean,
  legs: readonly BasketLeg[],
  from: readonly BasketLeg[],
  weights: readonly number[],
): Basket {
  const byId = new Map(from.map((leg, index) => [leg.id, weights[index] ?? 0]));
  return { isWeighted, legs: legs.map((leg) => ({ ...leg, weight: byId.get(leg.id) ?? 0 })) };
}

/** Basket of legs without weights. */
export function bareBasket(legs: readonly Pick<BasketLeg, 'id' | 'side'>[]): Basket {
  return equalBasket(legs.map(({ id, side }) => ({ id, side, weight: 0 })));
}

/** The basket with new weights. @param weights decimals in the gateway's order of legs (`inOrder`), which sum to 1 */
export function weighed(basket: Basket, weights: readonly string[]): Basket {
  const millionths = normalise(weights.map((weight) => Math.round(Number(weight) * ONE)));
  return withWeights(true, basket.legs, inOrder(basket), millionths);
}

/**
 * True: two baskets of the same legs have the same weights up to rounding. The remainder goes to several legs here but
 * to one leg at the gateway, which is less than a millionth per leg.
 */
export function isWeighedAlike(a: Basket, b: Basket): boolean {
  return a.legs.every(({ weight }, index) => Math.abs(weight - (b.legs[index]?.weight ?? 0)) < a.legs.length);
}

/**
 * Basket from saved legs. Weights finer than a millionth are rounded here; the saved basket keeps its exact weights.
 */
export function savedBasket(
  legs: readonly { readonly symbol: string; readonly side: Side; readonly weight: number }[],
): Basket {
  return {
    isWeighted: true,
    legs: legs.map(({ symbol, side, weight }) => ({
      id: symbol,
      side,
      weight: millionthsOf(weight).millionths,
    })),
  };
}

/** Basket of a position, with its target weights. @param legs their `targetWeight` are decimals */
export function heldBasket(
  legs: readonly { readonly symbol: string; readonly side: Side; readonly targetWeight: string }[],
): Basket {
  // Separate rounding of weights finer than a millionth may miss the sum of 1, and no link accepts that.
  return normalised(
    savedBasket(
      legs.map(({ symbol, side, targetWeight }) => ({ symbol, side, weight: Number(targetWeight) })),
    ),
  );
}

/** Basket from the address of the Trade screen. */
export function basketOf({ long, short, weights }: BasketLink): Basket {
  const bare = bareBasket([
    ...long.map((id) => ({ id, side: 'BUY' as const })),
    ...short.map((id) => ({ id, side: 'SELL' as const })),
  ]);
  return weights === undefined ? bare : withWeights(true, bare.legs, bare.legs, weights);
}

/** Basket for the address of the Trade screen. */
export function linkOf(basket: Basket): BasketLink {
  const ids = (side: Side) => legsOn(basket, side).map(({ id }) => id);
  const link = { long: ids('BUY'), short: ids('SELL') };
  return basket.isWeighted ? { ...link, weights: inOrder(basket).map(({ weight }) => weight) } : link;
}

/** Exact decimal for the gateway: 250000 → "0.25". */
export function weightText(millionths: number): string {
  return String(weightNumber(millionths));
}

/** The legs in the form of every order route. */
export function tradeLegs(basket: Basket) {
  return inOrder(basket).map(({ id, side, weight }) => ({
    symbol: id,
    side,
    mode: 'WEIGHT' as const,
    amount: weightText(weight),
  }));
}

/** Key of the basket, equal at every venue and independent of weights. null: the basket has no legs. */
export function keyOfBasket(basket: Basket): string | null {
  if (basket.legs.length === 0) return null;
  const { long, short } = linkOf(basket);
  return deriveBasketKey(long, short);
}

/** Reason why the basket cannot be sent, in words; null: it can. */
export function basketFault(basket: Basket): string | null {
  if (basket.legs.length === 0) return 'Add at least one leg.';
  if (basket.legs.some((leg) => leg.weight === 0)) return 'Every leg needs a weight above 0 %.';
  const sum = weightSum(basket.legs);
  if (sum === ONE) return null;
  return `Weights add up to ${percentText(sum)} %, not 100 %. “Scale to 100 %” keeps their proportions.`;
}
