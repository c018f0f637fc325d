/** Sums over the account: never of a part of it that happens to be read. */
import { expect } from 'chai';
import { exposureOf, pastUnrealized } from '../../../renderer/screens/positions/position-sums.ts';

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
