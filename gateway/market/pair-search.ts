/**
 * A search of baskets: `sol` names legs, `SOL/ETH` a long and a short side, `sol eth` legs of either side. A search for
 * two legs finds few pairs, so that these are listed one by one, in the order of `pair-order.ts`.
 */
import type { RankedPair } from './pair-order.ts';

interface Named {
  readonly id: string;
  readonly symbol: string;
}

export interface SearchedLeg extends Named {
  readonly side: 'BUY' | 'SELL';
}

export type BasketSearch =
  | { readonly kind: 'all' }
  | { readonly kind: 'leg'; readonly term: string }
  /** Each term is in a leg of its side; a side without a term is any. */
  | { readonly kind: 'sides'; readonly long: readonly string[]; readonly short: readonly string[] }
  /** Each term is in another leg, of either side. */
  | { readonly kind: 'legs'; readonly terms: readonly string[] };

const termsOf = (text: string) => text.split(/[\s+,]+/).filter((term) => term !== '');

export function basketSearch(typed: string | undefined): BasketSearch {
  const text = typed?.trim().toLowerCase() ?? '';
  if (text === '') return { kind: 'all' };
  const [long = '', short, ...more] = text.split('/');
  if (short !== undefined && more.length === 0) {
    const sides = { long: termsOf(long), short: termsOf(short) };
    if (sides.long.length > 0 && sides.short.length > 0) return { kind: 'sides', ...sides };
  }
  const terms = termsOf(text.replaceAll('/', ' '));
  const [term = '', ...others] = terms;
  return others.length === 0 ? { kind: 'leg', term } : { kind: 'legs', terms };
}

export function nameMatches({ id, symbol }: Named, term: string): boolean {
  return id.toLowerCase().includes(term) || symbol.toLowerCase().includes(term);
}

/** True: each term can be given a leg of its own. */
function eachHasALeg(legs: readonly Named[], terms: readonly string[]): boolean {
  const [term, ...rest] = terms;
  if (term === undefined) return true;
  return legs.some((leg, index) => nameMatches(leg, term) && eachHasALeg(legs.toSpliced(index, 1), rest));
}

export function basketMatches(legs: readonly SearchedLeg[], search: BasketSearch): boolean {
  switch (search.kind) {
    case 'all':
      return true;
    case 'leg':
      return legs.some((leg) => nameMatches(leg, search.term));
    case 'legs':
      return eachHasALeg(legs, search.terms);
    case 'sides': {
      const ofSide = (side: SearchedLeg['side']) => legs.filter((leg) => leg.side === side);
      return eachHasALeg(ofSide('BUY'), search.long) && eachHasALeg(ofSide('SELL'), search.short);
    }
  }
}

/** The places of pairs: all of them, or those that match a search. */
export interface PairPlaces {
  readonly count: number;
  at(place: number): RankedPair;
  /** null: the pair is not listed. */
  placeOf(pair: RankedPair): number | null;
}

/**
 * Pairs of which the legs are named both.
 * @param ranked tradable instruments by rank
 * @param isUnordered each pair once, the first term's leg long
 */
export function namedPairs(
  ranked: readonly Named[],
  search: Extract<BasketSearch, { kind: 'sides' | 'legs' }>,
  isUnordered: boolean,
): PairPlaces {
  const [first, second, isOneWay] =
    search.kind === 'sides'
      ? [search.long, search.short, true]
      : [search.terms.slice(0, 1), search.terms.slice(1), isUnordered];
  const ranksOf = (terms: readonly string[]) =>
    terms.length !== 1
      ? []
      : ranked.flatMap((instrument, rank) => (nameMatches(instrument, terms[0] ?? '') ? [rank] : []));
  const pairs = new Map<string, RankedPair>();
  const seconds = ranksOf(second);
  for (const one of ranksOf(first))
    for (const other of seconds) {
      if (one === other) continue;
      add(pairs, one, other, isUnordered);
      if (!isOneWay) add(pairs, other, one, isUnordered);
    }
  const listed = [...pairs.values()].sort(byPlace);
  const places = new Map(listed.map(({ long, short }, place) => [`${long} ${short}`, place]));
  return {
    count: listed.length,
    at(place) {
      const pair = listed[place];
      if (pair === undefined) throw new RangeError(`no pair at ${place}`);
      return pair;
    },
    placeOf: ({ long, short }) =>
      places.get(`${long} ${short}`) ?? (isUnordered ? places.get(`${short} ${long}`) : undefined) ?? null,
  };
}

function add(pairs: Map<string, RankedPair>, long: number, short: number, isUnordered: boolean): void {
  if (isUnordered && pairs.has(`${short} ${long}`)) return;
  pairs.set(`${long} ${short}`, { long, short });
}

/** As in `pair-order.ts`: by the worse rank, then the better one, then the better one long. */
function byPlace(a: RankedPair, b: RankedPair): number {
  return (
    Math.max(a.long, a.short) - Math.max(b.long, b.short) ||
    Math.min(a.long, a.short) - Math.min(b.long, b.short) ||
    a.long - b.long
  );
}

/** Every other place of the order: of the two directions that follow each other, the first. */
export function unordered(order: PairPlaces): PairPlaces {
  return {
    count: order.count / 2,
    at: (place) => order.at(place * 2),
    placeOf(pair) {
      const place = order.placeOf(pair);
      return place === null ? null : Math.floor(place / 2);
    },
  };
}
