import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../gateway/domain/decimal.ts';
import type { LegMode, TradeLeg } from '../../../gateway/domain/model.ts';
import { isValidPrice } from '../../../gateway/domain/price-rules.ts';
import { type LegFacts, planBasket } from '../../../gateway/domain/sizing.ts';
import { forAll } from '../../support/property-runs.ts';
import { instrument, quote } from './instruments.ts';

const account = { freeMargin: '100000', takerRate: '0.0005' };

function facts(mark: string, over: Partial<LegFacts> = {}): LegFacts {
  return {
    instrument: instrument(),
    quote: quote(mark),
    stale: false,
    funding: undefined,
    leverage: undefined,
    venueNet: '0',
    reduces: false,
    ...over,
  };
}

function leg(amount: string, mode: LegMode = 'USD', side: TradeLeg['side'] = 'BUY'): TradeLeg {
  return { symbol: 'BTC-PERP', side, mode, amount };
}

function plan(asked: TradeLeg, legFacts: LegFacts, over = {}) {
  return planBasket({ legs: [asked], totalUsd: null, slippage: '0.01' }, [legFacts], { ...account, ...over });
}

describe('sizing', () => {
  it('never exceeds the ask and never breaks a venue rule, whatever is asked', () => {
    const usd = fc.integer({ min: 1, max: 5_000_000 }).map((cents) => (cents / 100).toFixed(2));
    const mark = fc
      .tuple(fc.integer({ min: 10_000, max: 99_999 }), fc.integer({ min: -8, max: 1 }))
      .map(([digits, exponent]) => dec(digits).mul(dec(10).pow(exponent)).toFixed());
    const step = fc.constantFrom('0.00001', '0.001', '0.1', '1', '10');
    const side = fc.constantFrom('BUY' as const, 'SELL' as const);
    forAll([usd, mark, step, side], (amount, price, stepSize, which) => {
      const tickSize = '0.00000001';
      const rules = instrument({ stepSize, tickSize });
      const planned = plan(leg(amount, 'USD', which), facts(price, { instrument: rules }));
      const sized = planned.legs[0];
      if (sized === undefined) throw new Error('no leg');
      expect(dec(sized.quantity).mul(price).lte(amount)).to.equal(true);
      expect(dec(sized.quantity).mod(stepSize).isZero()).to.equal(true);
      if (sized.problem === null) {
        expect(isValidPrice(dec(sized.limitPrice), rules)).to.equal(true);
        expect(dec(sized.quantity).mul(sized.limitPrice).gte(rules.minNotional)).to.equal(true);
        expect(dec(sized.quantity).mul(price).gte(rules.minNotional)).to.equal(true);
      }
    });
  });

  it('USD, BASE and WEIGHT give the quantity that hand calculation gives', () => {
    expect(plan(leg('1000'), facts('117571')).legs[0]?.quantity).to.equal('0.0085');
    expect(plan(leg('0.123456789', 'BASE'), facts('117571')).legs[0]?.quantity).to.equal('0.12345');
    const weighted = planBasket(
      { legs: [leg('0.25', 'WEIGHT')], totalUsd: '4000', slippage: '0.01' },
      [facts('50000')],
      account,
    );
    expect(weighted.legs[0]?.quantity).to.equal('0.02');
    expect(weighted.legs[0]?.notional).to.equal('1000');
  });

  it('says in dollars, at which price, what is below the minimum', () => {
    const said = (amount: string, side: 'BUY' | 'SELL') =>
      plan(leg(amount, 'USD', side), facts('100')).problems.map(({ message }) => message.split(': ')[1]);
    expect(said('9', 'BUY')).to.deep.equal(["$9.00 is below the venue's minimum of $10.00"]);
    expect(said('10.05', 'SELL')).to.deep.equal([
      "$9.94 at its price limit is below the venue's minimum of $10.00",
    ]);
  });

  const problems: readonly [string, TradeLeg, LegFacts, string][] = [
    ['a leg below the minimum', leg('9'), facts('100'), 'MIN_NOTIONAL'],
    ['a sell whose limit falls below the minimum', leg('10.05', 'USD', 'SELL'), facts('100'), 'MIN_NOTIONAL'],
    ['a leg below one step', leg('0.5'), facts('100000'), 'ZERO_QUANTITY'],
    [
      'a leg below the smallest quantity',
      leg('200'),
      facts('100', { instrument: instrument({ minQuantity: '2.00001' }) }),
      'MIN_QUANTITY',
    ],
    [
      'a leg above the largest quantity',
      leg('200'),
      facts('100', { instrument: instrument({ maxQuantity: '1.99999' }) }),
      'MAX_QUANTITY',
    ],
    [
      'a price that the band keeps from the market',
      leg('200'),
      facts('100', { instrument: instrument({ priceBand: '0.05' }), quote: quote('100', { index: '95' }) }),
      'PRICE_BAND',
    ],
    ['no price', leg('100'), facts('100', { quote: undefined }), 'PRICE_STALE'],
    ['a stale price', leg('100'), facts('100', { stale: true }), 'PRICE_STALE'],
    [
      'an instrument that is not tradable',
      leg('100'),
      facts('100', {
        instrument: instrument({ tradeability: { status: 'not_tradable', reason: 'delisted' } }),
      }),
      'NOT_TRADABLE',
    ],
    [
      'a reduce-only instrument that the order would enlarge',
      leg('100'),
      facts('100', { instrument: instrument({ tradeability: { status: 'reduce_only', reason: null } }) }),
      'REDUCE_ONLY',
    ],
    [
      'a position above the last leverage tier',
      leg('2000'),
      facts('100', {
        instrument: instrument({
          leverageTiers: [{ maxNotional: '1000', maxLeverage: 10, maintenanceRate: '0.05' }],
        }),
      }),
      'RISK_LIMIT',
    ],
  ];
  for (const [name, asked, legFacts, code] of problems) {
    it(`refuses ${name}: ${code}, naming the leg`, () => {
      const planned = plan(asked, legFacts);
      expect(planned.problems.map((problem) => problem.code)).to.deep.equal([code]);
      expect(planned.problems[0]?.message).to.include('Leg 1 (BTC-PERP');
    });
  }

  it('refuses a basket above the free margin and says both figures', () => {
    const planned = plan(leg('1000'), facts('100'), { freeMargin: '150' });
    expect(planned.problems[0]?.code).to.equal('INSUFFICIENT_MARGIN');
    // 1,000 USD at 5× on the limit of 101 is 202, the fee 0.05 % of 1,010 is 0.505.
    expect(planned.problems[0]?.message).to.include('202.50').and.to.include('150.00');
  });

  it('asks no margin for what reduces the net position at the venue, even with nothing free', () => {
    const planned = plan(leg('500', 'USD', 'SELL'), facts('100', { venueNet: '10', reduces: true }), {
      freeMargin: '0',
    });
    expect(planned.problems).to.deep.equal([]);
    expect(planned.legs[0]?.reduceOnly).to.equal(true);
    expect(planned.marginRequired).to.equal('0');
  });

  it('a close larger than the net position at the venue is not sent reduce-only', () => {
    const planned = plan(leg('10', 'BASE', 'SELL'), facts('100', { venueNet: '2', reduces: true }));
    expect(planned.legs[0]?.reduceOnly).to.equal(false);
  });

  it('nets funding over the sides: positive when the holder pays', () => {
    const funding = {
      id: 'BTC-PERP',
      symbol: 'BTC',
      rate: '0.0008',
      intervalHours: 8,
      nextFundingTime: 0,
    } as const;
    const planned = planBasket(
      {
        legs: [leg('1000'), { ...leg('400', 'USD', 'SELL'), symbol: 'ETH-PERP' }],
        totalUsd: null,
        slippage: '0.01',
      },
      [facts('100', { funding }), facts('100', { funding })],
      account,
    );
    expect(planned.netFundingHourly).to.equal('0.06');
    expect(planned.grossNotional).to.equal('1400');
    expect(planned.netNotional).to.equal('600');
  });
});
