/**
 * The quintic extension of the field, z^5 = 3: where the curve's coordinates live. An element is five of `goldilocks.ts`
 * in a row, the constant one first; what is said there of settled elements and sums holds here too. Results go into
 * `out`, which may be an operand, so that the many steps of a point's multiplication allocate nothing.
 */
import { inverse, LIMBS, MODULUS, multiply, power, put, settle, settleProduct, take } from './goldilocks.ts';

const DEGREE = 5;
const SIZE = DEGREE * LIMBS;
/** Bytes of an encoded element. */
export const ELEMENT_BYTES = 40;

/** 15 limbs. */
export type Quintic = Float64Array;

export function quintic(...coefficients: readonly bigint[]): Quintic {
  const out = new Float64Array(SIZE);
  for (const [index, value] of coefficients.entries()) put(out, index * LIMBS, value);
  return out;
}

/** The five coefficients, each from 0 to the modulus − 1. */
export function coefficientsOf(a: Quintic): bigint[] {
  return Array.from({ length: DEGREE }, (_, index) => take(a, index * LIMBS));
}

/** 40 bytes, every coefficient little-endian. TypeError: another length, or a coefficient that is not reduced. */
export function fromBytes(bytes: Uint8Array): Quintic {
  if (bytes.length !== ELEMENT_BYTES)
    throw new TypeError(`${ELEMENT_BYTES} bytes expected, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const coefficients = Array.from({ length: DEGREE }, (_, index) => view.getBigUint64(index * 8, true));
  if (coefficients.some((value) => value >= MODULUS)) throw new TypeError('a coefficient is not reduced');
  return quintic(...coefficients);
}

export function toBytes(a: Quintic): Uint8Array {
  const bytes = new Uint8Array(ELEMENT_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of coefficientsOf(a).entries()) view.setBigUint64(index * 8, value, true);
  return bytes;
}

export function isZero(a: Quintic): boolean {
  return coefficientsOf(a).every((value) => value === 0n);
}

/** Not settled: as many settled terms as a and b have together. */
export function add(out: Quintic, a: Quintic, b: Quintic): void {
  for (let index = 0; index < SIZE; index += 1) out[index] = (a[index] ?? 0) + (b[index] ?? 0);
}

/** Not settled, as `add`. */
export function subtract(out: Quintic, a: Quintic, b: Quintic): void {
  for (let index = 0; index < SIZE; index += 1) out[index] = (a[index] ?? 0) - (b[index] ?? 0);
}

export function negate(out: Quintic, a: Quintic): void {
  for (let index = 0; index < SIZE; index += 1) out[index] = -(a[index] ?? 0);
}

/** out = a·factor, settled; for factors up to 2^16. */
export function scale(out: Quintic, a: Quintic, factor: number): void {
  for (let at = 0; at < SIZE; at += LIMBS) {
    settle(out, at, (a[at] ?? 0) * factor, (a[at + 1] ?? 0) * factor, (a[at + 2] ?? 0) * factor);
  }
}

/** out = a·factor·z, settled; for factors up to 2^16. */
export function scaleShifted(out: Quintic, a: Quintic, factor: number): void {
  const l0 = a[SIZE - 3] ?? 0;
  const l1 = a[SIZE - 2] ?? 0;
  const l2 = a[SIZE - 1] ?? 0;
  for (let at = SIZE - LIMBS; at > 0; at -= LIMBS) {
    settle(out, at, (a[at - 3] ?? 0) * factor, (a[at - 2] ?? 0) * factor, (a[at - 1] ?? 0) * factor);
  }
  const wrapped = factor * 3;
  settle(out, 0, l0 * wrapped, l1 * wrapped, l2 * wrapped);
}

const left = new Float64Array(SIZE);
/** The right operand from z^-4 on: what a product moves above z^4 comes back threefold. */
const right = new Float64Array(SIZE + 4 * LIMBS);

/** out = a·b, settled. */
export function times(out: Quintic, a: Quintic, b: Quintic): void {
  for (let index = 0; index < SIZE; index += 1) {
    left[index] = a[index] ?? 0;
    right[index + 4 * LIMBS] = b[index] ?? 0;
  }
  for (let index = 0; index < 4 * LIMBS; index += 1) right[index] = 3 * (b[index + LIMBS] ?? 0);
  for (let at = 0; at < SIZE; at += LIMBS) {
    let c0 = 0;
    let c1 = 0;
    let c2 = 0;
    let c3 = 0;
    let c4 = 0;
    for (let i = 0; i < SIZE; i += LIMBS) {
      const a0 = left[i] ?? 0;
      const a1 = left[i + 1] ?? 0;
      const a2 = left[i + 2] ?? 0;
      const j = at - i + 4 * LIMBS;
      const b0 = right[j] ?? 0;
      const b1 = right[j + 1] ?? 0;
      const b2 = right[j + 2] ?? 0;
      c0 += a0 * b0;
      c1 += a0 * b1 + a1 * b0;
      c2 += a0 * b2 + a1 * b1 + a2 * b0;
      c3 += a1 * b2 + a2 * b1;
      c4 += a2 * b2;
    }
    settleProduct(out, at, c0, c1, c2, c3, c4);
  }
}

/** A fifth root of one other than 1: raising to the modulus multiplies the coefficient of z^i by its i-th power. */
const ROOT = power(3n, (MODULUS - 1n) / 5n);
const ROOTS = [1n, 2n, 3n, 4n].map((turns) =>
  quintic(...[0n, 1n, 2n, 3n, 4n].map((index) => power(ROOT, turns * index))),
);

/** out = a raised `turns` (1–4) times to the modulus. */
export function conjugate(out: Quintic, a: Quintic, turns: number): void {
  const roots = ROOTS[turns - 1];
  if (roots === undefined) throw new RangeError(`no conjugate ${turns}`);
  for (let at = 0; at < SIZE; at += LIMBS) multiply(out, at, a, at, roots, at);
}

/** out = the product of a's four other conjugates (a settled); answers the norm, which is a·out and in the base field. */
export function conjugates(out: Quintic, a: Quintic): bigint {
  const one = quintic();
  const two = quintic();
  conjugate(one, a, 1);
  conjugate(two, one, 1);
  times(one, one, two);
  conjugate(two, one, 2);
  times(two, one, two);
  times(one, a, two);
  out.set(two);
  return take(one, 0);
}

/** out = 1/a, 0 for 0. (Itoh and Tsujii: the norm is inverted in the base field.) */
export function invert(out: Quintic, a: Quintic): void {
  const reciprocal = quintic(inverse(conjugates(out, a)));
  times(out, out, reciprocal);
}
