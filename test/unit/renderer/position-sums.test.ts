/** Sums over the account: never of a part of it that happens to be read. */
import { expect } from 'chai';
import { exposureOf, pastUnrealized } from '../../../renderer/screens/positions/position-sums.ts';
import { togetherCost } from '../../../renderer/screens/positions/together-cost.ts';

const BASKET = { grossNotional: '50000', netNotional: '-200.5' };
const past = (symbol: string, quantity: string) => ({ symbol, quantity, markPrice: '100', price: '90' });

describe('exposure of the account', () => {
  it('is of baskets and of what is in none, net by instrument', () => {
    const unassigned = [past('SOL-PERP', '10'), past('SOL-PERP', '-4'), past('XRP-PERP', '-4')];
    expect(exposureOf([BASKET], unassigned)).to.deep.equal({
      gross: '51000',
      net: '-0.5',
      pastGross: '1000',
    });
    expect(exposureOf([BASKET], [])).to.deep.include({ gross: '50000', pastGross: null });
  });

  it('is told with what has not been realised in no basket, at cost where there is no mark', () => {
    const of = (unrealizedPnl: string | null) => ({ unrealizedPnl });
    expect(pastUnrealized([of('0.11'), of('-0.02'), of(null)])).to.equal('0.09');
    expect(pastUnrealized([])).to.equal(null);
    expect(pastUnrealized(undefined)).to.equal(null);
  });

  it('is not known while one of the two is not read', () => {
    expect(exposureOf(undefined, [past('SOL-PERP', '10')])).to.deep.equal({
      gross: undefined,
      net: undefined,
      pastGross: '1000',
    });
    expect(exposureOf([BASKET], undefined)).to.deep.equal({
      gross: undefined,
      net: undefined,
      pastGross: null,
    });
  });
});

describe('the cost of closing several', () => {
  const leg = (quantity: string, fillable: string | null) => ({
    ticker: 'SOL',
    quantity,
    markPrice: '100',
    expected: fillable === null ? null : { fillable, isPartial: false },
  });
  const plan = (expectedCost: string | null, legs: readonly ReturnType<typeof leg>[]) => ({
    legs,
    expectedCost,
    expectedSlippage: null,
    totalFee: '0.1',
  });

  it('is the sum, past the marks of what would fill', () => {
    const both = [plan('0.5', [leg('2', '9')]), plan('-0.2', [leg('4', '1')])];
    // 0.3 USD on 2 × 100 and 1 × 100.
    expect(togetherCost(both)).to.deep.include({
      expectedCost: '0.3',
      expectedSlippage: '0.001',
      totalFee: '0.2',
    });
  });

  it('is not known while that of one is not', () => {
    expect(togetherCost([plan('0.5', [leg('2', '9')]), null])).to.equal(null);
    expect(togetherCost([plan('0.5', [leg('2', '9')]), plan(null, [leg('4', null)])])).to.deep.include({
      expectedCost: null,
      expectedSlippage: null,
      totalFee: '0.2',
    });
  });
});
