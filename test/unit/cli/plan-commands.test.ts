/** Output of `--dry-run` for a plan. */
import { expect } from 'chai';
import { openTrade } from '../../../gateway/contract/positions.ts';
import { OPEN, TradingStub } from './trading-stub.ts';

describe('plans of orders', () => {
  const desk = new TradingStub();
  afterEach(() => desk.close());
  const run: TradingStub['run'] = (argv, routes) => desk.run(argv, routes);
  const sent: TradingStub['sent'] = (method, path) => desk.sent(method, path);

  it('shows the plan of a dry run with its problems, and orders and changes nothing', async () => {
    const leg = {
      symbol: 'BTC-PERP',
      ticker: 'BTC',
      side: 'BUY',
      quantity: '0.005',
      price: '100000',
      limitPrice: '101000',
      notional: '500',
      leverage: 5,
      marginMode: 'cross',
      margin: '100',
      fee: '0.225',
      problem: { code: 'MIN_NOTIONAL', message: 'too small' },
    };
    const plan = {
      legs: [leg],
      grossNotional: '500',
      netNotional: '500',
      totalFee: '0.225',
      marginRequired: '100',
      freeMargin: '99',
      netFundingHourly: '-0.02136531521',
      problems: [{ code: 'INSUFFICIENT_MARGIN', message: 'not enough', symbol: null }],
    };
    const end = await run([...OPEN, '--dry-run', '--leverage', '3'], {
      'POST /trade/open': () => [200, { plan }],
    });
    expect(end.code).to.equal(1);
    expect(end.out).to.match(
      /BTC +long +0\.005 +100,000 +101,000 +500\.00 +5x cross +100\.00 +0\.2250 +MIN_NOTIONAL/,
    );
    expect(end.out)
      .to.match(/free margin +99\.00 USD/)
      .and.to.match(/funding at this rate +you receive 0\.021365 USD/);
    expect(end.err)
      .to.contain('INSUFFICIENT_MARGIN: not enough')
      .and.to.contain('MIN_NOTIONAL: too small')
      .and.to.contain('nothing was ordered')
      .and.to.contain('--leverage was not applied');
    expect(desk.seen.filter((one) => one.method === 'PUT')).to.deep.equal([]);
    expect(openTrade.body.parse(sent('POST', '/trade/open')[0]?.body).dryRun).to.equal(true);
  });

  describe('expected slippage', () => {
    const leg = {
      ...{ symbol: 'BTC-PERP', ticker: 'BTC', side: 'BUY', quantity: '0.005', price: '100000' },
      ...{ limitPrice: '101000', notional: '500', leverage: 5, marginMode: 'cross', margin: '100' },
      ...{ fee: '0.225', problem: null },
    };
    const fill = (fillable: string, isPartial = false) => ({
      ...{
        fillable,
        averagePrice: '100012.5',
        slippage: '0.000125',
        cost: '0.0625',
        depth: '90000',
        isPartial,
      },
    });
    const shown = async (expected: object | null, cost: string | null) => {
      const plan = {
        legs: [{ ...leg, expected }],
        ...{ grossNotional: '500', netNotional: '500', totalFee: '0.225', marginRequired: '100' },
        ...{ freeMargin: '99', netFundingHourly: '0', problems: [] },
        ...{ expectedCost: cost, expectedSlippage: cost === null ? null : '0.000125' },
      };
      return (await run([...OPEN, '--dry-run'], { 'POST /trade/open': () => [200, { plan }] })).out;
    };

    it('of an opening: the mean price beside the worst, and what it costs', async () => {
      const out = await shown(fill('0.005'), '0.0625');
      expect(out).to.match(/BTC +long +0\.005 +100,000 +100,012\.5 +101,000/);
      expect(out).to.match(/expected slippage +\+0\.0625 USD, \+0\.013% past the marks/);
      expect(await shown(fill('0.005'), '-0.0625')).to.match(
        /expected slippage +-0\.0625 USD, -0\.013% past the marks/,
      );
    });

    it('of a book that is too thin, that is known in part, or not at all', async () => {
      expect(await shown(fill('0.004'), '0.05')).to.match(/expected slippage +the book is too thin: BTC/);
      expect(await shown(fill('0.004', true), '0.05')).to.match(/more than the known part of the book: BTC/);
      const unknown = await shown(null, null);
      expect(unknown)
        .to.match(/expected slippage +not known/)
        .and.not.to.match(/EXPECTED/);
    });
  });

  it('of the account after it: a ratio that nothing backs is over 100%, one that is not known is not shown', async () => {
    const shown = async (marginRatio: string | null, unknownTiers?: readonly string[]) => {
      const after = {
        ...{ freeMargin: '10', marginRatio, maintenanceMargin: '5', basket: null, legs: [] },
        ...(unknownTiers && { unknownTiers }),
      };
      const plan = {
        ...{ legs: [], grossNotional: '0', netNotional: '0', totalFee: '0', marginRequired: '0' },
        ...{ freeMargin: '99', netFundingHourly: '0', problems: [], after },
      };
      return (await run([...OPEN, '--dry-run'], { 'POST /trade/open': () => [200, { plan }] })).out;
    };
    expect(await shown('0.25', [])).to.match(/margin ratio after +25(\.\d+)?%/);
    expect(await shown(null, [])).to.match(/margin ratio after +over 100%/);
    expect(await shown(null, ['OLD-PERP']))
      .to.match(/free margin after +10/)
      .and.to.match(/margin ratio after +–/);
  });
});
