/** The legs beside a candle of their ratio are of the candle's own moment. */
import { expect } from 'chai';
import { closingPrices, legPoints, livePrices } from '../../../renderer/components/readout-legs.ts';

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

describe('the line of a leg', () => {
  const rows = (...times: number[]) => times.map((time) => ({ time }));
  const read = (closes: readonly (readonly [number, number])[], time: number, close: number) => ({
    ...{ closes: new Map(closes), running: { time, close } },
  });

  it('has what was read of the candle that runs, as long as it runs', () => {
    const leg = read([[60, 99]], 120, 100);
    expect(legPoints(rows(60, 120), leg, new Map())).to.deep.equal([
      { time: 60, value: 99 },
      { time: 120, value: 100 },
    ]);
    // It moved on after it was read.
    expect(legPoints(rows(60, 120, 180), leg, new Map())).to.deep.equal([{ time: 60, value: 99 }]);
  });

  it('keeps the last live price of a candle until its close is read', () => {
    const lived = new Map([[120, 102]]);
    expect(legPoints(rows(120, 180), read([[60, 99]], 120, 100), lived)).to.deep.equal([
      { time: 120, value: 102 },
    ]);
    const anew = read(
      [
        [60, 99],
        [120, 103],
      ],
      180,
      104,
    );
    expect(legPoints(rows(120, 180), anew, lived)).to.deep.equal([
      { time: 120, value: 103 },
      { time: 180, value: 104 },
    ]);
    expect([...lived]).to.deep.equal([]);
  });

  it('has nothing of another interval while it is not read', () => {
    const lived = new Map([[120, 102]]);
    expect(legPoints(rows(0, 120), { closes: new Map(), running: null }, lived)).to.deep.equal([]);
  });
});
