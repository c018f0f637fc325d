import { expect } from 'chai';
import { nameKey, weighsOne, weightSum } from '../../../gateway/domain/saved-basket.ts';

const legs = (...weights: number[]) =>
  weights.map((weight, index) => ({ symbol: `${index}-PERP`, side: 'BUY' as const, weight }));

describe('saved basket rules', () => {
  it('sums weights in decimals, as they are written', () => {
    // In binary 0.1 + 0.2 + 0.7 is 0.9999999999999999 and 0.1 × 10 is 0.9999999999999999.
    expect(weighsOne(legs(0.1, 0.2, 0.7))).to.equal(true);
    expect(weighsOne(legs(...Array.from({ length: 10 }, () => 0.1)))).to.equal(true);
    expect(weighsOne(legs(...Array.from({ length: 20 }, () => 0.05)))).to.equal(true);
    expect(weighsOne(legs(0.9999999999, 1e-10))).to.equal(true);
    expect(weighsOne(legs(1))).to.equal(true);
  });

  it('is not content with nearly 1', () => {
    expect(weightSum(legs(0.3333333333333333, 0.3333333333333333, 0.3333333333333333))).to.equal(
      '0.9999999999999999',
    );
    for (const weights of [[0.9999999999999999], [0.5, 0.5, 1e-300], [0.6, 0.5], [5e-324]])
      expect(weighsOne(legs(...weights)), weights.join()).to.equal(false);
  });

  it('takes names for the same in any case and any spelling of the same characters', () => {
    const same = [
      ['Majors', 'mAJORS'],
      ['Café', 'CAFE\u0301'],
      ['straße', 'STRASSE'],
      ['ΟΔΟΣ', 'οδος'],
      ['Ωmega', '\u2126MEGA'],
      ['ﬁne', 'FINE'],
      ['Ǆ', 'ǆ'],
      ['🦊 fox', '🦊 FOX'],
    ] as const;
    for (const [a, b] of same) expect(nameKey(a), `${a} ${b}`).to.equal(nameKey(b));
    const others = [
      ['Cafe', 'Café'],
      ['🦊', '🐺'],
      ['a b', 'ab'],
    ] as const;
    for (const [a, b] of others) expect(nameKey(a), `${a} ${b}`).to.not.equal(nameKey(b));
  });
});
