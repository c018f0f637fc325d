import { expect } from 'chai';
import { bucketsOf, historyRange, weekOf, wholeDays } from '../../../gateway/domain/history-range.ts';

const time = (text: string) => Date.parse(`${text}Z`);
const OPEN = { from: null, to: null };

describe('history range: buckets of time', () => {
  const history = { begin: time('2025-01-10T09:30'), now: time('2026-03-04T05:06') };
  const spanned = (from: string, to: string) => {
    const range = historyRange({ from: time(from), to: time(to) }, history);
    if (range === null) throw new Error('no range');
    return { range, buckets: bucketsOf(range) };
  };

  it('are hours up to two days, days up to 120, weeks beyond', () => {
    expect(spanned('2025-06-01T00:00', '2025-06-03T00:00').range.width).to.equal('hour');
    expect(spanned('2025-06-01T00:00', '2025-06-03T00:01').range.width).to.equal('day');
    expect(spanned('2025-06-01T00:00', '2025-09-29T00:00').range.width).to.equal('day');
    expect(spanned('2025-06-01T00:00', '2025-09-29T00:01').range.width).to.equal('week');
  });

  it('have neither gap nor overlap and cover the whole range', () => {
    for (const [from, to] of [
      ['2025-06-01T03:20', '2025-06-02T01:10'],
      ['2025-06-01T03:20', '2025-07-02T01:10'],
      ['2025-02-01T03:20', '2026-02-02T01:10'],
    ] as const) {
      const { range, buckets } = spanned(from, to);
      expect(buckets[0]?.start).to.equal(range.from);
      expect(buckets.at(-1)?.end).to.equal(range.to);
      expect(range.from).to.be.at.most(time(from));
      expect(range.to).to.be.at.least(time(to));
      for (const [index, bucket] of buckets.entries()) {
        expect(bucket.end).to.be.greaterThan(bucket.start);
        if (index > 0) expect(bucket.start).to.equal(buckets[index - 1]?.end);
      }
    }
  });

  it('of weeks begin on Mondays, but for the first', () => {
    const { buckets } = spanned('2025-02-01T03:20', '2026-02-02T01:10');
    expect(buckets.slice(1).every(({ start }) => new Date(start).getUTCDay() === 1)).to.equal(true);
    expect(new Date(weekOf(time('2026-03-01T23:59'))).toISOString()).to.equal('2026-02-23T00:00:00.000Z');
    expect(weekOf(time('2026-02-23T00:00'))).to.equal(time('2026-02-23T00:00'));
  });

  it('are cut to the history, whatever far dates are asked', () => {
    const range = historyRange({ from: time('1970-01-01T00:00'), to: time('9999-01-01T00:00') }, history);
    expect(range).to.deep.equal({
      from: time('2025-01-10T00:00'),
      to: time('2026-03-05T00:00'),
      width: 'week',
    });
    expect(historyRange(OPEN, { begin: history.now, now: history.now })).to.deep.equal({
      from: time('2026-03-04T05:00'),
      to: time('2026-03-04T06:00'),
      width: 'hour',
    });
    expect(historyRange({ from: time('2027-01-01T00:00'), to: null }, history)).to.equal(null);
    expect(historyRange({ from: null, to: time('2024-01-01T00:00') }, history)).to.equal(null);
  });

  it('whole days reach to the end of today at most', () => {
    expect(wholeDays({ from: time('2025-06-01T03:00'), to: null }, history.now)).to.deep.equal({
      from: time('2025-06-01T00:00'),
      to: time('2026-03-05T00:00'),
    });
    expect(wholeDays({ from: null, to: time('2025-06-02T00:00') }, history.now).to).to.equal(
      time('2025-06-02T00:00'),
    );
  });
});
