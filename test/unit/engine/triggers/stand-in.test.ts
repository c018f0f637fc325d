/** A stop-loss at a level of the whole basket, while a leg of it is not held. */

import { expect } from 'chai';
import type { Bracket } from '../../../../gateway/domain/trigger.ts';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { AAA, BBB, PAIR } from '../../../support/trigger-desk.ts';
import { plain, setupOf, stopLossOf } from './bracket-desk.ts';

const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;
/** Pair of 1,000 USD each, both at 100: the ratio is 1. At 0.9 the pair has lost `LOSS`, USD. */
const LEVELS = ['PRICE_RATIO', 'WEIGHTED_RATIO'] as const;
const LOSS = { PRICE_RATIO: '100', WEIGHTED_RATIO: '200' } as const;

describe('a stop-loss of a basket that lacks a leg', () => {
  const at = triggerDeskForEachTest();

  const refuse = (symbol: string) =>
    at.desk.venue.behave((order) => (order.symbol === symbol ? REFUSED : {}));
  const opened = (type: (typeof LEVELS)[number], takeProfit: Bracket | null = null) =>
    at.desk.opened(PAIR, { setup: setupOf({ takeProfit, stopLoss: plain(type, '0.9') }) });
  const stop = () => stopLossOf(at);

  for (const type of LEVELS) {
    it(`${type}: where a leg was refused, the same loss in USD stands in, and the trader is told`, async () => {
      refuse(BBB);
      await opened(type, plain(type, '1.1'));
      expect(await stop()).to.include({ status: 'ACTIVE' });
      expect((await stop()).armed?.standIn).to.equal(`-${LOSS[type]}`);
      expect(await at.notifications()).to.include('STOP_LOSS_NOT_SET');
      at.desk.venue.behave(() => ({}));
      const loss = Number(LOSS[type]);
      await at.moveMark(AAA, String(100 - loss / 10 + 0.1), 5_000);
      expect(await stop()).to.include({ status: 'ACTIVE' });
      await at.moveMark(AAA, String(100 - loss / 10 - 0.1), 5_000);
      expect((await at.ended((await stop()).id)).status).to.equal('COMPLETED');
      expect(at.desk.venue.held(AAA)).to.equal('0');
    });

    it(`${type}: a loss that a part-close realises counts on`, async () => {
      refuse(BBB);
      await opened(type);
      await at.moveMark(AAA, '96', 5_000);
      at.desk.venue.trade({ symbol: AAA, side: 'SELL', quantity: '5', isLiquidation: true });
      await at.desk.pass(20_000);
      // Half of the loss of 40 USD is realised.
      expect((await stop()).armed?.standIn).to.equal(`-${Number(LOSS[type]) - 20}`);
      expect((await at.notifications()).filter((one) => one === 'STOP_LOSS_NOT_SET')).to.have.length(1);
      await at.desk.start();
      expect((await stop()).armed?.standIn).to.equal(`-${Number(LOSS[type]) - 20}`);
    });

    it(`${type}: where the leg comes later, its own level counts again`, async () => {
      refuse(BBB);
      await opened(type);
      at.desk.venue.behave(() => ({}));
      await at.desk.opened([leg('AAA', 'BUY', '100'), leg('BBB', 'SELL', '1100')]);
      expect((await stop()).armed).to.not.have.property('standIn');
      // Both legs fall alike: a loss on one and a gain on the other, and the ratio as it was.
      at.desk.venue.setMarks({ [AAA]: '70', [BBB]: '70' });
      await at.desk.pass(5_000);
      expect(await stop()).to.include({ status: 'ACTIVE' });
      at.desk.venue.setMarks({ [AAA]: '50', [BBB]: '70' });
      await at.desk.pass(5_000);
      expect((await at.ended((await stop()).id)).status).to.equal('COMPLETED');
    });

    it(`${type}: where a leg is closed elsewhere, it holds what is left, over a restart too`, async () => {
      await opened(type, plain(type, '1.1'));
      expect((await stop()).armed).to.not.have.property('standIn');
      at.desk.venue.trade({ symbol: BBB, side: 'BUY', quantity: '10', isLiquidation: true });
      await at.desk.pass(20_000);
      expect((await stop()).armed?.standIn).to.equal(`-${LOSS[type]}`);
      expect(await at.notifications()).to.include('STOP_LOSS_NOT_SET');
      const positions = await at.desk.positions();
      expect(positions.map(({ status }) => status)).to.deep.equal(['OPEN']);
      await at.desk.start();
      await at.moveMark(AAA, String(100 - Number(LOSS[type]) / 10 - 0.1), 10_000);
      expect((await at.ended((await stop()).id)).status).to.equal('COMPLETED');
    });
  }

  it('is told of where a close leaves a leg, and not of a close that takes both', async () => {
    const { positionId } = await opened('PRICE_RATIO');
    refuse(BBB);
    await at.desk.ended(await at.desk.close(positionId ?? ''));
    expect((await at.notifications()).filter((name) => name === 'STOP_LOSS_NOT_SET')).to.have.length(1);
    expect((await stop()).armed?.standIn).to.match(/^-100/);
    at.desk.venue.behave(() => ({}));
    await at.desk.ended(await at.desk.close(positionId ?? ''));
    await opened('PRICE_RATIO');
    const [open] = (await at.desk.positions()).filter(({ status }) => status === 'OPEN');
    await at.desk.ended(await at.desk.close(open?.id ?? ''));
    expect((await at.notifications()).filter((name) => name === 'STOP_LOSS_NOT_SET')).to.have.length(1);
  });

  it('says so where one price is stale, once, and not where all are', async () => {
    await opened('PRICE_RATIO');
    const told = async () => (await at.notifications()).filter((one) => one === 'STOP_LOSS_NOT_SET').length;
    for (const isStale of [true, false, true]) {
      at.desk.venue.setStale(BBB, isStale);
      await at.desk.pass(5_000);
      expect((await stop()).status).to.equal(isStale ? 'PAUSED' : 'ACTIVE');
      expect(await told()).to.equal(1);
    }
    at.desk.venue.setStale(BBB, false);
    await at.desk.pass(60_000);
    for (const { id } of at.desk.engine.accept.market.instruments('scripted'))
      at.desk.venue.setStale(id, true);
    await at.desk.pass(5_000);
    expect((await stop()).status).to.equal('PAUSED');
    expect(await told()).to.equal(1);
  });
});
