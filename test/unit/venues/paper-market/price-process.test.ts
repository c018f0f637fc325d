import { expect } from 'chai';
import { CALIBRATED_MARKETS } from '../../../../gateway/venues/paper/market/calibration.ts';
import { PriceProcess, STEP_MS } from '../../../../gateway/venues/paper/market/price-process.ts';
import { UNDERLYINGS } from '../../../../gateway/venues/paper/market/underlyings.ts';

const START = Date.UTC(2025, 6, 26);
const MINUTE = 60_000;
const SEEDS = 60;
const MINUTES = 360;

/**
 * One-minute log returns per calibrated instrument, a few hours of many seeds one after the other: calm and nervous months
 * in one sample. What a single stretch looks like is told by test/long/paper-market-figures.test.ts.
 */
function simulate(): readonly Float64Array[] {
  const returns = CALIBRATED_MARKETS.map(() => new Float64Array(SEEDS * MINUTES));
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const process = new PriceProcess(CALIBRATED_MARKETS, seed, START);
    let last = process.logPrice.slice();
    for (let minute = 0; minute < MINUTES; minute += 1) {
      process.jump(START + minute * MINUTE, START + (minute + 1) * MINUTE);
      for (const [i, series] of returns.entries())
        series[seed * MINUTES + minute] = (process.logPrice[i] ?? 0) - (last[i] ?? 0);
      last = process.logPrice.slice();
    }
  }
  return returns;
}

const mean = (xs: Float64Array) => xs.reduce((a, b) => a + b, 0) / xs.length;
const deviation = (xs: Float64Array) => Math.sqrt(mean(xs.map((x) => x * x)));
function correlation(xs: Float64Array, ys: Float64Array): number {
  const mx = mean(xs);
  const my = mean(ys);
  const covariance = mean(xs.map((x, i) => (x - mx) * ((ys[i] ?? 0) - my)));
  return covariance / (deviation(xs.map((x) => x - mx)) * deviation(ys.map((y) => y - my)));
}
const series = (returns: readonly Float64Array[], ticker: string): Float64Array => {
  const found = returns[CALIBRATED_MARKETS.findIndex((market) => market.ticker === ticker)];
  if (found === undefined) throw new Error(`no ${ticker}`);
  return found;
};

describe('paper market: price process', () => {
  let returns: readonly Float64Array[];
  before(() => {
    returns = simulate();
  });

  it('has the measured volatility, each instrument compared with BTC', () => {
    const btc = deviation(series(returns, 'BTC'));
    expect(btc / (CALIBRATED_MARKETS[0]?.sigma ?? 0)).to.be.within(0.7, 1.3);
    for (const { ticker, sigma } of CALIBRATED_MARKETS) {
      const ratio = sigma / (CALIBRATED_MARKETS[0]?.sigma ?? 0);
      expect(deviation(series(returns, ticker)) / btc / ratio, ticker).to.be.within(0.88, 1.12);
    }
  });

  it('moves with BTC as measured, between what minutes and hours say', () => {
    const measured = { ETH: 0.767, SOL: 0.727, XRP: 0.706, HYPE: 0.598, LTC: 0.621, NEAR: 0.626 };
    for (const [ticker, expected] of Object.entries(measured)) {
      const found = correlation(series(returns, ticker), series(returns, 'BTC'));
      expect(found, ticker).to.be.closeTo(expected, 0.08);
    }
  });

  it('lets altcoins move together beyond BTC, so that pairs of them are calm', () => {
    expect(correlation(series(returns, 'ETH'), series(returns, 'SOL'))).to.be.closeTo(0.768, 0.08);
    const alts = returns.slice(1);
    const pairs = alts.flatMap((one, i) => alts.slice(0, i).map((other) => correlation(one, other)));
    expect(pairs.reduce((total, pair) => total + pair, 0) / pairs.length).to.be.closeTo(0.7, 0.05);
  });

  it('has fat tails and clustering volatility, but no drift and no memory in the returns', () => {
    for (const { ticker } of CALIBRATED_MARKETS) {
      const xs = series(returns, ticker);
      const size = xs.map(Math.abs);
      expect(mean(xs.map((x) => x ** 4)) / deviation(xs) ** 4, `${ticker} kurtosis`).to.be.greaterThan(5);
      expect(correlation(size.slice(1), size.slice(0, -1)), `${ticker} clustering`).to.be.greaterThan(0.15);
      expect(correlation(xs.slice(1), xs.slice(0, -1)), `${ticker} memory`).to.be.closeTo(0, 0.05);
      expect(mean(xs) / deviation(xs), `${ticker} drift`).to.be.closeTo(0, 0.05);
    }
  });

  it('is the same for the same seed, whatever happened to one price', () => {
    const a = new PriceProcess(UNDERLYINGS, 3, START);
    const b = new PriceProcess(UNDERLYINGS, 3, START);
    b.place(5, (b.logPrice[5] ?? 0) - 1);
    for (let at = STEP_MS; at <= 2 * MINUTE; at += STEP_MS) {
      a.step(START + at);
      b.step(START + at);
    }
    for (let i = 0; i < a.count; i += 1) {
      expect((a.logPrice[i] ?? 0) - (b.logPrice[i] ?? 0)).to.be.closeTo(i === 5 ? 1 : 0, 1e-9);
    }
  });

  it('has nothing to return to: how far it came says nothing about where it goes @long', () => {
    const days = 60;
    let product = 0;
    let square = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const process = new PriceProcess(CALIBRATED_MARKETS, seed, START);
      const first = process.logPrice.slice();
      process.jump(START, START + days * 24 * 60 * MINUTE);
      const half = process.logPrice.slice();
      process.jump(START + days * 24 * 60 * MINUTE, START + 2 * days * 24 * 60 * MINUTE);
      // Spreads to BTC: instruments share the market's own way.
      const spread = (of: Float64Array, i: number) => (of[i] ?? 0) - (of[0] ?? 0);
      for (let i = 1; i < process.count; i += 1) {
        const came = spread(half, i) - spread(first, i);
        product += came * (spread(process.logPrice, i) - spread(half, i));
        square += came * came;
      }
    }
    // An anchor with a half-life of ten days would make it −0.98.
    expect(product / square).to.be.within(-0.25, 0.25);
  });

  it('never becomes absurd, not in twenty years @long', () => {
    const process = new PriceProcess(CALIBRATED_MARKETS, 5, START);
    const from = process.logPrice.slice();
    const year = 365 * 24 * 60 * MINUTE;
    for (let n = 0; n < 20; n += 1) {
      process.jump(START + n * year, START + (n + 1) * year);
      for (let i = 0; i < process.count; i += 1)
        expect(Math.abs((process.logPrice[i] ?? 0) - (from[i] ?? 0))).to.be.lessThan(Math.log(50));
    }
  }).timeout(60_000);

  it('is at a minute where it was going, in steps, in one jump and after a restart on the way', () => {
    const end = START + 3 * 60 * MINUTE + 40 * MINUTE;
    const from = START + 17_300;
    const [whole, pieces, again] = [3, 3, 8].map((seed) => new PriceProcess(UNDERLYINGS, seed, from));
    whole?.jump(from, end);
    for (let at = from + STEP_MS; at <= START + 2 * MINUTE + 500; at += STEP_MS) pieces?.step(at);
    pieces?.jump(START + 2 * MINUTE + 500, START + 61 * MINUTE + 4_200);
    if (pieces !== undefined) again?.restore(pieces.state(), START + 61 * MINUTE + 4_200);
    again?.jump(START + 61 * MINUTE + 4_200, end);
    for (let i = 0; i < (whole?.count ?? 0); i += 1)
      expect(again?.logPrice[i]).to.be.closeTo(whole?.logPrice[i] ?? 0, 1e-9);
  });

  it('scales the variance of a jump with its length', () => {
    const squares = { short: 0, long: 0 };
    const rounds = 400;
    for (let seed = 0; seed < rounds; seed += 1) {
      for (const [key, minutes] of [
        ['short', 15],
        ['long', 60],
      ] as const) {
        const process = new PriceProcess(CALIBRATED_MARKETS, seed, START);
        const from = process.logPrice[1] ?? 0;
        process.jump(START, START + minutes * MINUTE);
        squares[key] += ((process.logPrice[1] ?? 0) - from) ** 2 / rounds;
      }
    }
    const sigma = CALIBRATED_MARKETS[1]?.sigma ?? 0;
    expect(squares.short / (15 * sigma ** 2)).to.be.within(0.75, 1.33);
    expect(squares.long / (60 * sigma ** 2)).to.be.within(0.75, 1.33);
  });
});
