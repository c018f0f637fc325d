/** Weights of a basket as millionths, and a basket in the address of the Trade screen. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bareBasket } from '../../../renderer/features/basket/basket.ts';
import { readBasketLink, tradeHref } from '../../../renderer/features/basket-link/basket-link.ts';
import {
  millionthsOf,
  normalise,
  ONE,
  percentText,
  readPercent,
  weightNumber,
} from '../../../renderer/features/basket-weights/basket-weights.ts';
import { forAll } from '../../support/property-runs.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const legs = (side: 'BUY' | 'SELL', count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${side}${index}`, side }));
const equalWeights = (longs: number, shorts: number) =>
  bareBasket([...legs('BUY', longs), ...legs('SELL', shorts)]).legs.map(({ weight }) => weight);
const millionths = fc.integer({ min: 1, max: ONE });

describe('weights of a basket', () => {
  it('are read as percent with up to four decimals', () => {
    expect(readPercent('50')).to.equal(500_000);
    expect(readPercent(' 33.3333 % ')).to.equal(333_333);
    expect(readPercent('0.0001')).to.equal(1);
    expect(readPercent('12,5')).to.equal(125_000);
    expect(readPercent('100')).to.equal(ONE);
    for (const text of ['', '0', '0.00001', '100.0001', '-5', '1e2', 'half', '1.2.3'])
      expect(readPercent(text), text).to.equal(null);
  });

  it('are written as they are read', () =>
    forAll([millionths], (weight) => {
      expect(readPercent(percentText(weight))).to.equal(weight);
    }));

  it('are JSON numbers of at most six decimals that sum to exactly 1', () =>
    forAll([fc.array(millionths, { minLength: 1, maxLength: 20 })], (weights) => {
      const numbers = normalise(weights).map(weightNumber);
      for (const number of numbers) expect(number.toFixed(6)).to.equal(Number(number).toFixed(6));
      const written = numbers.map((number) => {
        expect(millionthsOf(number).isExact).to.equal(true);
        const [, decimals = ''] = (number === 1 ? '1.' : number.toFixed(6)).split('.');
        return number === 1 ? ONE : Number(decimals);
      });
      expect(sum(written)).to.equal(ONE);
    }));

  it('keep their order and their proportions when they are made to sum to 1', () => {
    expect(normalise([1, 1, 1])).to.deep.equal([333_334, 333_333, 333_333]);
    expect(normalise([200_000, 200_000])).to.deep.equal([500_000, 500_000]);
    expect(normalise([0, 0])).to.deep.equal([500_000, 500_000]);
    expect(normalise([])).to.deep.equal([]);
    forAll([fc.array(millionths, { minLength: 1, maxLength: 20 })], (weights) => {
      const made = normalise(weights);
      expect(sum(made)).to.equal(ONE);
      for (const [index, weight] of made.entries()) {
        expect(weight).to.be.at.least(1);
        const share = ((weights[index] ?? 0) / sum(weights)) * ONE;
        expect(Math.abs(weight - share)).to.be.at.most(weights.length);
      }
    });
  });

  it('begin with half of the basket on each side', () => {
    expect(equalWeights(1, 1)).to.deep.equal([500_000, 500_000]);
    expect(equalWeights(2, 1)).to.deep.equal([250_000, 250_000, 500_000]);
    expect(equalWeights(0, 3)).to.deep.equal([333_334, 333_333, 333_333]);
    expect(sum(equalWeights(7, 13))).to.equal(ONE);
  });

  it('say when a weight of the gateway is finer than a millionth', () => {
    expect(millionthsOf(0.25)).to.deep.equal({ millionths: 250_000, isExact: true });
    expect(millionthsOf(1 / 3)).to.deep.equal({ millionths: 333_333, isExact: false });
  });
});

describe('a basket in an address', () => {
  const read = (href: string) => readBasketLink(href.slice(href.indexOf('?')));

  it('comes back as it went, whatever its ids are', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }), {
      minLength: 1,
      maxLength: 20,
    });
    forAll([ids, fc.nat(20)], (all, longs) => {
      const link = {
        long: all.slice(0, longs),
        short: all.slice(longs),
        weights: equalWeights(Math.min(longs, all.length), Math.max(0, all.length - longs)),
      };
      expect(read(tradeHref(link))).to.deep.equal(link);
    });
  });

  it('is nothing when it could not be traded', () => {
    const many = Array.from({ length: 21 }, (_, index) => `long=I${index}`).join('&');
    for (const search of ['', '?', '?long=', `?${many}`, '?long=A&short=A', `?long=${'x'.repeat(65)}`])
      expect(readBasketLink(search), search).to.equal(null);
  });

  it('loses weights that do not fit its legs, not the legs', () => {
    const legs = { long: ['A'], short: ['B'] };
    for (const weights of ['', '&weight=500000', '&weight=500000&weight=400000', '&weight=0&weight=1000000'])
      expect(readBasketLink(`?long=A&short=B${weights}`), weights).to.deep.equal(legs);
    expect(readBasketLink('?long=A&short=B&weight=600000&weight=400000')).to.deep.equal({
      ...legs,
      weights: [600_000, 400_000],
    });
  });
});
