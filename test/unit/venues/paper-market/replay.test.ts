import { expect } from 'chai';
import type { Candle } from '../../../../gateway/venues/paper/market/replay.ts';
import { createReplaySource, parseCandlesCsv } from '../../../../gateway/venues/paper/market/replay.ts';
import { unwrap } from '../../../support/unwrap.ts';

const T0 = 1_753_315_200_000;
const CSV = `symbol,t,open,high,low,close,volume
BTC,1753315200000,118826,118841,118779,118790,15.66009
BTC,1753315260000,118790,118820,118743,118810,7.44868
ETH,1753315260000,3620.1,3622,3618.4,3619,120.5
`;

function candles(): readonly Candle[] {
  return unwrap(parseCandlesCsv(CSV));
}

describe('paper market: replay', () => {
  it('reads candles from CSV', () => {
    expect(candles()).to.have.length(3);
    expect(candles()[0]).to.deep.equal({
      symbol: 'BTC',
      t: T0,
      open: 118826,
      high: 118841,
      low: 118779,
      close: 118790,
      volume: 15.66009,
    });
    expect(parseCandlesCsv(CSV.replaceAll('\n', '\r\n'))).to.deep.equal({ ok: true, value: candles() });
  });

  it('names the line that is no candle', () => {
    const broken = [
      ['BTC,1753315200000,1,2,1,1', 'missing column'],
      ['BTC,1753315200000,1,2,1,,1', 'empty cell'],
      ['BTC,1753315200000,1,2,1,x,1', 'no number'],
      ['BTC,1753315200000,0,2,1,1,1', 'price of zero'],
      ['BTC,1753315200000,3,2,1,1,1', 'high below the open'],
      ['BTC,1753315200000,1,2,1.5,1,1', 'low above the close'],
      ['BTC,1753315200000,1,2,1,1,-1', 'negative volume'],
      [',1753315200000,1,2,1,1,1', 'no symbol'],
    ] as const;
    for (const [line, why] of broken) {
      const parsed = parseCandlesCsv(`symbol,t,open,high,low,close,volume\nBTC,1,1,1,1,1,0\n${line}\n`);
      expect(parsed, why).to.deep.equal({ ok: false, error: 'line 3: not a candle' });
    }
    const headless = parseCandlesCsv('BTC,1,1,1,1,1,0');
    expect(headless.ok).to.equal(false);
  });

  it('walks a falling candle over its high, a rising one over its low', () => {
    const source = createReplaySource(candles());
    const path = [0, 10_000, 20_000, 30_000, 40_000, 50_000].map((ms) => source.priceAt('BTC', ms));
    expect(path).to.deep.equal([118826, 118833.5, 118841, 118810, 118779, 118784.5]);
    expect(source.priceAt('BTC', 60_000)).to.equal(118790);
    expect(source.priceAt('BTC', 80_000)).to.equal(118743);
    expect(source.priceAt('BTC', 100_000)).to.equal(118820);
    expect(source.priceAt('BTC', 120_000)).to.equal(118810);
  });

  it('knows when each recording begins and ends', () => {
    const source = createReplaySource(candles());
    expect(source.symbols).to.deep.equal(['BTC', 'ETH']);
    expect(source.endOf('BTC')).to.equal(120_000);
    expect(source.priceAt('ETH', 59_900)).to.equal(undefined);
    expect(source.priceAt('ETH', 60_000)).to.equal(3620.1);
    expect(source.priceAt('SOL', 0)).to.equal(undefined);
    expect(source.endOf('SOL')).to.equal(undefined);
  });

  it('holds the last close over a hole, whatever order the rows came in', () => {
    const row = (t: number, price: number): Candle => ({
      symbol: 'SOL',
      t: T0 + t,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 0,
    });
    const source = createReplaySource([row(240_000, 4), row(0, 1), row(60_000, 2)]);
    expect([0, 60_000, 150_000, 239_999, 240_000].map((ms) => source.priceAt('SOL', ms))).to.deep.equal([
      1, 2, 2, 2, 4,
    ]);
  });
});
