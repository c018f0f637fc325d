/** Query for a basket's ratio: weights that all count, or none. */
import { expect } from 'chai';
import { basketQuery, hasPast } from '../../../renderer/features/ratio-chart/basket-query.ts';

const leg = (id: string, side: 'BUY' | 'SELL', weight: number) => ({ id, side, weight });

describe('what is asked of a basket’s ratio', () => {
  const weighed = [leg('A', 'BUY', 2_500), leg('B', 'BUY', 2_500), leg('C', 'SELL', 5_000)];
  const unweighed = [leg('A', 'BUY', 5_000), leg('B', 'BUY', 0), leg('C', 'SELL', 5_000)];

  it('has no weights, and a weighted ratio so no past, where one of them is nothing', () => {
    expect(hasPast(weighed, { metric: 'WEIGHTED_RATIO' })).to.equal(true);
    expect(basketQuery(weighed, { metric: 'WEIGHTED_RATIO' })).to.have.property('weights');
    expect(hasPast(unweighed, { metric: 'WEIGHTED_RATIO' })).to.equal(false);
    expect(basketQuery(unweighed, { metric: 'WEIGHTED_RATIO' })).to.not.have.property('weights');
  });

  it('has a past of a pair’s price ratio, which no weight changes', () => {
    const pair = [leg('A', 'BUY', 0), leg('C', 'SELL', 5_000)];
    expect(hasPast(pair, { metric: 'PRICE_RATIO' })).to.equal(true);
    expect(basketQuery(pair, { metric: 'PRICE_RATIO' })).to.deep.equal({
      ...{ metric: 'PRICE_RATIO', long: ['A'], short: ['C'] },
    });
  });
});
