/**
 * ECgFp5: the points of odd order on y² = x³ + 2x² + 263z·x over the quintic field, in affine coordinates by the rules
 * of school. A point is written as y/x. (The venue's code counts with each point's partner across (0, 0), which is the
 * same group.)
 */
import {
  equal,
  inverse,
  isSquare,
  isZero,
  mul,
  neg,
  ONE,
  of,
  add as plus,
  type Quintic,
  root,
  scale,
  sub,
  ZERO,
} from './quintic.ts';

/** null: the neutral element. */
export type Point = { readonly x: Quintic; readonly y: Quintic } | null;

export const ORDER =
  1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;

const A = of(2n);
const B: Quintic = [0n, 263n, 0n, 0n, 0n];

export function add(p: Point, q: Point): Point {
  if (p === null) return q;
  if (q === null) return p;
  if (!equal(p.x, q.x)) return chord(p, q.x, mul(sub(q.y, p.y), inverse(sub(q.x, p.x))));
  if (!equal(p.y, q.y) || isZero(p.y)) return null;
  const slope = plus(plus(scale(mul(p.x, p.x), 3n), scale(mul(A, p.x), 2n)), B);
  return chord(p, p.x, mul(slope, inverse(scale(p.y, 2n))));
}

/** The third point of the curve on the line through `p` with this slope, mirrored. */
function chord(p: NonNullable<Point>, otherX: Quintic, slope: Quintic): Point {
  const x = sub(sub(sub(mul(slope, slope), A), p.x), otherX);
  return { x, y: sub(mul(slope, sub(p.x, x)), p.y) };
}

/** The point and what doubling makes of it, again and again: any multiple is a sum of some of them. */
export function doublesOf(p: Point): readonly Point[] {
  const doubles = [p];
  for (let bit = 1; bit < ORDER.toString(2).length; bit += 1) {
    const last = doubles[bit - 1] ?? null;
    doubles.push(add(last, last));
  }
  return doubles;
}

/** @param doubles of the point that is multiplied. @param factor below the group's order */
export function times(factor: bigint, doubles: readonly Point[]): Point {
  return doubles.reduce((sum, double, bit) => ((factor >> BigInt(bit)) & 1n ? add(sum, double) : sum), null);
}

export function encode(p: Point): Quintic {
  return p === null ? ZERO : mul(p.y, inverse(p.x));
}

/**
 * With y = wx the curve says x² + (2 − w²)x + 263z = 0. Of the two x one is a square, as those of points of odd order
 * are. @return undefined where `w` is no point
 */
export function decode(w: Quintic): Point | undefined {
  if (isZero(w)) return null;
  const e = sub(mul(w, w), A);
  const difference = root(sub(mul(e, e), scale(B, 4n)));
  if (difference === null) return undefined;
  const half = inverse(of(2n));
  const larger = mul(plus(e, difference), half);
  const x = isSquare(larger) ? larger : mul(plus(e, neg(difference)), half);
  return { x, y: mul(w, x) };
}

export const GENERATOR: Point = decode(scale(ONE, 4n)) ?? null;
