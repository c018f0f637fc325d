/** The basket under construction: its weights are whole millionths, and what is sent sums to exactly 1. */
import { expect } from 'chai';
import fc from 'fast-check';
import { tradeLegs as contractLegs } from '../../../gateway/contract/basket-order.ts';
import { scaled18 } from '../../../gateway/contract/decimal-digits.ts';
import { weighings } from '../../../gateway/domain/basket-weights.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import {
  addLeg,
  type Basket,
  balanced,
  basketFault,
  basketOf,
  EMPTY_BASKET,
  equalBasket,
  equalLegs,
  inOrder,
  isWeighedAlike,
  legsOn,
  MAX_LEGS,
  moveLeg,
  normalised,
  removeLeg,
  setWeight,
  swapSides,
  tradeLegs,
  weighed,
  weightSum,
  weightText,
} from '../../../renderer/features/basket/basket.ts';
import { forAll } from '../../support/property-runs.ts';

const ids = Array.from({ length: MAX_LEGS }, (_, index) => `T${index}-PERP`);

const anyBasket = fc
  .array(fc.record({ isLong: fc.boolean(), weight: fc.integer({ min: 1, max: 1_000_000 }) }), {
    minLength: 1,
    maxLength: MAX_LEGS,
  })
  .map(
    (legs): Basket => ({
      isWeighted: true,
      legs: legs.map(({ isLong, weight }, index) => ({
        id: ids[index] ?? '',
        side: isLong ? 'BUY' : 'SELL',
        weight,
      })),
    }),
  );

describe('basket builder', () => {
  const pair = addLeg(addLeg(EMPTY_BASKET, 'BTC-PERP', 'BUY'), 'ETH-PERP', 'SELL');

  it('gives each side half, its legs alike, until a weight is set', () => {
    expect(pair.legs.map(({ weight }) => weight)).to.deep.equal([500_000, 500_000]);
    const three = addLeg(pair, 'SOL-PERP', 'SELL');
    expect(three.legs.map(({ weight }) => weight)).to.deep.equal([500_000, 250_000, 250_000]);
    expect(removeLeg(three, 'BTC-PERP').legs.map(({ weight }) => weight)).to.deep.equal([500_000, 500_000]);
    expect(isPair(pair.legs)).to.equal(true);
    expect(isPair(three.legs)).to.equal(false);
  });

  it('keeps weights that were set, and offers a new leg what is missing', () => {
    const set = setWeight(pair, 'BTC-PERP', 300_000);
    expect(addLeg(set, 'SOL-PERP', 'BUY').legs.at(-1)?.weight).to.equal(200_000);
    expect(removeLeg(set, 'ETH-PERP').legs).to.deep.equal([{ id: 'BTC-PERP', side: 'BUY', weight: 300_000 }]);
    const full = addLeg(setWeight(set, 'ETH-PERP', 700_000), 'SOL-PERP', 'BUY');
    expect(weightSum(full.legs)).to.be.greaterThan(1_000_000);
    expect(basketFault(full)).to.match(/add up to .* not 100 %/);
    expect(basketFault(normalised(full))).to.equal(null);
  });

  it('takes an instrument once and twenty legs at most', () => {
    expect(addLeg(pair, 'BTC-PERP', 'SELL')).to.equal(pair);
    const full = ids.reduce((basket, id) => addLeg(basket, id, 'BUY'), EMPTY_BASKET);
    expect(addLeg(full, 'ONE-MORE', 'BUY')).to.equal(full);
    expect(basketFault(full)).to.equal(null);
  });

  it('moves and swaps sides', () => {
    expect(legsOn(moveLeg(pair, 'BTC-PERP'), 'SELL')).to.have.length(2);
    expect(swapSides(pair).legs.map(({ side }) => side)).to.deep.equal(['SELL', 'BUY']);
    expect(inOrder(swapSides(pair)).map(({ id }) => id)).to.deep.equal(['ETH-PERP', 'BTC-PERP']);
  });

  it('gives each leg the same dollars, or each side, whatever was set before', () => {
    const weights = (basket: Basket) => basket.legs.map(({ weight }) => weight);
    const three = addLeg(setWeight(pair, 'BTC-PERP', 900_000), 'SOL-PERP', 'SELL');
    const alike = equalLegs(three);
    expect(weights(alike)).to.deep.equal([333_334, 333_333, 333_333]);
    expect(weights(balanced(alike))).to.deep.equal([500_000, 250_000, 250_000]);
    // If both are the same, weights follow the legs again.
    const halves = equalLegs(setWeight(pair, 'BTC-PERP', 900_000));
    expect(halves).to.deep.equal(pair);
    expect(equalLegs(EMPTY_BASKET)).to.deep.equal(EMPTY_BASKET);
  });

  it('is read from a link, with its weights or equal ones', () => {
    const linked = basketOf({ long: ['A', 'B'], short: ['C'], weights: [100_000, 400_000, 500_000] });
    expect(linked.legs.map(({ weight }) => weight)).to.deep.equal([100_000, 400_000, 500_000]);
    expect(basketOf({ long: ['A', 'B'], short: ['C'] }).legs.map(({ weight }) => weight)).to.deep.equal([
      250_000, 250_000, 500_000,
    ]);
  });

  it('says what is in the way', () => {
    expect(basketFault(EMPTY_BASKET)).to.equal('Add at least one leg.');
    expect(basketFault(setWeight(pair, 'BTC-PERP', 0))).to.match(/above 0/);
    expect(basketFault(setWeight(pair, 'BTC-PERP', 1))).to.match(/add up to 50\.0001 %/);
  });

  it('writes millionths as decimals', () => {
    expect([1, 10, 333_333, 500_000, 1_000_000].map(weightText)).to.deep.equal([
      '0.000001',
      '0.00001',
      '0.333333',
      '0.5',
      '1',
    ]);
  });

  it('sends legs that the contract takes and that sum to exactly 1, whatever was typed', () =>
    forAll([anyBasket, fc.boolean()], (basket, isBalanced) => {
      const legs = tradeLegs(isBalanced ? balanced(basket) : normalised(basket));
      expect(contractLegs.safeParse(legs).success).to.equal(true);
      const sum = legs.reduce((total, leg) => total + (scaled18(leg.amount) ?? 0n), 0n);
      expect(sum).to.equal(scaled18('1'));
    }));

  it('gives each side exactly half, however many legs share it', () => {
    const six = ids.slice(0, 6).reduce((basket, id) => addLeg(basket, id, 'BUY'), EMPTY_BASKET);
    const nine = ids.slice(6, 9).reduce((basket, id) => addLeg(basket, id, 'SELL'), six);
    expect(weightSum(legsOn(nine, 'BUY'))).to.equal(500_000);
    expect(basketFault(nine)).to.equal(null);
  });

  it('balances: half long, half short', () =>
    forAll([anyBasket], (basket) => {
      const even = balanced(basket);
      const longs = legsOn(even, 'BUY');
      if (longs.length === 0 || longs.length === even.legs.length) return;
      expect(weightSum(longs)).to.equal(500_000);
    }));

  it("knows its own equal weights in the gateway's, which round another leg", () =>
    forAll([fc.integer({ min: 1, max: 19 }), fc.integer({ min: 0, max: 19 })], (longs, shorts) => {
      const own = equalBasket(
        ids.slice(0, longs + shorts).map((id, index) => ({
          id,
          side: index < longs ? ('BUY' as const) : ('SELL' as const),
          weight: 0,
        })),
      );
      const equal = weighings(inOrder(own).map(({ side }) => ({ side, logs: [] }))).find(
        ({ weighting }) => weighting === 'EQUAL',
      );
      const theirs = weighed(own, equal?.millionths?.map(weightText) ?? []);
      expect(isWeighedAlike(own, theirs)).to.equal(true);
      const [first] = own.legs;
      if (first === undefined || own.legs.length === 1) return;
      const other = setWeight(own, first.id, Math.round(first.weight * 1.01));
      expect(isWeighedAlike(other, theirs), 'another weight').to.equal(false);
    }));
});
