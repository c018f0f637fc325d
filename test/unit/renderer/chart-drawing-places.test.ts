/** Places of drawings on a time axis: at their candles, between those of another length, and beyond them. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  placeOfTime,
  type TimeAxis,
  textEnd,
  timeOfPlace,
} from '../../../renderer/components/chart-drawing-places.ts';
import { forAll } from '../../support/property-runs.ts';

const STEP = 300;
/** An axis with candles at these times, which stand at equal distances, the first at `begin`. */
function axisOf(times: readonly number[], spacing: number, begin = 0): TimeAxis {
  const xOf = (time: number) => {
    const at = times.indexOf(time);
    return at < 0 ? null : begin + at * spacing;
  };
  return { times, spacing, xOf };
}

/** Candles of which some are missing, as while the gateway was off; the newest two are there. */
const anyAxis = fc
  .record({
    gaps: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 }),
    spacing: fc.double({ min: 0.5, max: 40, noNaN: true }),
    begin: fc.integer({ min: -500, max: 500 }),
  })
  .map(({ gaps, spacing, begin }) => {
    const times = [600_000];
    for (const gap of [...gaps, 1]) times.push((times.at(-1) ?? 0) + gap * STEP);
    return axisOf(times, spacing, begin);
  });

describe('places of drawings on a chart', () => {
  it('are at a candle where there is one, and read back as its time', () =>
    forAll([anyAxis], (axis) => {
      for (const time of axis.times) {
        const x = placeOfTime(time, axis);
        expect(x).to.be.closeTo(axis.xOf(time) ?? Number.NaN, 1e-6);
        expect(timeOfPlace(x ?? 0, axis)).to.equal(time);
      }
    }));

  it('go on beyond the candles, on both sides, as if there were more', () =>
    forAll([anyAxis, fc.integer({ min: 1, max: 50 })], (axis, count) => {
      const [first = 0, last = 0] = [axis.times[0], axis.times.at(-1)];
      const after = placeOfTime(last + count * STEP, axis) ?? 0;
      expect(after).to.be.closeTo((axis.xOf(last) ?? 0) + count * axis.spacing, 1e-6);
      expect(timeOfPlace(after, axis)).to.equal(last + count * STEP);
      const before = placeOfTime(first - count * STEP, axis) ?? 0;
      expect(before).to.be.closeTo((axis.xOf(first) ?? 0) - count * axis.spacing, 1e-6);
      expect(timeOfPlace(before, axis)).to.equal(first - count * STEP);
    }));

  it('are in proportion between two candles, and nowhere without candles', () => {
    const hours = axisOf([0, 3_600, 7_200], 10, 5);
    expect(placeOfTime(5_400, hours)).to.equal(20);
    expect(placeOfTime(0, axisOf([], 10))).to.equal(null);
    expect(timeOfPlace(0, axisOf([], 10))).to.equal(null);
  });
});

describe('the figure of a drawn level', () => {
  const text = { length: 50, top: 100, bottom: 112 };
  const box = (left: number, right: number, top = 95) => ({ left, right, top, bottom: top + 14 });

  it('stands where it should, or beside what is at its height', () => {
    expect(textEnd(text, 452, [])).to.equal(452);
    expect(textEnd(text, 452, [box(420, 450, 60)])).to.equal(452);
    expect(textEnd(text, 452, [box(300, 360), box(420, 450)])).to.equal(416);
    expect(textEnd(text, 452, [box(420, 450), box(340, 390)])).to.equal(336);
  });
});
