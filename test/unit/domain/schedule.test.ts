import { expect } from 'chai';
import {
  endSchedule,
  isRunningSchedule,
  moveSlice,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
} from '../../../gateway/domain/schedule.ts';
import { schedule } from './resting-records.ts';

function done(result: { readonly ok: true; readonly value: Schedule } | { readonly ok: false }): Schedule {
  if (!result.ok) throw new Error('the step was refused');
  return result.value;
}

describe('a schedule', () => {
  it('pauses for the trader, missed slices or a stale feed, and goes on with the slices it is given', () => {
    const paused = done(pauseSchedule(schedule(), 'MISSED_SLICES', 2_000));
    expect(paused).to.include({ status: 'PAUSED', pauseReason: 'MISSED_SLICES', updatedAt: 2_000 });
    expect(pauseSchedule(paused, 'MISSED_SLICES', 3_000).ok).to.equal(false);
    const taken = done(pauseSchedule(paused, 'USER', 3_000));
    expect(pauseSchedule(taken, 'FEED_STALE', 4_000).ok).to.equal(false);
    const later = taken.slices.map((slice) => ({ ...slice, scheduledAt: slice.scheduledAt + 1 }));
    expect(done(resumeSchedule(taken, later, 5_000))).to.deep.include({
      status: 'ACTIVE',
      pauseReason: null,
      slices: later,
    });
  });

  it('ends with the slices that were not sent, and leaves the one on its way', () => {
    const slices = schedule().slices.map((slice, index) => ({
      ...slice,
      status: (['COMPLETED', 'FAILED', 'EXECUTING', 'PENDING', 'PENDING'] as const)[index] ?? 'PENDING',
    }));
    const cancelled = done(endSchedule(schedule({ slices }), 'cancel', null, 9_000));
    expect(cancelled.slices.map(({ status }) => status)).to.deep.equal([
      'COMPLETED',
      'FAILED',
      'EXECUTING',
      'CANCELLED',
      'CANCELLED',
    ]);
    expect(cancelled).to.include({ status: 'CANCELLED', updatedAt: 9_000 });
    expect(endSchedule(cancelled, 'cancel', null, 9_001).ok, 'twice').to.equal(false);
    expect(isRunningSchedule(cancelled)).to.equal(false);
    expect(isRunningSchedule(schedule())).to.equal(true);
    const sent = cancelled.slices[2];
    if (sent === undefined) throw new Error('a slice is missing');
    const ended = moveSlice(sent, 'complete', { filledUsd: '200' });
    expect(ended.ok && ended.value).to.include({ status: 'COMPLETED', filledUsd: '200' });
  });

  it('says why it failed', () => {
    const failed = done(endSchedule(schedule(), 'fail', 'No slice was filled', 9_000));
    expect(failed).to.include({ status: 'FAILED', error: 'No slice was filled' });
  });

  it('sends a slice once', () => {
    const [first] = schedule().slices;
    if (first === undefined) throw new Error('a slice is missing');
    const sent = moveSlice(first, 'execute', { executedAt: 5_000, executionId: 'execution-1', legs: [] });
    if (!sent.ok) throw new Error('refused');
    expect(sent.value).to.include({ status: 'EXECUTING', executedAt: 5_000, executionId: 'execution-1' });
    expect(moveSlice(sent.value, 'execute', {}).ok).to.equal(false);
    expect(moveSlice(sent.value, 'skip', {}).ok).to.equal(false);
    expect(moveSlice(sent.value, 'cancel', {}).ok).to.equal(false);
  });
});
