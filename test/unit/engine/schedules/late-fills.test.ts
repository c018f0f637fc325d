/** Fills that the venue tells after it has denied the order: in the ledger of a TWAP, and under the brackets of an order. */
import { expect } from 'chai';
import { dec, sum, text } from '../../../../gateway/domain/decimal.ts';
import { planDeskForEachTest, triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { MINUTE } from '../../../support/plan-desk.ts';
import type { Behaviour } from '../../../support/scripted-venue.ts';
import { AAA } from '../../../support/trigger-desk.ts';
import { plain, setupOf } from '../triggers/bracket-desk.ts';

/** The venue denies the order for as long as anybody asks, and executes it 25 s later. */
const LATE: Behaviour = {
  answer: 'silent',
  executesAfterMs: 25_000,
  lookups: Array.from({ length: 60 }, () => 'not_found' as const),
};

describe('a fill that comes after its execution has ended', () => {
  describe('in a TWAP', () => {
    const at = planDeskForEachTest();
    beforeEach(() => at.desk.venue.deniesFalsely());

    const lateSlice = (which: number) => {
      let sent = 0;
      at.desk.venue.behave(() => (++sent === which ? LATE : {}));
    };
    const bought = () => text(sum(at.desk.venue.fills.map(({ quantity }) => dec(quantity))));

    for (const which of [1, 3, 5])
      it(`slice ${which} of 5: it is in the ledger, and no more than asked is bought`, async () => {
        lateSlice(which);
        const id = await at.twap({ legs: [leg('AAA', 'BUY', '1000')], durationSeconds: 300 });
        await at.desk.pass(7 * MINUTE);
        const schedule = await at.schedule(id);
        expect(bought()).to.equal('10');
        expect(schedule.ledger[0]).to.include({ settled: '1000', quantity: '10' });
        expect(sum(schedule.slices.map(({ filledUsd }) => dec(filledUsd))).toFixed()).to.equal('1000');
      });
  });

  describe('of an order with a stop-loss', () => {
    const at = triggerDeskForEachTest();
    beforeEach(() => at.desk.venue.deniesFalsely());

    const setup = setupOf({ stopLoss: plain('DOLLAR', '50') });
    const opened = () => at.desk.opened([leg('AAA', 'BUY', '1000')], { setup });

    it('opens the position with its stop-loss', async () => {
      at.desk.venue.behave(() => LATE);
      expect((await opened()).status).to.equal('FAILED');
      await at.desk.pass(90_000);
      expect(at.desk.venue.held(AAA)).to.equal('10');
      const [armed] = await at.triggers();
      expect(armed).to.include({ bracketType: 'STOP_LOSS', status: 'ACTIVE' });
      at.desk.venue.behave(() => ({}));
      await at.moveMark(AAA, '94', 5_000);
      expect(at.desk.venue.held(AAA)).to.equal('0');
    });

    it('is closed with what was held before', async () => {
      await opened();
      at.desk.venue.behave(() => LATE);
      await at.desk.opened([leg('AAA', 'BUY', '500')]);
      await at.desk.pass(90_000);
      expect(at.desk.venue.held(AAA)).to.equal('15');
      at.desk.venue.behave(() => ({}));
      await at.moveMark(AAA, '96.5', 5_000);
      expect(at.desk.venue.held(AAA)).to.equal('0');
    });
  });
});
