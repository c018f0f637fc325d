import { expect } from 'chai';
import { pauseSchedule, resumeSchedule } from '../../../gateway/domain/schedule.ts';
import { unwrap } from '../../support/unwrap.ts';
import { schedule } from './resting-records.ts';

describe('a schedule', () => {
  it('pauses for the trader, missed slices or a stale feed, and goes on with the slices it is given', () => {
    const paused = unwrap(pauseSchedule(schedule(), 'MISSED_SLICES', 2_000));
    expect(paused).to.include({ status: 'PAUSED', pauseReason: 'MISSED_SLICES', updatedAt: 2_000 });
    expect(pauseSchedule(paused, 'MISSED_SLICES', 3_000).ok).to.equal(false);
    const taken = unwrap(pauseSchedule(paused, 'USER', 3_000));
    expect(pauseSchedule(taken, 'FEED_STALE', 4_000).ok).to.equal(false);
    const later = taken.slices.map((slice) => ({ ...slice, scheduledAt: slice.scheduledAt + 1 }));
    expect(unwrap(resumeSchedule(taken, later, 5_000))).to.deep.include({
      status: 'ACTIVE',
      pauseReason: null,
      slices: later,
    });
  });
});
