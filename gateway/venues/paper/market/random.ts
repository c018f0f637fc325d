/**
 * Seeded randomness of the paper market. Everything random in it comes from here, so one seed gives one market.
 *
 * Generator: sfc32 (Chris Doty-Humphrey's Small Fast Counting RNG, 128 bits of state, passes PractRand).
 * Normals: Marsaglia's polar method.
 */

/** 32-bit words a, b, c, counter, and the second half of the last pair of normals (null when it has been used). */
export type RandomState = readonly [number, number, number, number, number | null];

/** Mixes integers (of up to 53 bits) to 32 well-spread bits; the finaliser is the one of MurmurHash3. */
export function hash32(...values: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const value of values) {
    hash = mix(hash, value >>> 0);
    hash = mix(hash, Math.floor(Math.abs(value) / 4294967296) >>> 0);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mix(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** A stable number for a name, so that streams of one seed are told apart by their purpose. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;
  private spare = Number.NaN;

  constructor(seed: number, stream = 0) {
    this.reseed(seed, stream);
  }

  /** Starts the sequence that belongs to (seed, stream). */
  reseed(seed: number, stream: number): void {
    // Signed 32-bit integers, like all later words: V8 would allocate a heap object for each larger number.
    this.a = hash32(seed, stream, 1) | 0;
    this.b = hash32(seed, stream, 2) | 0;
    this.c = hash32(seed, stream, 3) | 0;
    this.counter = 1;
    this.spare = Number.NaN;
    // The first outputs after seeding are still correlated with the seed.
    for (let i = 0; i < 12; i += 1) this.word();
  }

  /** Uniform on 0 … 2^32 − 1. */
  word(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Uniform on the open interval (0, 1). */
  uniform(): number {
    return (this.word() + 0.5) / 4294967296;
  }

  /** Standard normal. */
  normal(): number {
    if (!Number.isNaN(this.spare)) {
      const value = this.spare;
      this.spare = Number.NaN;
      return value;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) {
        const scale = Math.sqrt((-2 * Math.log(s)) / s);
        this.spare = v * scale;
        return u * scale;
      }
    }
  }

  /** Fills `into` with the results of as many calls of `word`. */
  words(into: Uint32Array): void {
    // The state is copied to local variables for the loop, which makes it twice as fast.
    let { a, b, c, counter } = this;
    for (let i = 0; i < into.length; i += 1) {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      into[i] = sum;
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.counter = counter;
  }

  state(): RandomState {
    return [this.a, this.b, this.c, this.counter, Number.isNaN(this.spare) ? null : this.spare];
  }

  restore(state: RandomState): void {
    [this.a, this.b, this.c, this.counter] = state;
    this.spare = state[4] ?? Number.NaN;
  }
}
