/** A stop-loss at a z-score or spread of a basket whose other leg is closed outside Tandem. */

import { expect } from 'chai';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { AAA, BBB, PAIR } from '../../../support/trigger-desk.ts';
import { setupOf, stopLossOf } from './bracket-desk.ts';

const HOUR = 3_600_000;
/** A tenth of the larger side in USD, because the distance to the level is unknown. */
const LOSS = '-100';

describe('a stop-loss at a transformed ratio whose basket loses a leg', () => {
  const at = triggerDeskForEachTest();

  const stop = () => stopLossOf(at);
  const moves = (mark: string) => at.moveMark(AAA, mark, 5_000);

  for (const transform of ['Z_SCORE', 'SPREAD'] as const) {
    it(`${transform}: a loss in USD replaces the level, the trader is notified, and it fires`, async () => {
      const hour = Math.floor(at.desk.clock.now() / HOUR) * HOUR;
      for (let back = 0; back < 24; back += 1)
        at.hours.put(hour - back * HOUR, { [AAA]: back % 2 === 0 ? '101' : '99', [BBB]: '100' });
      const level = { type: 'PRICE_RATIO', value: '-50', trailing: null, transform, lookback: 24 } as const;
      await at.desk.opened(PAIR, { setup: setupOf({ stopLoss: level }) });
      expect((await stop()).armed).to.not.have.property('standIn');
      at.desk.venue.trade({ symbol: BBB, side: 'BUY', quantity: '10', isLiquidation: true });
      await at.desk.pass(20_000);
      expect((await stop()).armed?.standIn).to.equal(LOSS);
      expect(await at.notifications()).to.include('STOP_LOSS_NOT_SET');
      await moves('90.1');
      expect(await stop()).to.include({ status: 'ACTIVE' });
      await moves('89.9');
      expect((await at.ended((await stop()).id)).status).to.equal('COMPLETED');
      expect(at.desk.venue.held(AAA)).to.equal('0');
    });
  }
});
