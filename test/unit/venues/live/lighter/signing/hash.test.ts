import { expect } from 'chai';
import { put, take } from '../../../../../../gateway/venues/live/lighter/signing/goldilocks.ts';
import {
  hashOfText,
  hashToQuintic,
  permute,
} from '../../../../../../gateway/venues/live/lighter/signing/poseidon2.ts';
import { digitsOf, type HashVectors, lighterVectors } from '../../../../../support/lighter-signing.ts';

const {
  permute: permutations,
  sponge,
  hash_to_quintic: hashes,
} = lighterVectors<HashVectors>('hash_poseidon2_vectors');

function elementsOf(digits: string): bigint[] {
  const bytes = Buffer.from(digits, 'hex');
  return Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readBigUInt64LE(index * 8));
}

describe('Lighter: Poseidon2', () => {
  it('permutes as recorded', () => {
    expect(permutations).to.have.lengthOf(18);
    for (const { input, output } of permutations) {
      const state = new Float64Array(36);
      for (const [index, lane] of elementsOf(input).entries()) put(state, index * 3, lane);
      permute(state);
      const lanes = elementsOf(output).map((_, index) => take(state, index * 3));
      expect(lanes).to.deep.equal(elementsOf(output));
    }
  });

  it('hashes to an element of the extension as recorded', () => {
    expect(hashes).to.have.lengthOf(13);
    for (const { input, output } of hashes)
      expect(digitsOf(hashToQuintic(elementsOf(input)))).to.equal(output);
  });

  it('absorbs inputs of every length as recorded', () => {
    const short = sponge.filter((vector) => vector.num_outputs <= 5);
    expect(short.length).to.be.greaterThan(20);
    for (const { input, output } of short) {
      expect(digitsOf(hashToQuintic(elementsOf(input))).slice(0, output.length)).to.equal(output);
    }
  });

  it('takes eight characters of a text as one element, the last ones filled up with zeros', () => {
    const text = '1700000000:1';
    const bytes = Buffer.alloc(16);
    bytes.write(text);
    expect(digitsOf(hashOfText(text))).to.equal(digitsOf(hashToQuintic(elementsOf(bytes.toString('hex')))));
  });
});
