import { expect } from 'chai';
import fc from 'fast-check';
import { LatencyHistogram } from '../../bench/latency-histogram.ts';
import { median, pairedRatio, quantile, spread } from '../../bench/statistics.ts';
import { judge, ratioMeasure, valueMeasure } from '../../bench/verdict.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const AT_LEAST = { bound: 'at least', value: 0.8 } as const;
const AT_MOST = { bound: 'at most', value: 25 } as const;
const BUCKET_ERROR = 1 / 64;

describe('bench: verdict', () => {
  it('passes and fails at the goal itself in both directions', () => {
    expect(judge(AT_LEAST, 0.8, 0.1)).to.equal('PASS');
    expect(judge(AT_LEAST, 0.79, 0.1)).to.equal('FAIL');
    expect(judge(AT_MOST, 25, null)).to.equal('PASS');
    expect(judge(AT_MOST, 25.1, null)).to.equal('FAIL');
  });

  it('calls nothing passed or failed on a noisy machine, and has no verdict without a goal', () => {
    expect(judge(AT_LEAST, 0.95, 0.31)).to.equal('NOISY');
    expect(judge(AT_LEAST, 0.1, 0.31)).to.equal('NOISY');
    expect(judge(AT_LEAST, 0.95, 0.3)).to.equal('PASS');
    expect(judge(null, 0.1, 0.9)).to.equal('INFO');
  });

  it('judges a ratio by the median of its rounds and the noise of its base', () => {
    const about = { name: 'n', about: 'a', goal: AT_LEAST, figures: {} };
    const quiet = ratioMeasure(about, [100, 100, 100], [90, 20, 85]);
    expect(quiet.value).to.equal(0.85);
    expect(quiet.verdict).to.equal('PASS');
    expect(quiet.ratio).to.deep.equal({ median: 0.85, lowest: 0.2, highest: 0.9 });
    const noisy = ratioMeasure(about, [100, 180, 90], [90, 162, 81]);
    expect(noisy.value).to.equal(0.9);
    expect(noisy.verdict).to.equal('NOISY');
  });

  it('calls a latency noisy where the machine alone would have eaten the goal, and no number missed', () => {
    const about = { name: 'n', about: 'a', unit: 'ms', goal: AT_MOST, figures: {} };
    expect(valueMeasure(about, 40, 2).verdict).to.equal('FAIL');
    expect(valueMeasure(about, 40, 12).verdict).to.equal('NOISY');
    expect(valueMeasure(about, 20, 2).verdict).to.equal('PASS');
    expect(valueMeasure(about, Number.NaN).verdict).to.equal('FAIL');
  });
});

describe('bench: statistics', () => {
  it('interpolates quantiles between the nearest ranks', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([4, 1, 3, 2])).to.equal(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.25)).to.equal(20);
    expect(quantile([10, 20], 0.9)).to.be.closeTo(19, 1e-9);
    expect(() => median([])).to.throw(RangeError);
  });

  it('measures spread between the quartiles, so that one odd round does not move it', () => {
    expect(spread([80, 90, 100, 110, 120])).to.be.closeTo(0.2, 1e-9);
    expect(spread([80, 90, 100, 110, 900])).to.be.closeTo(0.2, 1e-9);
  });

  it('divides round by round, so that a disturbance of both sides cancels out', () => {
    const ratio = pairedRatio([1_000, 500, 1_000], [800, 400, 800]);
    expect(ratio).to.deep.equal({ median: 0.8, lowest: 0.8, highest: 0.8 });
    expect(() => pairedRatio([1, 2], [1])).to.throw(RangeError);
  });
});

describe('bench: latency histogram', () => {
  it('gives every percentile within its bucket error, whatever the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_800_000_000 }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1),
        (values, share) => {
          const histogram = new LatencyHistogram();
          for (const value of values) histogram.record(value);
          const sorted = [...values].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
          expect(histogram.percentile(share)).to.be.closeTo(exact, exact * BUCKET_ERROR + 1e-9);
        },
      ),
      propertyRuns(),
    );
  });

  it('adds up the counts of other processes', () => {
    const [one, other, both] = [new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram()];
    for (const value of [5, 900, 70_000]) {
      one.record(value);
      both.record(value);
    }
    for (const value of [6, 901, 2_000_000]) {
      other.record(value);
      both.record(value);
    }
    const merged = LatencyHistogram.from(one.counts());
    merged.add(other.counts());
    expect(merged.counts()).to.deep.equal(both.counts());
    expect(merged.count).to.equal(6);
  });

  it('takes a negative value for 0 and one beyond its range for its highest, and is NaN while it is empty', () => {
    const histogram = new LatencyHistogram();
    expect(histogram.percentile(0.5)).to.be.NaN;
    histogram.record(-3);
    expect(histogram.percentile(1)).to.equal(0);
    histogram.record(1e15);
    expect(histogram.percentile(1)).to.be.closeTo(2 ** 31, 2 ** 31 * BUCKET_ERROR);
  });
});
