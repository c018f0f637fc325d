/** Ratio candles: the ratios of domain/ratio.ts at opens and closes, where all legs have one. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Candle } from '../../../gateway/domain/candle.ts';
import { basketPrice, weightedRatio } from '../../../gateway/domain/ratio.ts';
import { ratioCandles, withExtremes } from '../../../gateway/domain/ratio-candles.ts';
import { forAll } from '../../support/property-runs.ts';

const at = (start: number, open: string, close: string): Candle => ({
  start,
  open,
  high: open,
  low: close,
  close,
});

describe('ratio candles', () => {
  const price = fc.integer({ min: 1, max: 10_000_000 }).map((units) => String(units / 1000));
  const leg = fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    weight: fc.integer({ min: 1, max: 1000 }).map(String),
    open: price,
    close: price,
  });

  it('are the exact ratios to eleven figures', () =>
    forAll([fc.array(leg, { minLength: 1, maxLength: 5 })], (legs) => {
      for (const [metric, exact] of [
        ['PRICE_RATIO', basketPrice],
        ['WEIGHTED_RATIO', weightedRatio],
      ] as const) {
        const [candle] = ratioCandles(
          metric,
          legs.map(({ side, weight, open, close }) => ({ side, weight, candles: [at(0, open, close)] })),
        );
        for (const pick of ['open', 'close'] as const) {
          const expected = exact(
            legs.map((one) => ({ side: one.side, price: one[pick], notional: one.weight })),
          );
          expect(Number(candle?.[pick]) / Number(expected)).to.be.closeTo(1, 1e-11);
        }
      }
    }));

  it('of one leg have its exact extremes, turned over where it is short', () => {
    const candles: Candle[] = [{ start: 0, open: '4', high: '10', low: '2', close: '5' }];
    for (const metric of ['PRICE_RATIO', 'WEIGHTED_RATIO'] as const) {
      expect(ratioCandles(metric, [{ side: 'BUY', weight: '3', candles }])).to.deep.equal(candles);
      expect(ratioCandles(metric, [{ side: 'SELL', weight: '3', candles }])).to.deep.equal([
        { start: 0, open: '0.25', high: '0.5', low: '0.1', close: '0.2' },
      ]);
    }
  });

  it('are left out where a leg has none', () => {
    const found = ratioCandles('PRICE_RATIO', [
      { side: 'BUY', weight: '1', candles: [at(0, '4', '6'), at(60, '6', '8'), at(120, '8', '9')] },
      { side: 'SELL', weight: '1', candles: [at(0, '2', '2'), at(120, '2', '3')] },
    ]);
    expect(found).to.deep.equal([
      { start: 0, open: '2', high: '3', low: '2', close: '3' },
      { start: 120, open: '4', high: '4', low: '3', close: '3' },
    ]);
    expect(ratioCandles('PRICE_RATIO', [])).to.deep.equal([]);
  });

  it('have the extremes of the finer candles inside', () => {
    const five: Candle = { start: 300_000, open: '2', high: '3', low: '2', close: '3' };
    const minute = (start: number, high: string, low: string): Candle => ({ ...five, start, high, low });
    const finer = [minute(300_000, '2.5', '1.5'), minute(360_000, '10', '9'), minute(600_000, '99', '0.1')];
    expect(withExtremes([five], '5m', finer)).to.deep.equal([{ ...five, high: '10', low: '1.5' }]);
    expect(withExtremes([five], '5m', [])).to.deep.equal([five]);
  });
});
