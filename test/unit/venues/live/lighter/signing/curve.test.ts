/** The curve beside the emulator's arithmetic, which is slow, plain and its own. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  encode,
  GENERATOR,
  multiplyPoint,
} from '../../../../../../gateway/venues/live/lighter/signing/curve.ts';
import { decode } from '../../../../../../gateway/venues/live/lighter/signing/decode.ts';
import {
  buildTable,
  isTableReady,
  multiplyGenerator,
} from '../../../../../../gateway/venues/live/lighter/signing/generator-table.ts';
import {
  ORDER,
  randomScalar,
  scalarBytes,
  toScalar,
} from '../../../../../../gateway/venues/live/lighter/signing/schnorr.ts';
import {
  type CurveVectors,
  digitsOf,
  elementOf,
  lighterVectors,
} from '../../../../../support/lighter-signing.ts';
import { forAll, propertyRuns } from '../../../../../support/property-runs.ts';
import { publicKeyOf } from '../../../../../support/venues/lighter/curve/schnorr.ts';

const vectors = lighterVectors<CurveVectors>('curve_ecgfp5_vectors');
const scalar = fc.oneof(
  fc.constantFrom(
    ...[0n, 1n, 2n, 7n, 8n, 9n, 15n, 16n, ORDER - 1n, ORDER - 8n, (ORDER - 1n) / 2n],
    ...[2n ** 318n, 2n ** 316n - 1n],
  ),
  fc.bigInt({ min: 0n, max: ORDER - 1n }),
);

describe('Lighter: the curve', () => {
  it('knows what is a point, and nothing else, as recorded', () => {
    expect(vectors.decode.filter(({ decodes }) => decodes)).to.have.lengthOf.greaterThan(5);
    expect(vectors.decode.filter(({ decodes }) => !decodes)).to.have.lengthOf.greaterThan(2);
    for (const { w, decodes } of vectors.decode) expect(decode(elementOf(w)) !== null, w).to.equal(decodes);
  });

  it('multiplies points as recorded', () => {
    expect(vectors.scalar_mul).to.have.lengthOf(13);
    for (const { base_w, scalar_le, out_w } of vectors.scalar_mul) {
      const point = decode(elementOf(base_w)) ?? expect.fail(`${base_w} is no point`);
      const factor = toScalar(Buffer.from(scalar_le, 'hex'));
      expect(digitsOf(encode(multiplyPoint(point, factor)))).to.equal(out_w);
    }
  });

  it('multiplies the generator as the emulator does, with its table and without', async () => {
    await buildTable();
    expect(isTableReady()).to.equal(true);
    forAll([scalar], propertyRuns(60), (value) => {
      const theirs = publicKeyOf(scalarBytes(value)).toString('hex');
      expect(digitsOf(encode(multiplyPoint(GENERATOR, value)))).to.equal(theirs);
      expect(digitsOf(encode(multiplyGenerator(value)))).to.equal(theirs);
    });
  });

  it('has one table for all who ask for it', () => {
    expect(buildTable()).to.equal(buildTable());
  });

  it('draws scalars below the order that are never alike, and writes them in 40 bytes', () => {
    const drawn = new Set(Array.from({ length: 200 }, randomScalar));
    expect(drawn.size).to.equal(200);
    for (const value of drawn) {
      expect(value > 0n && value < ORDER).to.equal(true);
      expect(toScalar(scalarBytes(value))).to.equal(value);
    }
    // With 200 draws, the chance that none is in the upper half is 2^-200.
    expect([...drawn].some((value) => value > ORDER / 2n)).to.equal(true);
    expect(toScalar(scalarBytes(ORDER + 5n))).to.equal(5n);
  });
});
