import { expect } from 'chai';
import fc from 'fast-check';
import { timeTicks, valueTicks } from '../../../renderer/components/axis-ticks.ts';
import { forAll } from '../../support/property-runs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('marks of an axis', () => {
  it('stand on round values', () => {
    expect(valueTicks(0, 1, 5)).to.deep.equal([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(valueTicks(-7, 23, 4)).to.deep.equal([0, 10, 20]);
    expect(valueTicks(100_130, 100_990, 4)).to.deep.equal([100_500]);
    expect(valueTicks(5, 5, 4)).to.deep.equal([]);
  });

  it('are inside the axis, rising, and not more than there is room for', () =>
    forAll(
      [
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
      ],
      (from, size, most) => {
        const ticks = valueTicks(from, from + size, most);
        expect(ticks.length).to.be.at.most(most + 1);
        const slack = Math.max(Math.abs(from), size) * 1e-9;
        for (const tick of ticks) expect(tick).to.be.within(from - slack, from + size + slack);
        expect(ticks).to.deep.equal([...ticks].sort((a, b) => a - b));
      },
    ));

  it('stand on round times: of the clock, on midnights, on the first of a month', () => {
    const from = Date.UTC(2026, 0, 10, 9, 20);
    const text = (ticks: readonly number[]) => ticks.map((at) => new Date(at).toISOString().slice(0, 16));
    expect(text(timeTicks(from, from + 3 * HOUR, 4, 'utc'))).to.deep.equal([
      '2026-01-10T10:00',
      '2026-01-10T11:00',
      '2026-01-10T12:00',
    ]);
    expect(text(timeTicks(from, from + DAY, 4, 'utc', true))).to.deep.equal(['2026-01-11T00:00']);
    expect(text(timeTicks(from, from + 5 * DAY, 3, 'utc'))).to.deep.equal([
      '2026-01-12T00:00',
      '2026-01-14T00:00',
    ]);
    expect(text(timeTicks(from, from + 120 * DAY, 5, 'utc'))).to.deep.equal([
      '2026-02-01T00:00',
      '2026-03-01T00:00',
      '2026-04-01T00:00',
      '2026-05-01T00:00',
    ]);
  });

  it('of times are inside the axis and rising, in the zone of this machine too', () =>
    forAll(
      [
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 60_000, max: 4_000 * DAY }),
        fc.integer({ min: 2, max: 14 }),
        fc.constantFrom<'utc' | 'local'>('utc', 'local'),
      ],
      (from, size, most, zone) => {
        const ticks = timeTicks(from, from + size, most, zone);
        expect(ticks.length).to.be.at.most(2 * most + 3);
        for (const tick of ticks) expect(tick).to.be.within(from, from + size);
        for (const [index, tick] of ticks.entries()) expect(tick).to.be.above(ticks[index - 1] ?? -1);
      },
    ));
});
