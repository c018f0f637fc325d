/** Slices of a TWAP still to come. */
import { expect } from 'chai';
import type { Slice } from '../../../renderer/features/order-tables/order-states.ts';
import { lastSliceAt, plannedSlices } from '../../../renderer/features/order-tables/schedule-slices.ts';

type Schedule = Parameters<typeof plannedSlices>[0];

const dueAt = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

/** Slices a minute apart. */
function schedule(statuses: readonly Slice['status'][], over: Partial<Schedule> = {}): Schedule {
  const slices = statuses.map((status, index) => ({
    ...{ index, status, scheduledAt: dueAt(index), executedAt: null },
    ...{ executionId: null, filledUsd: '0', error: null },
  }));
  const usual = { status: 'ACTIVE', missedSlicePolicy: 'CATCH_UP', totalUsd: '1000' } as const;
  return { ...usual, remainingUsd: '600', slices, ...over };
}

const planned = (of: Schedule) => plannedSlices(of).map((slice) => slice.planned);

describe('what is to come of a TWAP', () => {
  it('ends with the last slice that waits, whatever became of those before', () => {
    expect(lastSliceAt(schedule(['COMPLETED', 'PENDING', 'PENDING']))).to.equal(dueAt(2));
    expect(lastSliceAt(schedule(['SKIPPED', 'FAILED', 'EXECUTING', 'PENDING', 'PENDING']))).to.equal(
      dueAt(4),
    );
    expect(lastSliceAt(schedule(['COMPLETED', 'EXECUTING']))).to.equal(null);
    expect(lastSliceAt(schedule(['COMPLETED', 'PENDING'], { status: 'PAUSED' }))).to.equal(null);
  });

  it('plans what remains by the slices that wait', () => {
    expect(planned(schedule(['COMPLETED', 'PENDING', 'PENDING']))).to.deep.equal([null, '300', '300']);
    // The rest of a failed slice, or of a missed one that others take over, is still to be traded.
    expect(planned(schedule(['FAILED', 'SKIPPED', 'PENDING', 'PENDING']))).to.deep.equal([
      ...[null, null, '300', '300'],
    ]);
  });

  it('plans nothing that is on its way already, or was given up', () => {
    expect(planned(schedule(['COMPLETED', 'EXECUTING', 'PENDING']))).to.deep.equal([null, null, null]);
    const skips = { missedSlicePolicy: 'SKIP' } as const;
    expect(planned(schedule(['SKIPPED', 'PENDING'], skips))).to.deep.equal([null, null]);
    expect(planned(schedule(['COMPLETED', 'PENDING'], skips))).to.deep.equal([null, '600']);
  });

  it('plans no more than three times a usual slice', () => {
    const late = schedule([...Array<Slice['status']>(9).fill('SKIPPED'), 'PENDING'], {
      remainingUsd: '1000',
    });
    expect(planned(late).at(-1)).to.equal('300');
  });
});
