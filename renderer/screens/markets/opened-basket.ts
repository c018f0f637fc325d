/** A row of any of the lists as the basket that it stands for. */
import { equalWeights, millionthsOf, normalise } from '../../features/basket-weights/basket-weights.ts';

export interface WeighedLeg {
  /** Instrument id. */
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
  /** Millionths of the whole basket. */
  readonly weight: number;
}

export interface OpenedBasket {
  /** Of the row, in its list. */
  readonly key: string;
  /** Its given name; null: it has none. */
  readonly name: string | null;
  /** Longs, then shorts. */
  readonly legs: readonly WeighedLeg[];
  /** Weights that somebody gave; false: each side half, its legs alike. */
  readonly isWeighed: boolean;
}

interface Leg {
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
}

function longsFirst<L extends Leg>(legs: readonly L[]): readonly L[] {
  return [...legs.filter(({ side }) => side === 'BUY'), ...legs.filter(({ side }) => side === 'SELL')];
}

export function unweighedBasket(key: string, legs: readonly Leg[]): OpenedBasket {
  const ordered = longsFirst(legs);
  const longs = ordered.filter(({ side }) => side === 'BUY').length;
  const weights = equalWeights(longs, ordered.length - longs);
  return {
    key,
    name: null,
    legs: ordered.map(({ id, side }, index) => ({ id, side, weight: weights[index] ?? 0 })),
    isWeighed: false,
  };
}

export function weighedBasket(basket: {
  readonly id: string;
  readonly name: string;
  readonly legs: readonly {
    readonly symbol: string;
    readonly side: 'BUY' | 'SELL';
    readonly weight: number;
  }[];
}): OpenedBasket {
  const ordered = longsFirst(basket.legs.map(({ symbol, side, weight }) => ({ id: symbol, side, weight })));
  // Weights finer than a millionth are rounded here; what is saved keeps them.
  const weights = normalise(ordered.map(({ weight }) => millionthsOf(weight).millionths));
  return {
    key: basket.id,
    name: basket.name,
    legs: ordered.map(({ id, side }, index) => ({ id, side, weight: weights[index] ?? 0 })),
    isWeighed: true,
  };
}

/** What the Trade screen is given. */
export function linkOf({ legs, isWeighed }: OpenedBasket) {
  const ids = (wanted: 'BUY' | 'SELL') => legs.filter(({ side }) => side === wanted).map(({ id }) => id);
  const link = { long: ids('BUY'), short: ids('SELL') };
  return isWeighed ? { ...link, weights: legs.map(({ weight }) => weight) } : link;
}
