/** The legs beside a candle of their ratio are of the candle's own moment. */
import { expect } from 'chai';
import { closingPrices, livePrices } from '../../../renderer/components/readout-legs.ts';

const BTC = {
  name: 'BTC',
  closes: new Map([
    [60, 99_000],
    [120, 100_000],
  ]),
  live: 101_000,
};
const ETH = { name: 'ETH', closes: new Map([[120, 4_000]]), live: 4_040 };

describe('prices of the legs beside a candle', () => {
  it('are those of its end', () => {
    expect(closingPrices([BTC, ETH], 120)).to.deep.equal([
      { name: 'BTC', price: 100_000 },
      { name: 'ETH', price: 4_000 },
    ]);
    expect(closingPrices([BTC, ETH], 60)).to.deep.equal([{ name: 'BTC', price: 99_000 }]);
  });

  it('are the present ones while it runs, never those of an earlier read', () => {
    const [btc, eth] = livePrices([BTC, ETH]);
    expect([btc?.price, eth?.price]).to.deep.equal([101_000, 4_040]);
    expect(livePrices([BTC, { ...ETH, live: null }])).to.deep.equal([{ name: 'BTC', price: 101_000 }]);
  });
});
