/**
 * Every ordered pair of n ranked things, in the order of the worse rank, without a stored list. Rank 0 is the highest
 * 24 h volume, so a pair's volume is that of its higher rank number: the order is by descending volume.
 *
 * The pairs whose worse rank is k form a group: for each better partner i in the order of the ranks first (i long, k
 * short), then (k long, i short). A group has 2·k pairs, so the place of a pair follows from its ranks and the other
 * way round. With a search only pairs with a match count: a group is then 2·k pairs if k itself matches, else 2
 * for each better match.
 */
export interface RankedPair {
  readonly long: number;
  readonly short: number;
}

export class PairOrder {
  readonly #isMatch: readonly boolean[];
  /** Ranks that match the search. */
  readonly #matches: readonly number[];
  /** Number of ranks below k that match the search. */
  readonly #matchesBelow: readonly number[];
  /** Pairs in the groups before group k; the last entry is the number of all pairs. */
  readonly #before: readonly number[];

  /** @param isMatch by rank, whether the search matches; null: there is no search */
  constructor(count: number, isMatch: readonly boolean[] | null) {
    this.#isMatch = isMatch ?? Array.from({ length: count }, () => true);
    const matches: number[] = [];
    const matchesBelow: number[] = [];
    const before = [0];
    for (let rank = 0; rank < count; rank += 1) {
      matchesBelow.push(matches.length);
      const size = 2 * (this.#matchesAt(rank) ? rank : matches.length);
      before.push((before[rank] ?? 0) + size);
      if (this.#matchesAt(rank)) matches.push(rank);
    }
    this.#matches = matches;
    this.#matchesBelow = matchesBelow;
    this.#before = before;
  }

  get count(): number {
    return this.#before.at(-1) ?? 0;
  }

  /** @param place 0 to count − 1 */
  at(place: number): RankedPair {
    const worse = this.#groupOf(place);
    const inside = place - (this.#before[worse] ?? 0);
    const nth = Math.floor(inside / 2);
    const better = this.#matchesAt(worse) ? nth : (this.#matches[nth] ?? 0);
    return inside % 2 === 0 ? { long: better, short: worse } : { long: worse, short: better };
  }

  /** Place of a pair; null: neither rank matches the search. @param long other than `short` */
  placeOf({ long, short }: RankedPair): number | null {
    const worse = Math.max(long, short);
    const better = Math.min(long, short);
    if (!this.#matchesAt(worse) && !this.#matchesAt(better)) return null;
    const nth = this.#matchesAt(worse) ? better : (this.#matchesBelow[better] ?? 0);
    return (this.#before[worse] ?? 0) + 2 * nth + (long === better ? 0 : 1);
  }

  #matchesAt(rank: number): boolean {
    return this.#isMatch[rank] === true;
  }

  /** Group that holds the place: the last that begins at or before it, as an empty group begins where the next does. */
  #groupOf(place: number): number {
    let low = 0;
    let high = this.#before.length - 2;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#before[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Position in the whole order, from a position in the order without the `skipped` ones.
 * @param skipped ascending, without repetitions
 */
export function placeAround(skipped: readonly number[], place: number): number {
  // Finds by binary search how many skipped positions come before the result: the first s with skipped[s] > place +
  // s.
  let low = 0;
  let high = skipped.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((skipped[middle] ?? 0) - middle <= place) low = middle + 1;
    else high = middle;
  }
  return place + low;
}
