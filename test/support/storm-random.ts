/** Numbers that a printed seed repeats (mulberry32); none of the product's own. */
export class StormRandom {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#state = seed | 0;
  }

  /** A sequence of its own that the same number makes again. */
  fork(number: number): StormRandom {
    return new StormRandom((this.#seed ^ Math.imul(number + 1, 0x9e3779b1)) | 0);
  }

  /** [0, 1) */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.uniform() * (high - low);
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.uniform() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  side(): 'BUY' | 'SELL' {
    return this.uniform() < 0.5 ? 'BUY' : 'SELL';
  }
}
