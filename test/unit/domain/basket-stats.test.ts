import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalLegs, displaySymbol } from '../../../gateway/domain/basket.ts';
import { basketFigures, basketTradeability, type LegFigures } from '../../../gateway/domain/basket-stats.ts';
import { dec } from '../../../gateway/domain/decimal.ts';
import type { Side } from '../../../gateway/domain/model.ts';
import { basketPrice, weightedRatio } from '../../../gateway/domain/ratio.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

interface Leg {
  readonly mark: string;
  readonly before?: string;
  /** Per interval. */
  readonly rate?: string;
  readonly hours?: number;
  readonly volume?: string;
  readonly interest?: string;
}

function leg(side: Side, { mark, before = mark, rate = '0', hours = 1, volume, interest }: Leg): LegFigures {
  const id = 'X-PERP';
  const symbol = 'X';
  return {
    side,
    quote: {
      id,
      symbol,
      mark,
      last: mark,
      index: mark,
      mid: mark,
      bid: mark,
      ask: mark,
      price24hAgo: before,
      updatedAt: 0,
    },
    funding: { id, symbol, rate, intervalHours: hours, nextFundingTime: 0 },
    stats: { id, volume24h: volume ?? '1000', openInterest: interest ?? '500' },
  };
}

describe('basket statistics', () => {
  it('of a pair: price ratio, its square root, their changes, funding difference, the smaller leg', () => {
    // 100 ÷ 25 = 4, √4 = 2. A day ago 90 ÷ 40 = 2.25, √2.25 = 1.5: 4 ÷ 2.25 − 1 = 0.7777…, 2 ÷ 1.5 − 1 = 0.3333…
    // Half of 0.0008 per 8 hours less half of −0.00006 per hour: 0.00005 + 0.00003.
    expect(
      basketFigures([
        leg('BUY', { mark: '100', before: '90', rate: '0.0008', hours: 8, volume: '70.5', interest: '9' }),
        leg('SELL', { mark: '25', before: '40', rate: '-0.00006', volume: '70.4', interest: '10' }),
      ]),
    ).to.deep.equal({
      price: '4',
      priceChange24h: '0.77777778',
      weightRatio: '2',
      weightRatioChange24h: '0.33333333',
      netFunding: '0.00008',
      volume24h: '70.4',
      openInterest: '9',
    });
  });

  it('of two longs and a short: each side weighs a half, its legs the same', () => {
    // Longs √(4 × 9) = 6, short 2: price 3. weightRatio 4^¼ × 9^¼ ÷ 2^½ = √6 ÷ √2 = √3 = 1.7320508075688772….
    // Funding ¼ × 0.0004 + ¼ × 0.0008 − ½ × 0.0002 = 0.0002.
    const figures = basketFigures([
      leg('BUY', { mark: '4', rate: '0.0004' }),
      leg('BUY', { mark: '9', rate: '0.0008' }),
      leg('SELL', { mark: '2', rate: '0.0002' }),
    ]);
    expect(figures.price).to.equal('3');
    expect(figures.weightRatio).to.equal('1.73205080757');
    expect(figures.priceChange24h).to.equal('0');
    expect(figures.netFunding).to.equal('0.0002');
  });

  it('of one side only: it weighs all, and the missing side counts 1', () => {
    const long = basketFigures([
      leg('BUY', { mark: '4', rate: '0.0001' }),
      leg('BUY', { mark: '9', rate: '0.0003' }),
    ]);
    expect(long.price).to.equal('6');
    expect(long.weightRatio).to.equal('6');
    expect(long.netFunding).to.equal('0.0002');
    const short = basketFigures([leg('SELL', { mark: '4', before: '5', rate: '0.0001' })]);
    expect(short.price).to.equal('0.25');
    expect(short.weightRatio).to.equal('0.25');
    expect(short.priceChange24h).to.equal('0.25');
    expect(short.netFunding).to.equal('-0.0001');
  });

  it('is what the formula with logarithms gives, to 11 figures, whatever the basket', () => {
    const price = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 8 }))
      .map(([digits, places]) =>
        dec(digits)
          .div(10 ** places)
          .toFixed(),
      );
    const side = fc.array(price, { maxLength: 10 });
    forAll([side, side], propertyRuns(50), (longs, shorts) => {
      fc.pre(longs.length + shorts.length > 0);
      const figures = basketFigures([
        ...longs.map((mark) => leg('BUY', { mark })),
        ...shorts.map((mark) => leg('SELL', { mark })),
      ]);
      // A leg weighs in inverse proportion to the number of legs on its side.
      const weigh = (prices: readonly string[], of: Side, others: number) =>
        prices.map((one) => ({ side: of, price: one, notional: String(Math.max(1, others)) }));
      const legs = [...weigh(longs, 'BUY', shorts.length), ...weigh(shorts, 'SELL', longs.length)];
      for (const [own, general] of [
        [figures.price, basketPrice(legs)],
        [figures.weightRatio, weightedRatio(legs)],
      ]) {
        const apart = dec(own ?? '0')
          .div(general ?? '1')
          .minus(1)
          .abs();
        expect(apart.lt('1e-11'), `${own} ${general}`).to.equal(true);
      }
    });
  });

  it('is null where the venue has not told what it takes, never 0', () => {
    const untold: LegFigures = { side: 'SELL', quote: undefined, funding: undefined, stats: undefined };
    expect(basketFigures([leg('BUY', { mark: '4' }), untold])).to.deep.equal({
      price: null,
      priceChange24h: null,
      weightRatio: null,
      weightRatioChange24h: null,
      netFunding: null,
      volume24h: null,
      openInterest: null,
    });
    const young = basketFigures([leg('BUY', { mark: '4' }), leg('SELL', { mark: '2', before: '0' })]);
    expect(young.price).to.equal('2');
    expect(young.priceChange24h).to.equal(null);
    expect(young.weightRatioChange24h).to.equal(null);
  });

  it('is as tradable as the least tradable leg', () => {
    const of = (...statuses: ('tradable' | 'reduce_only' | 'not_tradable' | null)[]) =>
      basketTradeability(
        statuses.map((status, index) => ({
          symbol: `${index}-PERP`,
          tradeability:
            status === null ? null : { status, reason: status === 'tradable' ? null : 'Delisting' },
        })),
      );
    expect(of('tradable', 'tradable')).to.deep.equal({ status: 'tradable', reason: null });
    expect(of('tradable', 'reduce_only')).to.deep.equal({
      status: 'reduce_only',
      reason: '1-PERP: Delisting',
    });
    expect(of('not_tradable', 'reduce_only').status).to.equal('not_tradable');
    expect(of(null, 'tradable')).to.deep.equal({ status: 'not_tradable', reason: '0-PERP: not listed' });
  });

  it('names a basket by its tickers, longs before shorts', () => {
    const legs = canonicalLegs([
      { symbol: 'ETH-PERP', side: 'SELL' },
      { symbol: 'SOL-PERP', side: 'BUY' },
      { symbol: 'BTC-PERP', side: 'BUY' },
    ]);
    expect(legs.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP', 'SOL-PERP', 'ETH-PERP']);
    expect(displaySymbol(legs, ['BTC', 'SOL', 'ETH'])).to.equal('BTC+SOL/ETH');
    expect(displaySymbol([{ symbol: 'BTC-PERP', side: 'BUY' }], ['BTC'])).to.equal('BTC');
    expect(displaySymbol([{ symbol: 'BTC-PERP', side: 'SELL' }], ['BTC'])).to.equal('/BTC');
  });
});
