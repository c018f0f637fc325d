import { expect } from 'chai';
import { CALIBRATED_MARKETS } from '../../../../gateway/venues/paper/calibration.ts';
import { PriceProcess, STEP_MS } from '../../../../gateway/venues/paper/price-process.ts';
import { UNDERLYINGS } from '../../../../gateway/venues/paper/underlyings.ts';

const START = Date.UTC(2025, 6, 26);
const MINUTE = 60_000;
const MINUTES = 5_000;

/** One-minute log returns per calibrated instrument. */
function simulate(seed: number, minutes: number): readonly Float64Array[] {
  const process = new PriceProcess(CALIBRATED_MARKETS, seed, START);
  const returns = CALIBRATED_MARKETS.map(() => new Float64Array(minutes));
  let last = process.logPrice.slice();
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let at = STEP_MS; at <= MINUTE; at += STEP_MS) process.step(START + minute * MINUTE + at);
    for (const [i, series] of returns.entries()) series[minute] = (process.logPrice[i] ?? 0) - (last[i] ?? 0);
    last = process.logPrice.slice();
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
    returns = simulate(7, MINUTES);
  });

  it('has the measured one-minute volatility', () => {
    for (const { ticker, sigma } of CALIBRATED_MARKETS) {
      expect(deviation(series(returns, ticker)) / sigma, ticker).to.be.within(0.88, 1.12);
    }
  });

  it('moves with BTC as measured', () => {
    const measured = { ETH: 0.745, SOL: 0.706, XRP: 0.684, HYPE: 0.628, LTC: 0.56, NEAR: 0.518 };
    for (const [ticker, expected] of Object.entries(measured)) {
      const found = correlation(series(returns, ticker), series(returns, 'BTC'));
      expect(found, ticker).to.be.closeTo(expected, 0.08);
    }
  });

  it('lets altcoins move together beyond BTC, so that pairs of them are calm', () => {
    expect(correlation(series(returns, 'ETH'), series(returns, 'SOL'))).to.be.closeTo(0.768, 0.08);
    expect(correlation(series(returns, 'ARB'), series(returns, 'LINK'))).to.be.closeTo(0.737, 0.08);
  });

  it('has fat tails and clustering volatility, but no drift and no memory in the returns', () => {
    for (const { ticker, kurtosis, absReturnAc1 } of CALIBRATED_MARKETS) {
      const xs = series(returns, ticker);
      const size = xs.map(Math.abs);
      const found = mean(xs.map((x) => x ** 4)) / deviation(xs) ** 4;
      expect(found / kurtosis, `${ticker} kurtosis`).to.be.within(0.6, 1.6);
      const clustering = correlation(size.slice(1), size.slice(0, -1));
      expect(clustering, `${ticker} clustering`).to.be.closeTo(absReturnAc1, 0.1);
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

  it('wanders over months without running away', () => {
    const hour = 60 * MINUTE;
    const process = new PriceProcess(UNDERLYINGS, 11, START);
    const extreme = new Float64Array(process.count);
    for (let h = 0; h < 24 * 90; h += 1) {
      process.jump(START + h * hour, START + (h + 1) * hour);
      for (let i = 0; i < process.count; i += 1) {
        const away = Math.abs((process.logPrice[i] ?? 0) - Math.log(UNDERLYINGS[i]?.price ?? 1));
        extreme[i] = Math.max(extreme[i] ?? 0, away);
      }
    }
    expect(Math.max(...extreme)).to.be.lessThan(1.5);
    expect(Math.min(...extreme)).to.be.greaterThan(0.05);
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
    expect(squares.short / (15 * 0.001036 ** 2)).to.be.within(0.8, 1.25);
    expect(squares.long / (60 * 0.001036 ** 2)).to.be.within(0.8, 1.25);
  });
});
