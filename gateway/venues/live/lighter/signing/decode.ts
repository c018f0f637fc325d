/** Points from their encodings, to know a public key from forty bytes of something else. */
import { B, neutral, type Point } from './curve.ts';
import { inverse, MODULUS, power } from './goldilocks.ts';
import {
  add,
  conjugate,
  conjugates,
  invert,
  isZero,
  type Quintic,
  quintic,
  scale,
  subtract,
  times,
} from './quintic.ts';

/** null: `w` encodes no point. */
export function decode(w: Quintic): Point | null {
  if (isZero(w)) return neutral();
  // y = w·x turns the curve's equation into x² − (w² − 2)·x + b = 0. The point is the root that is no square.
  const sum = quintic();
  times(sum, w, w);
  subtract(sum, sum, quintic(2n));
  const discriminant = quintic();
  times(discriminant, sum, sum);
  subtract(discriminant, discriminant, quintic(0n, 4n * BigInt(B)));
  const root = squareRoot(discriminant);
  if (root === null) return null;
  const half = quintic(inverse(2n));
  const x = quintic();
  add(x, sum, root);
  times(x, x, half);
  if (isSquare(x)) {
    subtract(x, sum, root);
    times(x, x, half);
  }
  return { x, z: quintic(1n), u: quintic(1n), t: w.slice() };
}

/** An element is a square where its norm is one in the base field. (Euler's criterion.) */
function isSquare(a: Quintic): boolean {
  return power(conjugates(quintic(), a), (MODULUS - 1n) / 2n) <= 1n;
}

/**
 * Either root; null: `a` is no square. With r = 1 + p + p² + p³ + p⁴, a^r is the norm, so that √a is the norm's root over
 * a^((r − 1)/2), and (r − 1)/2 = (p + p³)·(p + 1)/2: a power, times a conjugate of it.
 */
function squareRoot(a: Quintic): Quintic | null {
  const settled = quintic();
  scale(settled, a, 1);
  const root = rootInField(conjugates(quintic(), settled));
  if (root === null) return null;
  const raised = quintic(1n);
  for (let rest = (MODULUS + 1n) / 2n; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) times(raised, raised, settled);
    times(settled, settled, settled);
  }
  const third = quintic();
  conjugate(third, raised, 3);
  conjugate(raised, raised, 1);
  times(raised, raised, third);
  invert(raised, raised);
  times(raised, raised, quintic(root));
  return raised;
}

/** Either root of `value` in the base field; null: there is none. (Tonelli and Shanks, for 2^32 · odd + 1.) */
function rootInField(value: bigint): bigint | null {
  if (value === 0n) return 0n;
  if (power(value, (MODULUS - 1n) / 2n) !== 1n) return null;
  const odd = (MODULUS - 1n) >> 32n;
  let order = 32n;
  let step = power(7n, odd);
  let rest = power(value, odd);
  let root = power(value, (odd + 1n) / 2n);
  while (rest !== 1n) {
    let turns = 0n;
    for (let square = rest; square !== 1n; square = (square * square) % MODULUS) turns += 1n;
    const factor = power(step, 1n << (order - turns - 1n));
    order = turns;
    step = (factor * factor) % MODULUS;
    rest = (rest * step) % MODULUS;
    root = (root * factor) % MODULUS;
  }
  return root;
}
