/** `GET /analytics/weights`, `…/pair/summary` and `…/funding` over HTTP, recomputed from the answers of everybody. */
import { expect } from 'chai';
import { getBasketWeights, getPairSummary } from '../../gateway/contract/basket-analytics.ts';
import { getBasketFunding } from '../../gateway/contract/basket-funding.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { startTimedGateway } from '../support/timed-gateway.ts';

const HOUR_MS = 3_600_000;
const HOURS = 720;
const DUE_AT = Date.UTC(2026, 0, 31, 13);

describe('weights and summaries of pairs', () => {
  // Funding of the hour is due ten seconds later.
  const gateway = openForSuite(() => startTimedGateway({}, DUE_AT - 10_000, true));
  before(async () => {
    await gateway.clock.advance(1_000);
  });

  async function read(path: string): Promise<Json> {
    return gateway.expect('GET', path);
  }
  const weightsOf = async (query: string): Promise<Json> =>
    getBasketWeights.success[200].parse(await read(`/analytics/weights?connector=paper&${query}`));
  async function logs(symbol: string): Promise<readonly number[]> {
    const now = Math.floor(gateway.clock.now() / HOUR_MS) * HOUR_MS;
    const range = `from=${now - HOURS * HOUR_MS}&to=${now}`;
    const { candles } = await read(`/candles?connector=paper&symbol=${symbol}-PERP&interval=1h&${range}`);
    return candles.map(({ close }: Json) => Math.log(Number(close)));
  }
  const steps = (values: readonly number[]) =>
    values.slice(1).map((one, index) => one - (values[index] ?? 0));
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const covariance = (a: readonly number[], b: readonly number[]) =>
    mean(a.map((one, index) => (one - mean(a)) * ((b[index] ?? 0) - mean(b))));
  const average = (a: readonly number[], b: readonly number[]) =>
    a.map((one, index) => (one + (b[index] ?? 0)) / 2);
  const named = ({ weightings }: Json, name: string): Json =>
    weightings.find(({ weighting }: Json) => weighting === name);

  it('weighs a basket of three legs in four ways, each to exactly 1', async () => {
    const found = await weightsOf('long=SOL-PERP,BTC-PERP&short=ETH-PERP');
    expect(found).to.include({ lookback: '30d', interval: '1h', observations: HOURS });
    expect(found.legs.map(({ symbol, side }: Json) => `${side} ${symbol}`)).to.deep.equal([
      'BUY SOL-PERP',
      'BUY BTC-PERP',
      'SELL ETH-PERP',
    ]);
    for (const { weights } of found.weightings) {
      const millionths = weights.map((one: string) => Math.round(Number(one) * 1e6));
      expect(millionths.reduce((sum: number, one: number) => sum + one, 0)).to.equal(1_000_000);
    }
    expect(named(found, 'EQUAL').weights).to.deep.equal(['0.25', '0.25', '0.5']);
    const [sol, btc, eth] = [await logs('SOL'), await logs('BTC'), await logs('ETH')];
    const inverse = [sol, btc, eth].map((one) => 1 / Math.sqrt(covariance(steps(one), steps(one))));
    const whole = inverse.reduce((sum, one) => sum + one, 0);
    for (const [index, weight] of named(found, 'VOLATILITY_NEUTRAL').weights.entries())
      expect(Number(weight)).to.be.closeTo((inverse[index] ?? 0) / whole, 2e-6);
    const longs = average(sol, btc);
    const beta = covariance(steps(longs), steps(eth)) / covariance(steps(eth), steps(eth));
    const hedge = covariance(longs, eth) / covariance(eth, eth);
    for (const [name, slope] of [
      ['BETA_NEUTRAL', beta],
      ['HEDGE_RATIO', hedge],
    ] as const) {
      const one = named(found, name);
      expect(Number(one.figure)).to.be.closeTo(slope, 1e-8);
      if (slope <= 0) expect(one).to.include({ weights: null, reason: 'NOT_POSITIVE' });
      else {
        expect(Number(one.weights[2])).to.be.closeTo(slope / (1 + slope), 2e-6);
        expect(Number(one.weights[0])).to.be.closeTo(0.5 / (1 + slope), 2e-6);
      }
    }
  });

  it('says why there are no weights', async () => {
    const found = await weightsOf('long=SOL-PERP,BTC-PERP&lookback=7d');
    expect(named(found, 'EQUAL').weights).to.deep.equal(['0.5', '0.5']);
    expect(named(found, 'VOLATILITY_NEUTRAL').reason).to.equal(null);
    for (const name of ['BETA_NEUTRAL', 'HEDGE_RATIO'])
      expect(named(found, name)).to.include({ weights: null, reason: 'ONE_SIDE' });
  });

  it('sums a pair up as its other answers have it', async () => {
    const query = 'connector=paper&long=BTC-PERP&short=ETH-PERP&lookback=30d';
    const found = getPairSummary.success[200].parse(await read(`/analytics/pair/summary?${query}`));
    const pair = await read(`/analytics/pair?${query}`);
    for (const name of ['correlation', 'hedgeRatio', 'zScore', 'halfLifeHours'] as const)
      expect(Number(found[name]), name).to.be.closeTo(Number(pair[name]), 1e-6);
    expect(Number(found.pValue)).to.be.closeTo(Number(pair.cointegration.pValue), 1e-6);
    expect(found.observations).to.equal(pair.observations);
    const { markets } = await read('/markets/baskets?connector=paper&search=BTC&limit=200');
    const row = markets.find(({ displaySymbol }: Json) => displaySymbol === 'BTC/ETH');
    expect(found).to.include({
      ratio: row.price,
      ratioChange24h: row.priceChange24h,
      volume24h: row.volume24h,
      openInterest: row.openInterest,
    });
    expect(Number(found.fundingApr.reversed)).to.be.closeTo(Number(row.netFunding) * 8_760, 1e-12);
    expect(Number(found.fundingApr.held)).to.equal(-Number(found.fundingApr.reversed));
  });

  it('says what funding a basket was paid, from the first funding time on', async () => {
    const query = 'connector=paper&long=BTC-PERP&short=ETH-PERP,SOL-PERP&weights=3,2,1';
    const ask = async () => getBasketFunding.success[200].parse(await read(`/analytics/funding?${query}`));
    const weights = { 'BTC-PERP': 3 / 6, 'ETH-PERP': -2 / 6, 'SOL-PERP': -1 / 6 };
    /** A year, as the holder sees it, by the rates that everybody reads. */
    const received = async () => {
      const { funding } = await read('/funding?connector=paper');
      return Object.entries(weights).reduce((sum, [id, weight]) => {
        const { rate } = funding.find((one: Json) => one.id === id);
        return sum - weight * Number(rate) * 24 * 365;
      }, 0);
    };
    await gateway.clock.advance(Math.max(0, DUE_AT - 5_000 - gateway.clock.now()));
    const atFirst = await received();
    const before = await ask();
    expect(Number(before.carryApr)).to.be.closeTo(atFirst, 1e-9);
    expect(before).to.include({ carryApr7d: null, carryApr30d: null, hours7d: 0, hours30d: 0 });
    expect(before.history).to.deep.equal([]);
    expect(Date.parse(before.recordedSince ?? '')).to.be.within(DUE_AT - 10_000, DUE_AT - 5_000);
    await gateway.clock.advance(10_000);
    const after = await ask();
    expect(Number(after.carryApr)).to.be.closeTo(await received(), 1e-9);
    expect(after).to.include({ hours7d: 1, hours30d: 1, to: new Date(DUE_AT).toISOString() });
    for (const name of ['carryApr7d', 'carryApr30d'] as const)
      expect(Number(after[name]), name).to.be.closeTo(atFirst, 1e-9);
    expect(after.history.map(({ time }) => Date.parse(time))).to.deep.equal([DUE_AT]);
    expect(Number(after.history[0]?.carryApr)).to.be.closeTo(atFirst, 1e-9);
    expect(
      after.legs.map(({ symbol, side, weight }) => `${side} ${symbol} ${Number(weight).toFixed(4)}`),
    ).to.deep.equal(['BUY BTC-PERP 0.5000', 'SELL ETH-PERP 0.3333', 'SELL SOL-PERP 0.1667']);
    const net = after.legs.reduce((sum, leg) => sum + Number(leg.weight) * Number(leg.carryApr7d), 0);
    expect(net).to.be.closeTo(atFirst, 1e-9);
    // Every eight hours there: the last one was at 8:00, before anything was recorded.
    const cross = await read('/analytics/funding?connector=paper-cross&long=BTC-PERP');
    expect(cross).to.include({ carryApr7d: null, hours7d: 0, to: '2026-01-31T08:00:00.000Z' });
  });

  it('refuses what it does not know', async () => {
    for (const [path, at] of [
      ['/analytics/weights?connector=nowhere&long=BTC-PERP', 'connector'],
      ['/analytics/weights?connector=paper', 'long'],
      ['/analytics/weights?connector=paper&long=BTC-PERP&short=BTC-PERP', 'short'],
      ['/analytics/weights?connector=paper&long=NOPE-PERP', 'long'],
      ['/analytics/funding?connector=nowhere&long=BTC-PERP', 'connector'],
      ['/analytics/funding?connector=paper', 'long'],
      ['/analytics/funding?connector=paper&short=NOPE-PERP', 'short'],
      ['/analytics/funding?connector=paper&long=BTC-PERP&weights=1,2', 'weights'],
      ['/analytics/pair/summary?connector=paper&long=BTC-PERP&short=BTC-PERP', 'short'],
      ['/analytics/pair/summary?connector=paper&long=BTC-PERP&short=NOPE-PERP', 'short'],
    ] as const) {
      const { status, json } = await gateway.request('GET', path);
      expect(status, path).to.equal(400);
      expect(json.details[0].path, path).to.equal(at);
    }
  });
});
