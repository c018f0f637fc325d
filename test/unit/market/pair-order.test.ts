import { expect } from 'chai';
import fc from 'fast-check';
import { PairOrder, placeAround, type RankedPair } from '../../../gateway/market/pair-order.ts';
import { forAll } from '../../support/property-runs.ts';

/** The definition, as a list: by the worse rank, then the better one, then better long first. */
function listed(isMatch: readonly boolean[]): RankedPair[] {
  const pairs: RankedPair[] = [];
  for (const [long] of isMatch.entries())
    for (const [short] of isMatch.entries())
      if (long !== short && (isMatch[long] || isMatch[short])) pairs.push({ long, short });
  const worse = ({ long, short }: RankedPair) => Math.max(long, short);
  const better = ({ long, short }: RankedPair) => Math.min(long, short);
  return pairs.sort((a, b) => worse(a) - worse(b) || better(a) - better(b) || a.long - b.long);
}

describe('pair order', () => {
  const matches = fc.array(fc.boolean(), { maxLength: 24 });

  it('has every ordered pair of 200 once: 39,800', () => {
    const order = new PairOrder(200, null);
    expect(order.count).to.equal(39_800);
    expect(order.at(0)).to.deep.equal({ long: 0, short: 1 });
    expect(order.at(1)).to.deep.equal({ long: 1, short: 0 });
    expect(order.at(39_799)).to.deep.equal({ long: 199, short: 198 });
    const seen = new Set(
      Array.from({ length: order.count }, (_, place) => {
        const { long, short } = order.at(place);
        return `${long} ${short}`;
      }),
    );
    expect(seen.size).to.equal(39_800);
  });

  it('is the sorted list, whatever matches', () =>
    forAll([matches], (isMatch) => {
      const order = new PairOrder(isMatch.length, isMatch);
      const expected = listed(isMatch);
      expect(Array.from({ length: order.count }, (_, place) => order.at(place))).to.deep.equal(expected);
    }));

  it('knows the place of each pair, and of no other', () =>
    forAll([matches], (isMatch) => {
      const order = new PairOrder(isMatch.length, isMatch);
      for (let place = 0; place < order.count; place += 1)
        expect(order.placeOf(order.at(place))).to.equal(place);
      for (const [long, one] of isMatch.entries())
        for (const [short, other] of isMatch.entries())
          if (long !== short && !one && !other) expect(order.placeOf({ long, short })).to.equal(null);
    }));

  it('is empty for none and for one', () => {
    expect(new PairOrder(0, null).count).to.equal(0);
    expect(new PairOrder(1, null).count).to.equal(0);
  });

  it('steps around what is left out', () =>
    forAll([fc.uniqueArray(fc.nat(60), { maxLength: 30 })], (places) => {
      const skipped = places.sort((a, b) => a - b);
      const left = Array.from({ length: 100 }, (_, place) => place).filter(
        (place) => !skipped.includes(place),
      );
      expect(left.map((_, index) => placeAround(skipped, index))).to.deep.equal(left);
    }));
});
