/** Funding of a range, from stored sums of whole days and the payments at its ends: equal to the payments' sum. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { DAY_MS } from '../../../gateway/domain/history-range.ts';
import type { FundingPayment } from '../../../gateway/domain/model.ts';
import { fundingTotal } from '../../../gateway/engine/portfolio/funding-payments.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import { nextId, START, storeForSuite } from '../../support/store-records.ts';

const FROM = Math.floor(START / DAY_MS) * DAY_MS;
const HOUR_MS = 3_600_000;
const HOURS = 4 * 24;

describe('funding of a range', () => {
  const store = storeForSuite();
  /** One an hour, on the hour and a little after it in turn; no two amounts alike, so that none stands for another. */
  const payments = Array.from(
    { length: HOURS },
    (_, hour): FundingPayment => ({
      ...{ tradeAccountId: 'account', id: nextId(), venueId: nextId(), symbol: 'BTC-PERP' },
      ...{ positionId: 'position', rate: '0.0001', timestamp: FROM + hour * HOUR_MS + (hour % 2) * 7 },
      amount: `${hour % 3 === 0 ? '-' : ''}${2 ** (hour % 40)}.${String(hour).padStart(3, '0')}1`,
    }),
  );

  before(async () => {
    const done = await store.commit({ funding: payments });
    expect(done.ok).to.equal(true);
  });

  const isExact = async (from: number, to: number) => {
    const inRange = payments.filter(({ timestamp }) => timestamp >= from && timestamp < to);
    expect(await fundingTotal(store, { tradeAccountId: 'account', range: { from, to } })).to.equal(
      text(sum(inRange.map(({ amount }) => dec(amount)))),
    );
  };

  it('is the sum of its payments, wherever it begins and ends', async () => {
    const day = (nth: number, ms = 0) => FROM + nth * DAY_MS + ms;
    for (const [from, to] of [
      // Whole days between two broken ends, either end alone, whole days, a part of one, and over one midnight.
      [day(0, 5 * HOUR_MS), day(3, 9 * HOUR_MS)],
      [day(1), day(3, 9 * HOUR_MS + 8)],
      [day(0, 5 * HOUR_MS + 1), day(2)],
      [day(1), day(3)],
      [day(1, HOUR_MS), day(1, 9 * HOUR_MS)],
      [day(1, 20 * HOUR_MS), day(2, 4 * HOUR_MS)],
      [day(-9), day(9)],
      [day(2), day(2)],
    ] as const)
      await isExact(from, to);
    const moment = fc.integer({ min: FROM - HOUR_MS, max: FROM + (HOURS + 1) * HOUR_MS });
    await forAllAsync([moment, moment], propertyRuns(60), (one, other) =>
      isExact(Math.min(one, other), Math.max(one, other)),
    );
  });
});
