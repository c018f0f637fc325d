/** A closing TWAP whose position is also traded outside Tandem. */

import { expect } from 'chai';
import { scheduleProgress } from '../../../../gateway/domain/slicing.ts';
import { planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { MINUTE } from '../../../support/plan-desk.ts';

describe('a closing TWAP while its position is sold outside Tandem', () => {
  const plan = planDeskForEachTest();

  /** Long 10 AAA and short 10 BBB. 4 AAA are sold outside before the TWAP closes `quantity` of each. */
  async function closing(quantity: string): Promise<string> {
    const { desk } = plan;
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    await desk.pass(1_000);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '4' });
    const legs = [leg('AAA', 'SELL', quantity, 'BASE'), leg('BBB', 'BUY', quantity, 'BASE')];
    return plan.twap({ legs, reduceOnly: true });
  }

  for (const [quantity, left] of [
    ['1', ['5.94', '-9']],
    ['5', ['5', '-5']],
    ['10', ['0', '0']],
  ] as const) {
    it(`counts no more than its slices asked for, of ${quantity} to close`, async () => {
      const { desk } = plan;
      const id = await closing(quantity);
      await desk.pass(5_000);
      const first = await plan.schedule(id);
      expect(first.slices[0]).to.include({ status: 'COMPLETED', filledUsd: String(Number(quantity) * 20) });
      for (let minute = 0; minute < 10; minute += 1) {
        const { totalUsd, filledUsd, remainingUsd } = scheduleProgress((await plan.schedule(id)).ledger);
        expect(Number(remainingUsd)).to.be.at.least(0);
        expect(Number(filledUsd)).to.be.at.most(Number(totalUsd));
        await desk.pass(MINUTE);
      }
      expect(await plan.schedule(id)).to.include({ status: 'COMPLETED', error: null });
      expect([desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')]).to.deep.equal(left);
    });
  }
});
