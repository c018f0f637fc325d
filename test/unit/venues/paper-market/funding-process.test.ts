import { expect } from 'chai';
import { CALIBRATED_MARKETS } from '../../../../gateway/venues/paper/market/calibration.ts';
import { FundingProcess, HOUR_MS } from '../../../../gateway/venues/paper/market/funding-process.ts';

const CALIBRATIONS = CALIBRATED_MARKETS.map(({ funding }) => funding);

function rates(intervalHours: number, intervals: number): readonly number[][] {
  const process = new FundingProcess(CALIBRATIONS, intervalHours, 5);
  const series = CALIBRATIONS.map((): number[] => []);
  for (let n = 0; n < intervals; n += 1) {
    for (const [i, values] of series.entries()) values.push(Number(process.rate(i)));
    process.advance();
  }
  return series;
}
const mean = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;

describe('paper market: funding', () => {
  it('reproduces mean, deviation, memory and the share of hours at the interest level', () => {
    for (const [i, values] of rates(1, 12_000).entries()) {
      const {
        mean: level,
        std,
        ac1,
        atomShare,
      } = CALIBRATIONS[i] ?? { mean: 0, std: 1, ac1: 0, atomShare: 0 };
      const ticker = CALIBRATED_MARKETS[i]?.ticker;
      const found = mean(values);
      const variance = mean(values.map((x) => (x - found) ** 2));
      const lagged = mean(values.slice(1).map((x, n) => (x - found) * ((values[n] ?? 0) - found)));
      expect(found, `${ticker} mean`).to.be.closeTo(level, 0.25 * std);
      expect(Math.sqrt(variance) / std, `${ticker} deviation`).to.be.within(0.8, 1.2);
      expect(lagged / variance, `${ticker} memory`).to.be.closeTo(ac1, 0.08);
      const atom = mean(values.map((x) => (x === 0.0000125 ? 1 : 0)));
      expect(atom, `${ticker} atom`).to.be.closeTo(atomShare, 0.06);
    }
  });

  it('charges eight hours at a time on an eight-hour venue', () => {
    for (const values of rates(8, 2_000)) {
      const atom = mean(values.map((x) => (x === 0.0001 ? 1 : 0)));
      expect(atom).to.be.greaterThan(0.3);
      expect(mean(values.map(Math.abs))).to.be.within(0.00005, 0.001);
    }
  });

  it('aligns intervals to midnight UTC', () => {
    const midnight = Date.UTC(2025, 6, 26);
    const hourly = new FundingProcess(CALIBRATIONS, 1, 5);
    const eightHourly = new FundingProcess(CALIBRATIONS, 8, 5);
    expect(hourly.nextBoundary(midnight + 1)).to.equal(midnight + HOUR_MS);
    expect(hourly.nextBoundary(midnight + HOUR_MS)).to.equal(midnight + 2 * HOUR_MS);
    expect(eightHourly.nextBoundary(midnight)).to.equal(midnight + 8 * HOUR_MS);
    expect(eightHourly.nextBoundary(midnight + 17 * HOUR_MS)).to.equal(midnight + 24 * HOUR_MS);
  });
});
