/** A basket's ratio candles from those of its legs, read leg by leg and made in pieces: the same as made at once. */
import { expect } from 'chai';
import type { Candle } from '../../../gateway/domain/candle.ts';
import { type CandleInterval, INTERVAL_MS } from '../../../gateway/domain/candle-intervals.ts';
import { ratioCandles, withExtremes } from '../../../gateway/domain/ratio-candles.ts';
import { createRatioHistory } from '../../../gateway/market/ratio-history.ts';

const BEGIN = Date.UTC(2026, 0, 31);
const HOUR_MS = INTERVAL_MS['1h'];
const TO = BEGIN + 700 * HOUR_MS;

/** Prices that rise and fall, and of which every `missing`-th is not there. */
function series(interval: CandleInterval, from: number, to: number, level: number, missing: number) {
  const step = INTERVAL_MS[interval];
  const made: Candle[] = [];
  for (let start = Math.ceil(from / step) * step; start < to; start += step) {
    const turn = start / step;
    if (turn % missing === 0) continue;
    const price = (at: number) => String(level + Math.round(500 * Math.sin(at)) / 100);
    made.push({ start, open: price(turn), high: price(turn), low: price(turn + 1), close: price(turn + 1) });
  }
  return made;
}

describe('ratio history', () => {
  const shape: Readonly<Record<string, readonly [level: number, missing: number]>> = {
    A: [100, 97],
    B: [20, 101],
    C: [3000, 2],
  };
  const asked: string[] = [];
  const candles = (symbol: string, interval: CandleInterval, from: number, to: number) => {
    const [level, missing] = shape[symbol] ?? [1, 1];
    return series(interval, from, to, level, missing);
  };
  const history = createRatioHistory({
    candles: async ({ symbol, interval }, from, to) => {
      asked.push(`${symbol} ${interval}`);
      return candles(symbol, interval, from, to);
    },
  });
  const legs = [
    { symbol: 'A', side: 'BUY', weight: '0.6' },
    { symbol: 'B', side: 'SELL', weight: '0.3' },
    { symbol: 'C', side: 'SELL', weight: '0.1' },
  ] as const;
  const request = { connector: 'paper', metric: 'WEIGHTED_RATIO', legs, from: BEGIN, to: TO } as const;

  const atOnce = (interval: CandleInterval, from = BEGIN) =>
    ratioCandles(
      'WEIGHTED_RATIO',
      legs.map(({ symbol, side, weight }) => ({
        side,
        weight,
        candles: candles(symbol, interval, from, TO),
      })),
    );

  beforeEach(() => {
    asked.length = 0;
  });

  it('of many pieces is the one of a single piece, gaps of the legs included', async () => {
    const whole = atOnce('1h');
    expect(whole.length).to.be.within(300, 350);
    const expected = withExtremes(whole, '1h', atOnce('5m', whole[0]?.start));
    expect(await history({ ...request, interval: '1h' })).to.deep.equal(expected);
    expect(asked).to.deep.equal(['A 1h', 'B 1h', 'C 1h', 'A 5m', 'B 5m', 'C 5m']);
  });

  it('of the shortest interval has no finer candles inside', async () => {
    const minutes = { ...request, interval: '1m', to: BEGIN + 2 * HOUR_MS } as const;
    expect(await history(minutes)).to.deep.equal(atOnce('1m').filter(({ start }) => start < minutes.to));
    expect(asked).to.deep.equal(['A 1m', 'B 1m', 'C 1m']);
  });

  it('of a leg without candles is empty, and asks for no finer ones', async () => {
    const nothing = [legs[0], { symbol: 'nowhere', side: 'SELL', weight: '1' }] as const;
    expect(await history({ ...request, legs: nothing, interval: '1h' })).to.deep.equal([]);
    expect(asked).to.deep.equal(['A 1h', 'nowhere 1h']);
  });
});
