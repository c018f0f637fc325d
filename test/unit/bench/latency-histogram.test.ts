import { expect } from 'chai';
import fc from 'fast-check';
import { LatencyHistogram } from '../../bench/latency-histogram.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const BUCKET_ERROR = 1 / 64;

function exactPercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

describe('bench: latency histogram', () => {
  it('is exact below 64 µs', () => {
    const histogram = new LatencyHistogram();
    for (const value of [1, 2, 3, 40, 63]) histogram.record(value);
    expect(histogram.percentile(0.5)).to.equal(3);
    expect(histogram.percentile(1)).to.equal(63);
    expect(histogram.count).to.equal(5);
  });

  it('gives every percentile within its bucket error, whatever the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_800_000_000 }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1),
        (values, share) => {
          const histogram = new LatencyHistogram();
          for (const value of values) histogram.record(value);
          const exact = exactPercentile(values, share);
          expect(histogram.percentile(share)).to.be.closeTo(exact, exact * BUCKET_ERROR + 1e-9);
        },
      ),
      propertyRuns(),
    );
  });

  it('adds up what other processes counted', () => {
    const one = new LatencyHistogram();
    const other = new LatencyHistogram();
    const both = new LatencyHistogram();
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

  it('takes a negative value for 0 and one beyond its range for its highest', () => {
    const histogram = new LatencyHistogram();
    histogram.record(-3);
    expect(histogram.percentile(1)).to.equal(0);
    histogram.record(1e15);
    expect(histogram.percentile(1)).to.be.closeTo(2 ** 31, 2 ** 31 * BUCKET_ERROR);
  });

  it('knows no percentile while it is empty', () => {
    expect(new LatencyHistogram().percentile(0.5)).to.be.NaN;
  });
});
