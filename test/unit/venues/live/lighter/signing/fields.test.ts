import { expect } from 'chai';
import fc from 'fast-check';
import {
  MODULUS,
  multiply,
  put,
  take,
} from '../../../../../../gateway/venues/live/lighter/signing/goldilocks.ts';
import {
  add,
  coefficientsOf,
  fromBytes,
  type Quintic,
  quintic,
  scale,
  scaleShifted,
  subtract,
  times,
} from '../../../../../../gateway/venues/live/lighter/signing/quintic.ts';
import { forAll, propertyRuns } from '../../../../../support/property-runs.ts';

const mod = (value: bigint) => ((value % MODULUS) + MODULUS) % MODULUS;

/** Elements in which carries and borrows go furthest, and any other. */
const element = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    MODULUS - 1n,
    MODULUS - 2n,
    2n ** 21n,
    2n ** 22n - 1n,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 43n,
    2n ** 44n - 1n,
    2n ** 63n,
  ),
  fc.bigInt({ min: 0n, max: MODULUS - 1n }),
);
const five = fc.tuple(element, element, element, element, element);

/** The product by the definition: z^5 = 3. */
function product(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const out = [0n, 0n, 0n, 0n, 0n];
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) {
      out[(i + j) % 5] = mod((out[(i + j) % 5] ?? 0n) + x * y * (i + j >= 5 ? 3n : 1n));
    }
  }
  return out;
}

function made(operate: (out: Quintic) => void): Quintic {
  const out = quintic();
  operate(out);
  return out;
}

describe('Lighter: the field of 64 bits', () => {
  it('multiplies exactly what big integers multiply, also what is not reduced', () =>
    forAll([element, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })], propertyRuns(2_000), (a, b) => {
      const limbs = new Float64Array(6);
      put(limbs, 0, a);
      put(limbs, 3, b);
      multiply(limbs, 0, limbs, 0, limbs, 3);
      expect(take(limbs, 0)).to.equal(mod(a * b));
    }));
});

describe('Lighter: the quintic extension', () => {
  it('multiplies exactly sums of eight by sums of eight, of either sign: the most that is promised', () =>
    forAll(
      [
        fc.array(five, { minLength: 8, maxLength: 8 }),
        fc.array(five, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
      ],
      propertyRuns(500),
      (left, right, minus) => {
        const [a, b] = [left, right].map((terms) => {
          const sum = quintic();
          for (const term of terms) {
            if (minus) subtract(sum, sum, quintic(...term));
            else add(sum, sum, quintic(...term));
          }
          return sum;
        });
        if (a === undefined || b === undefined) throw new Error('two sums');
        const exact = product(coefficientsOf(a), coefficientsOf(b));
        times(a, a, b);
        expect(coefficientsOf(a)).to.deep.equal(exact);
      },
    ));

  it('multiplies exactly the largest of such sums', () => {
    const largest = 2n ** 21n + 2n ** 43n + 2n ** 63n;
    for (const sign of [1n, -1n]) {
      const a = quintic();
      const b = quintic();
      const one = quintic(largest, largest, largest, largest, largest);
      for (let term = 0; term < 8; term += 1) {
        add(a, a, one);
        if (sign > 0n) add(b, b, one);
        else subtract(b, b, one);
      }
      times(a, a, b);
      const eight = new Array<bigint>(5).fill(8n * largest);
      expect(coefficientsOf(a)).to.deep.equal(product(eight, eight).map((value) => mod(sign * value)));
    }
  });

  it('scales, also with a step to the next power of z', () =>
    forAll([five, fc.integer({ min: 1, max: 2 ** 16 })], (value, factor) => {
      const a = quintic(...value);
      const scaled = value.map((coefficient) => mod(coefficient * BigInt(factor)));
      expect(coefficientsOf(made((out) => scale(out, a, factor)))).to.deep.equal(scaled);
      const [c0 = 0n, c1 = 0n, c2 = 0n, c3 = 0n, c4 = 0n] = scaled;
      expect(coefficientsOf(made((out) => scaleShifted(out, a, factor)))).to.deep.equal([
        mod(3n * c4),
        c0,
        c1,
        c2,
        c3,
      ]);
    }));

  it('reads no bytes that do not stand for one element alone', () => {
    expect(() => fromBytes(new Uint8Array(39))).to.throw(TypeError);
    expect(() => fromBytes(new Uint8Array(40).fill(0xff))).to.throw(TypeError);
  });
});
