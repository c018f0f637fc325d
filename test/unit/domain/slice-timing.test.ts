import { expect } from 'chai';
import fc from 'fast-check';
import type { MissedSlicePolicy, Slice } from '../../../gateway/domain/schedule.ts';
import {
  decideSlices,
  nextSliceAt,
  pendingSlices,
  resumedSlices,
  sliceCountOf,
  sliceTimes,
} from '../../../gateway/domain/slice-timing.ts';
import { forAll } from '../../support/property-runs.ts';

const PLAN = pendingSlices([0, 100, 200, 300]);

function planAfter(done: number, status: Slice['status'] = 'COMPLETED'): readonly Slice[] {
  return PLAN.map((slice) => (slice.index < done ? { ...slice, status } : slice));
}

const decide = (slices: readonly Slice[], policy: MissedSlicePolicy, now: number) =>
  decideSlices(slices, policy, 100, now);

describe('slice times', () => {
  it('divide the duration', () => {
    expect(sliceCountOf(600, 60)).to.equal(10);
    expect(sliceCountOf(100, 30)).to.equal(3);
    expect(sliceCountOf(60, 60)).to.equal(1);
    expect(sliceCountOf(60, 3_600)).to.equal(1);
    expect(sliceTimes(1_000, 300, 3, null)).to.deep.equal([1_000, 101_000, 201_000]);
  });

  it('with jitter keep their order, their start, their duration and ± 10 %', () =>
    forAll(
      [
        fc.integer({ min: 0, max: 2e12 }),
        fc.integer({ min: 60, max: 86_400 }),
        fc.integer({ min: 5, max: 3_600 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999999, noNaN: true })),
      ],
      (start, duration, interval, stream) => {
        const count = sliceCountOf(duration, interval);
        const spacing = (duration * 1_000) / count;
        const times = sliceTimes(start, duration, count, () => stream.next().value);
        expect(times).to.have.length(count);
        expect(times[0]).to.equal(start);
        const jitter = times.map((time, index) => Math.abs(time - (start + index * spacing)));
        expect(jitter.every((by) => by <= 0.1 * spacing + 1)).to.equal(true);
        expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).to.equal(true);
        expect(times.at(-1)).to.be.lessThan(start + duration * 1_000);
      },
    ));

  it('are a function of the random source', () => {
    expect(sliceTimes(0, 100, 10, () => 0.5)).to.deep.equal(sliceTimes(0, 100, 10, null));
    expect(sliceTimes(0, 100, 2, () => 0)).to.deep.equal([0, 45_000]);
  });
});

describe('what is due', () => {
  it('waits for the next slice, and while one is on its way', () => {
    expect(decide(planAfter(1), 'CATCH_UP', 50)).to.deep.equal({ kind: 'wait', until: 100 });
    expect(decide(planAfter(4), 'CATCH_UP', 50)).to.deep.equal({ kind: 'wait', until: null });
    expect(decide(planAfter(1, 'EXECUTING'), 'CATCH_UP', 250)).to.deep.equal({ kind: 'wait', until: null });
    expect(nextSliceAt(planAfter(1))).to.equal(100);
    expect(nextSliceAt(planAfter(4))).to.equal(null);
  });

  it('executes a slice that is on time under every policy', () => {
    for (const policy of ['CATCH_UP', 'SKIP', 'PAUSE'] as const) {
      for (const now of [100, 150, 199]) {
        expect(decide(planAfter(1), policy, now)).to.deep.equal({ kind: 'execute', index: 1, missed: [] });
      }
      expect(decide(planAfter(3), policy, 399)).to.deep.equal({ kind: 'execute', index: 3, missed: [] });
    }
  });

  it('after an absence catches up, skips or pauses', () => {
    expect(decide(planAfter(1), 'CATCH_UP', 310)).to.deep.equal({
      kind: 'execute',
      index: 3,
      missed: [1, 2],
    });
    expect(decide(planAfter(1), 'SKIP', 310)).to.deep.equal({ kind: 'skip', index: 3, missed: [1, 2] });
    expect(decide(planAfter(1), 'PAUSE', 310)).to.deep.equal({ kind: 'pause', missed: [1, 2] });
  });

  it('counts the last slice as missed once its own time has passed', () => {
    expect(decide(planAfter(3), 'CATCH_UP', 400)).to.deep.equal({ kind: 'execute', index: 3, missed: [] });
    expect(decide(planAfter(3), 'SKIP', 400)).to.deep.equal({ kind: 'skip', index: null, missed: [3] });
    expect(decide(planAfter(3), 'PAUSE', 400)).to.deep.equal({ kind: 'pause', missed: [3] });
    expect(decide(PLAN, 'CATCH_UP', 9_000)).to.deep.equal({ kind: 'execute', index: 3, missed: [0, 1, 2] });
    expect(decide(PLAN, 'SKIP', 9_000)).to.deep.equal({ kind: 'skip', index: null, missed: [0, 1, 2, 3] });
  });

  it('waits longer when the clock steps back, and does nothing twice', () => {
    expect(decide(planAfter(2), 'CATCH_UP', -5_000)).to.deep.equal({ kind: 'wait', until: 200 });
  });

  it('names every due slice exactly once, whatever was done and whenever it looks', () =>
    forAll(
      [
        fc.array(fc.constantFrom<Slice['status']>('PENDING', 'COMPLETED', 'SKIPPED', 'FAILED'), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.constantFrom<MissedSlicePolicy>('CATCH_UP', 'SKIP', 'PAUSE'),
        fc.integer({ min: -100, max: 3_000 }),
      ],
      (statuses, policy, now) => {
        const slices = pendingSlices(statuses.map((_, index) => index * 100)).map((slice, index) => ({
          ...slice,
          status: statuses[index] ?? 'PENDING',
        }));
        const due = slices.filter(({ status, scheduledAt }) => status === 'PENDING' && scheduledAt <= now);
        const decision = decide(slices, policy, now);
        const named = [
          ...('missed' in decision ? decision.missed : []),
          ...('index' in decision && decision.index !== null ? [decision.index] : []),
        ];
        const all = due.map(({ index }) => index);
        // A pause takes nothing: what is on time stays with the rest.
        if (decision.kind === 'pause') expect(all).to.include.members(named);
        else expect(named).to.deep.equal(all);
      },
    ));
});

describe('resuming', () => {
  it('moves what is left to now, with its distances', () => {
    const resumed = resumedSlices(planAfter(1), 1_000);
    expect(resumed.map(({ scheduledAt }) => scheduledAt)).to.deep.equal([0, 1_000, 1_100, 1_200]);
    expect(decide(resumed, 'PAUSE', 1_000)).to.deep.equal({ kind: 'execute', index: 1, missed: [] });
  });

  it('leaves a plan that is not overdue', () => {
    const slices = planAfter(1);
    expect(resumedSlices(slices, 50)).to.equal(slices);
    expect(resumedSlices(planAfter(4), 9_000)).to.deep.equal(planAfter(4));
  });
});
