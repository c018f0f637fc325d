/** The field of p^5 elements: polynomials in z over Goldilocks modulo z^5 − 3. */
import {
  inverse as inverseOf,
  isSquare as isSquareOf,
  mod,
  P,
  power as powerOf,
  root as rootOf,
} from './field.ts';

/** Coefficients of 1, z, z², z³, z⁴. */
export type Quintic = readonly [bigint, bigint, bigint, bigint, bigint];

export const ZERO: Quintic = [0n, 0n, 0n, 0n, 0n];
export const ONE: Quintic = [1n, 0n, 0n, 0n, 0n];

/** Number of bytes of an element. */
export const BYTES = 40;

/** z^p is z times the second of these, and its powers the same of the others. */
const FROBENIUS = [0n, 1n, 2n, 3n, 4n].map((index) => powerOf(powerOf(3n, (P - 1n) / 5n), index));
const SLOT = 160n;
const MASK = (1n << SLOT) - 1n;

export function of(value: bigint): Quintic {
  return [mod(value), 0n, 0n, 0n, 0n];
}

export function add(a: Quintic, b: Quintic): Quintic {
  return [mod(a[0] + b[0]), mod(a[1] + b[1]), mod(a[2] + b[2]), mod(a[3] + b[3]), mod(a[4] + b[4])];
}

export function sub(a: Quintic, b: Quintic): Quintic {
  return [mod(a[0] - b[0]), mod(a[1] - b[1]), mod(a[2] - b[2]), mod(a[3] - b[3]), mod(a[4] - b[4])];
}

export function neg(a: Quintic): Quintic {
  return sub(ZERO, a);
}

/** One product of integers whose digits are the coefficients, far enough apart that none runs over. */
export function mul(a: Quintic, b: Quintic): Quintic {
  let product = packed(a) * packed(b);
  const digits: bigint[] = [];
  for (let at = 0; at < 9; at += 1) {
    digits.push(product & MASK);
    product >>= SLOT;
  }
  const [c0 = 0n, c1 = 0n, c2 = 0n, c3 = 0n, c4 = 0n, c5 = 0n, c6 = 0n, c7 = 0n, c8 = 0n] = digits;
  return [(c0 + 3n * c5) % P, (c1 + 3n * c6) % P, (c2 + 3n * c7) % P, (c3 + 3n * c8) % P, c4 % P];
}

function packed([a, b, c, d, e]: Quintic): bigint {
  return a | (b << SLOT) | (c << (2n * SLOT)) | (d << (3n * SLOT)) | (e << (4n * SLOT));
}

export function scale(a: Quintic, by: bigint): Quintic {
  return mul(a, of(by));
}

export function equal(a: Quintic, b: Quintic): boolean {
  return a.every((coefficient, at) => coefficient === b[at]);
}

export function isZero(a: Quintic): boolean {
  return equal(a, ZERO);
}

export function power(base: Quintic, exponent: bigint): Quintic {
  let result = ONE;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = mul(result, square);
    square = mul(square, square);
  }
  return result;
}

/** The p-th power, which leaves Goldilocks itself alone. */
function frobenius(a: Quintic): Quintic {
  const at = (index: 0 | 1 | 2 | 3 | 4) => (a[index] * (FROBENIUS[index] ?? 0n)) % P;
  return [at(0), at(1), at(2), at(3), at(4)];
}

/** The product of the four conjugates of `a`; with `a` itself it makes the norm, which lies in Goldilocks. */
function conjugates(a: Quintic): Quintic {
  const first = frobenius(a);
  const two = mul(first, frobenius(first));
  return mul(two, frobenius(frobenius(two)));
}

function norm(a: Quintic): bigint {
  return mul(a, conjugates(a))[0];
}

/** 0 for 0. */
export function inverse(a: Quintic): Quintic {
  const others = conjugates(a);
  return scale(others, inverseOf(mul(a, others)[0]));
}

export function isSquare(a: Quintic): boolean {
  return isSquareOf(norm(a));
}

/** A square root; null where there is none. With r = 1 + p + p² + p³ + p⁴, the square of a^((r+1)/2) is a times its norm. */
export function root(a: Quintic): Quintic | null {
  if (isZero(a)) return ZERO;
  const ofNorm = rootOf(norm(a));
  if (ofNorm === null) return null;
  const r = 1n + P + P ** 2n + P ** 3n + P ** 4n;
  return scale(power(a, (r + 1n) / 2n), inverseOf(ofNorm));
}

/** @return null where a coefficient is not below p, so that no element has two texts */
export function fromBytes(bytes: Uint8Array): Quintic | null {
  if (bytes.length !== BYTES) return null;
  const [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n] = words(bytes);
  return [a, b, c, d, e].every((coefficient) => coefficient < P) ? [a, b, c, d, e] : null;
}

export function toBytes(a: Quintic): Buffer {
  const bytes = Buffer.alloc(BYTES);
  for (const [at, coefficient] of a.entries()) bytes.writeBigUInt64LE(coefficient, at * 8);
  return bytes;
}

/** Numbers of 8 bytes, little-endian; what is missing at the end counts as 0. */
export function words(bytes: Uint8Array): bigint[] {
  const whole = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
  whole.set(bytes);
  return Array.from({ length: whole.length / 8 }, (_, at) => whole.readBigUInt64LE(at * 8));
}
