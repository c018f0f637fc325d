import { expect } from 'chai';
import fc from 'fast-check';
import { buildTable } from '../../../../../../gateway/venues/live/lighter/signing/generator-table.ts';
import {
  ORDER,
  publicKeyOf,
  randomScalar,
  scalarBytes,
  sign,
  toScalar,
} from '../../../../../../gateway/venues/live/lighter/signing/schnorr.ts';
import {
  elementOf,
  hexOf,
  isSignature,
  lighterVectors,
  type SchnorrVectors,
} from '../../../../../support/lighter-signing.ts';
import { forAll, propertyRuns } from '../../../../../support/property-runs.ts';

const { keygen, sign: signatures } = lighterVectors<SchnorrVectors>('schnorr_vectors');
const scalarOf = (digits: string) => toScalar(Buffer.from(digits, 'hex'));

describe('Lighter: Schnorr signatures', () => {
  it('has the recorded public key of every recorded private key', () => {
    expect(keygen).to.have.lengthOf(20);
    for (const { sk, pk } of keygen) expect(hexOf(publicKeyOf(scalarOf(sk)))).to.equal(pk);
  });

  it('signs as recorded where the nonce is the recorded one', () => {
    expect(signatures).to.have.lengthOf(20);
    for (const { sk, hashed_msg, k, sig } of signatures) {
      expect(hexOf(sign(elementOf(hashed_msg), scalarOf(sk), scalarOf(k)))).to.equal(sig);
    }
  });

  it('makes signatures that verify, and none that verifies for another key, message or in another byte', async () => {
    await buildTable();
    forAll([fc.constantFrom(...signatures), fc.nat({ max: 79 })], propertyRuns(40), ({ hashed_msg }, at) => {
      const key = randomScalar();
      const publicKey = hexOf(publicKeyOf(key));
      const message = elementOf(hashed_msg);
      const signature = sign(message, key, randomScalar());
      expect(isSignature(signature, message, publicKey)).to.equal(true);
      expect(isSignature(signature, elementOf('01'.padEnd(80, '0')), publicKey)).to.equal(false);
      expect(isSignature(signature, message, hexOf(publicKeyOf(randomScalar())))).to.equal(false);
      signature[at] = (signature[at] ?? 0) ^ 1;
      expect(isSignature(signature, message, publicKey)).to.equal(false);
    });
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
  });

  it('reduces a scalar that is not below the order', () => {
    expect(toScalar(scalarBytes(ORDER + 5n))).to.equal(5n);
  });
});
