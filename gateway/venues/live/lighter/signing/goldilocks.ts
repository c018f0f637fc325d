/**
 * The prime field of 2^64 − 2^32 + 1. Machine numbers hold no products of 64 bits and BigInts are slow, so an element
 * stands as three doubles, value = x0 + x1·2^22 + x2·2^44, which may be negative. Products of such limbs are exact as
 * long as no sum of them passes 2^53.
 *
 * "Settled" is an element whose limbs are at most 2^21 (x2: 2^19) and a little. Sums are left unsettled: the product of
 * two sums is exact while (settled terms of one) × (those of the other) is at most 64, even in the quintic extension,
 * where 13 products add up.
 */

export const MODULUS = 0xffff_ffff_0000_0001n;
export const LIMBS = 3;
const LIMB_MASK = (1n << 22n) - 1n;

// (x + ROUND) − ROUND is the multiple of 2^22 (2^20) that is next to x: the sum has no bits for less.
const ROUND_22 = 1.5 * 2 ** 74;
const ROUND_20 = 1.5 * 2 ** 72;
const DOWN_22 = 2 ** -22;
const DOWN_20 = 2 ** -20;

/** Writes `value` (below 2^64) as the element at `at`, settled. */
export function put(out: Float64Array, at: number, value: bigint): void {
  settle(
    out,
    at,
    Number(value & LIMB_MASK),
    Number((value >> 22n) & LIMB_MASK),
    Number((value >> 44n) & LIMB_MASK),
  );
}

/** The element at `at`, from 0 to the modulus − 1. */
export function take(from: Float64Array, at: number): bigint {
  const value =
    BigInt(from[at] ?? 0) + (BigInt(from[at + 1] ?? 0) << 22n) + (BigInt(from[at + 2] ?? 0) << 44n);
  const rest = value % MODULUS;
  return rest < 0n ? rest + MODULUS : rest;
}

/** Settles limbs: x0 and x1 below 2^50, x2 below 2^37. */
export function settle(out: Float64Array, at: number, x0: number, x1: number, x2: number): void {
  let carry = x0 + ROUND_22 - ROUND_22;
  let c0 = x0 - carry;
  let c1 = x1 + carry * DOWN_22;
  carry = c1 + ROUND_22 - ROUND_22;
  c1 -= carry;
  let c2 = x2 + carry * DOWN_22;
  // 2^64 = 2^32 − 1, and 2^32 is 2^10 in the second limb.
  carry = c2 + ROUND_20 - ROUND_20;
  c2 -= carry;
  carry *= DOWN_20;
  c0 -= carry;
  c1 += carry * 1024;
  carry = c1 + ROUND_22 - ROUND_22;
  out[at] = c0;
  out[at + 1] = c1 - carry;
  out[at + 2] = c2 + carry * DOWN_22;
}

/** Settles the columns of a product, c0 + c1·2^22 + … + c4·2^88, each below 2^53. */
export function settleProduct(
  out: Float64Array,
  at: number,
  x0: number,
  x1: number,
  x2: number,
  x3: number,
  x4: number,
): void {
  let carry = x0 + ROUND_22 - ROUND_22;
  const c0 = x0 - carry;
  let c1 = x1 + carry * DOWN_22;
  carry = c1 + ROUND_22 - ROUND_22;
  c1 -= carry;
  let c2 = x2 + carry * DOWN_22;
  carry = c2 + ROUND_22 - ROUND_22;
  c2 -= carry;
  let c3 = x3 + carry * DOWN_22;
  carry = c3 + ROUND_22 - ROUND_22;
  c3 -= carry;
  let c4 = x4 + carry * DOWN_22;
  carry = c4 + ROUND_22 - ROUND_22;
  c4 -= carry;
  const c5 = carry * DOWN_22;
  // 2^66 = 2^34 − 4 (4096 in the second limb, −4 in the first); 2^88 and 2^110 follow from it.
  settle(
    out,
    at,
    c0 - 4 * c3 - 16_384 * c5,
    c1 + 4096 * c3 - 4 * c4 + 16_777_216 * c5,
    c2 + 4096 * c4 - 4 * c5,
  );
}

/** out = a·b; all three are elements of arrays, and may be the same one. */
export function multiply(
  out: Float64Array,
  at: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const a0 = a[i] ?? 0;
  const a1 = a[i + 1] ?? 0;
  const a2 = a[i + 2] ?? 0;
  const b0 = b[j] ?? 0;
  const b1 = b[j + 1] ?? 0;
  const b2 = b[j + 2] ?? 0;
  settleProduct(out, at, a0 * b0, a0 * b1 + a1 * b0, a0 * b2 + a1 * b1 + a2 * b0, a1 * b2 + a2 * b1, a2 * b2);
}

/** base^exponent, for the few values where speed does not matter. */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % MODULUS;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % MODULUS;
    square = (square * square) % MODULUS;
  }
  return result;
}

/** 1/value; 0 for 0. (Fermat.) */
export function inverse(value: bigint): bigint {
  return power(value, MODULUS - 2n);
}
