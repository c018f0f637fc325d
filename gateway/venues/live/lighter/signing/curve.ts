/**
 * ECgFp5: y² = x·(x² + 2x + 263z) over the quintic extension, as a group of prime order. A point stands in fractions,
 * x = X/Z and u = x/y = U/T; N = (0, 0) is the neutral one, and the group's sum is the curve's plus N, which makes the
 * formulas complete. (T. Pornin, "EcGFp5: a Specialized Elliptic Curve", sections 2 and 4.)
 */
import {
  add,
  invert,
  negate,
  type Quintic,
  quintic,
  scale,
  scaleShifted,
  subtract,
  times,
} from './quintic.ts';

/** A signed digit in base 16 needs no more of them. */
export const MULTIPLES = 8;

/** b = 263·z. */
export const B = 263;

/** Settled; so is what every function here leaves behind, but for Z (2 terms), T of a sum (2) and U of a double (3). */
export interface Point {
  readonly x: Quintic;
  readonly z: Quintic;
  readonly u: Quintic;
  readonly t: Quintic;
}

export const GENERATOR: Point = {
  x: quintic(
    12883135586176881569n,
    4356519642755055268n,
    5248930565894896907n,
    2165973894480315022n,
    2448410071095648785n,
  ),
  z: quintic(1n),
  u: quintic(1n),
  t: quintic(4n),
};

export function neutral(): Point {
  return { x: quintic(), z: quintic(1n), u: quintic(), t: quintic(1n) };
}

export function copy(point: Point): Point {
  return { x: point.x.slice(), z: point.z.slice(), u: point.u.slice(), t: point.t.slice() };
}

const t1 = quintic();
const t3 = quintic();
const t5 = quintic();
const t6 = quintic();
const t7 = quintic();
const t8 = quintic();
const t9 = quintic();
const b2 = quintic();

/** p += q. */
export function addPoint(p: Point, q: Point): void {
  add(t7, p.x, p.z);
  add(t8, q.x, q.z);
  times(t5, t7, t8);
  add(t7, p.u, p.t);
  add(t8, q.u, q.t);
  times(t6, t7, t8);
  times(t1, p.x, q.x);
  times(p.z, p.z, q.z);
  times(t3, p.u, q.u);
  times(p.t, p.t, q.t);
  subtract(t5, t5, t1);
  subtract(t5, t5, p.z);
  subtract(t6, t6, t3);
  subtract(t6, t6, p.t);
  finishSum(p);
}

/** p += (x, u), or minus it: 2 of 10 multiplications less than for a point in fractions. */
export function addAffine(p: Point, x: Quintic, u: Quintic, minus: boolean): void {
  times(t1, p.x, x);
  times(t3, p.u, u);
  times(t5, x, p.z);
  times(t6, u, p.t);
  if (minus) {
    negate(t3, t3);
    negate(t6, t6);
  }
  add(t5, t5, p.x);
  add(t6, t6, p.u);
  finishSum(p);
}

/** The rest of a sum, from the products in t1, p.z, t3 and p.t and the mixed ones in t5 and t6. */
function finishSum(p: Point): void {
  scaleShifted(b2, p.z, B);
  add(t7, t1, b2);
  times(t8, p.t, t7);
  scaleShifted(t9, t5, 2 * B);
  add(t9, t9, t7);
  add(t9, t9, t7);
  times(t9, t3, t9);
  add(t3, t3, t3);
  add(t3, t3, p.t);
  add(t5, t5, t7);
  times(t5, t3, t5);
  subtract(t5, t5, t8);
  scaleShifted(p.x, t5, B);
  subtract(b2, b2, t1);
  times(p.u, t6, b2);
  subtract(p.z, t8, t9);
  add(p.t, t8, t9);
}

/** p += p. */
export function double(p: Point): void {
  times(t1, p.z, p.t);
  add(t5, p.x, p.z);
  add(t5, t5, t5);
  times(t3, p.u, p.u);
  times(t5, t5, t3);
  times(t6, t1, p.t);
  times(t1, t1, p.u);
  subtract(t5, t6, t5);
  times(t7, t1, t1);
  times(p.z, t5, t5);
  add(t5, t5, t1);
  times(p.u, t5, t5);
  subtract(p.u, p.u, t7);
  subtract(p.u, p.u, p.z);
  times(t8, t6, t6);
  add(t8, t8, t8);
  subtract(t8, t8, p.z);
  scaleShifted(p.x, t7, 4 * B);
  add(t7, t7, t7);
  add(t7, t7, t7);
  subtract(t8, t8, t7);
  scale(p.t, t8, 1);
}

/** The point's one encoding: w = y/x, 0 for N. */
export function encode(p: Point): Quintic {
  const w = quintic();
  scale(w, p.u, 1);
  invert(w, w);
  times(w, w, p.t);
  return w;
}

/** Every digit of the scalar, from the lowest on: −8 … 8, in base 16. @param scalar below 2^319 */
export function signedDigits(scalar: bigint): number[] {
  const digits: number[] = [];
  let carry = 0;
  for (const sign of [...scalar.toString(16).padStart(80, '0')].reverse()) {
    const digit = Number.parseInt(sign, 16) + carry;
    carry = digit > 8 ? 1 : 0;
    digits.push(digit - 16 * carry);
  }
  return digits;
}

/** p·scalar, without any table. @param scalar below 2^319 */
export function multiplyPoint(p: Point, scalar: bigint): Point {
  const multiples = multiplesOf(p);
  const sum = neutral();
  const minus = copy(p);
  for (const digit of signedDigits(scalar).reverse()) {
    for (let turn = 0; turn < 4; turn += 1) double(sum);
    const multiple = multiples[Math.abs(digit) - 1];
    if (multiple === undefined) continue;
    if (digit > 0) addPoint(sum, multiple);
    else {
      negate(minus.u, multiple.u);
      addPoint(sum, { ...multiple, u: minus.u });
    }
  }
  return sum;
}

/** p … 8·p. */
function multiplesOf(p: Point): Point[] {
  const multiples = [copy(p)];
  while (multiples.length < MULTIPLES) multiples.push(nextMultiple(multiples, p));
  return multiples;
}

/** The multiple of p that follows on `multiples`, from p on. */
export function nextMultiple(multiples: readonly Point[], p: Point): Point {
  const half = multiples[(multiples.length + 1) / 2 - 1];
  const next = copy(half ?? multiples.at(-1) ?? p);
  if (half === undefined) addPoint(next, p);
  else double(next);
  return next;
}
