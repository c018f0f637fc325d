import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { deriveBasketKey } from '../../../gateway/contract/basket-key.ts';
import { forAll } from '../../support/property-runs.ts';

const sha256 = (value: string) => createHash('sha256').update(value, 'utf8').digest('hex');

describe('deriveBasketKey', () => {
  it('is the SHA-256 of the written definition', () => {
    expect(deriveBasketKey(['SOL-PERP', 'BTC-PERP'], ['ETH-PERP'])).to.equal(
      sha256('L:BTC-PERP,SOL-PERP|S:ETH-PERP'),
    );
    expect(deriveBasketKey(['BTC-PERP'], [])).to.equal(sha256('L:BTC-PERP|S:'));
    expect(deriveBasketKey([], ['BTC-PERP'])).to.equal(sha256('L:|S:BTC-PERP'));
  });

  it('does not depend on the order of legs and tells the sides apart', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 8 });
    forAll([ids], (all) => {
      const longs = all.slice(0, 1);
      const shorts = all.slice(1);
      const key = deriveBasketKey(longs, shorts);
      expect(key).to.match(/^[0-9a-f]{64}$/);
      expect(deriveBasketKey(longs, [...shorts].reverse())).to.equal(key);
      expect(deriveBasketKey(shorts, longs)).to.not.equal(key);
    });
  });

  it('refuses an empty basket and a repeated instrument', () => {
    expect(() => deriveBasketKey([], [])).to.throw(RangeError, 'at least one leg');
    expect(() => deriveBasketKey(['BTC-PERP'], ['BTC-PERP'])).to.throw(RangeError, 'only once');
  });
});
