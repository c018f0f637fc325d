import { expect } from 'chai';
import fc from 'fast-check';
import {
  addPoint,
  copy,
  double,
  encode,
  GENERATOR,
  multiplyPoint,
  neutral,
  type Point,
} from '../../../../../../gateway/venues/live/lighter/signing/curve.ts';
import { decode } from '../../../../../../gateway/venues/live/lighter/signing/decode.ts';
import {
  buildTable,
  isTableReady,
  multiplyGenerator,
} from '../../../../../../gateway/venues/live/lighter/signing/generator-table.ts';
import {
  ORDER,
  scalarBytes,
  toScalar,
} from '../../../../../../gateway/venues/live/lighter/signing/schnorr.ts';
import {
  type CurveVectors,
  digitsOf,
  elementOf,
  hexOf,
  lighterVectors,
} from '../../../../../support/lighter-signing.ts';
import { forAll, propertyRuns } from '../../../../../support/property-runs.ts';

const vectors = lighterVectors<CurveVectors>('curve_ecgfp5_vectors');
const NEUTRAL = '00'.repeat(40);

function pointOf(digits: string): Point {
  const point = decode(elementOf(digits));
  if (point === null) throw new Error(`${digits} is no point`);
  return point;
}

function sum(p: Point, q: Point): string {
  const out = copy(p);
  addPoint(out, q);
  return digitsOf(encode(out));
}

const scalarOf = (digits: string) => toScalar(Buffer.from(digits, 'hex'));
const scalar = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    2n,
    7n,
    8n,
    9n,
    15n,
    16n,
    ORDER - 1n,
    ORDER - 8n,
    (ORDER - 1n) / 2n,
    2n ** 318n,
    2n ** 316n - 1n,
  ),
  fc.bigInt({ min: 0n, max: ORDER - 1n }),
);

describe('Lighter: the curve', () => {
  it('decodes what is a point, nothing else, and encodes it back as recorded', () => {
    expect(vectors.decode.filter(({ decodes }) => decodes)).to.have.lengthOf.greaterThan(5);
    expect(vectors.decode.filter(({ decodes }) => !decodes)).to.have.lengthOf.greaterThan(2);
    for (const { w, decodes, encoded_back } of vectors.decode) {
      const point = decode(elementOf(w));
      expect(point !== null).to.equal(decodes);
      if (point !== null) expect(digitsOf(encode(point))).to.equal(encoded_back);
    }
  });

  it('adds and doubles as recorded', () => {
    expect(vectors.add).to.have.lengthOf(9);
    for (const { a_w, b_w, sum_w, a_double_w } of vectors.add) {
      expect(sum(pointOf(a_w), pointOf(b_w))).to.equal(sum_w);
      expect(sum(pointOf(b_w), pointOf(a_w))).to.equal(sum_w);
      expect(sum(pointOf(a_w), pointOf(a_w))).to.equal(a_double_w);
      const twice = pointOf(a_w);
      double(twice);
      expect(digitsOf(encode(twice))).to.equal(a_double_w);
    }
  });

  it('multiplies points as recorded', () => {
    expect(vectors.scalar_mul).to.have.lengthOf(13);
    for (const { base_w, scalar_le, out_w } of vectors.scalar_mul) {
      expect(digitsOf(encode(multiplyPoint(pointOf(base_w), scalarOf(scalar_le))))).to.equal(out_w);
    }
  });

  it('counts scalars by the recorded order', () => {
    for (const { a, b, ...results } of vectors.scalar_ops) {
      const written = (value: bigint) => hexOf(scalarBytes(((value % ORDER) + ORDER) % ORDER));
      expect(written(scalarOf(a) + scalarOf(b))).to.equal(results.add);
      expect(written(scalarOf(a) - scalarOf(b))).to.equal(results.sub);
      expect(written(scalarOf(a) * scalarOf(b))).to.equal(results.mul);
      expect(written(-scalarOf(a))).to.equal(results.neg_a);
    }
  });

  it('has the neutral point: nothing changes by it, and a point and its opposite are it', () => {
    expect(digitsOf(encode(neutral()))).to.equal(NEUTRAL);
    expect(sum(GENERATOR, neutral())).to.equal(digitsOf(encode(GENERATOR)));
    expect(sum(GENERATOR, multiplyPoint(GENERATOR, ORDER - 1n))).to.equal(NEUTRAL);
    expect(digitsOf(encode(multiplyPoint(GENERATOR, ORDER)))).to.equal(NEUTRAL);
  });

  it('is a group: (a + b)·G = a·G + b·G, through long chains of sums and doubles', () =>
    forAll([scalar, scalar], propertyRuns(60), (a, b) => {
      const both = digitsOf(encode(multiplyPoint(GENERATOR, (a + b) % ORDER)));
      expect(sum(multiplyPoint(GENERATOR, a), multiplyPoint(GENERATOR, b))).to.equal(both);
    }));

  it('multiplies the generator alike with the table and without', async () => {
    await buildTable();
    expect(isTableReady()).to.equal(true);
    forAll([scalar], propertyRuns(100), (value) => {
      const slow = digitsOf(encode(multiplyPoint(GENERATOR, value)));
      expect(digitsOf(encode(multiplyGenerator(value)))).to.equal(slow);
    });
  });

  it('has one table for all who ask for it, at once or later', async () => {
    expect(buildTable()).to.equal(buildTable());
    await buildTable();
    expect(digitsOf(encode(multiplyGenerator(1n)))).to.equal(`04${'00'.repeat(39)}`);
  });
});
