/** A stop-loss whose level is met while the venue has not answered the close of the take-profit. */

import { expect } from 'chai';
import { notificationsOf, triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import type { Behaviour } from '../../../support/scripted-venue.ts';
import { AAA, BBB } from '../../../support/trigger-desk.ts';
import { plain, setBrackets, statusOf } from './bracket-desk.ts';

const NOTHING_FILLS: Behaviour = { fraction: '0' };
const UNANSWERED: Behaviour = {
  fraction: '0',
  answer: 'silent',
  streamed: 0,
  lookups: Array(20).fill('no_answer'),
};
/** The take-profit fires above 105, the stop-loss below 95. */
const FIFTY = plain('DOLLAR', '50');

describe('a stop-loss that is met while the close of the take-profit is unanswered', () => {
  const at = triggerDeskForEachTest();
  let positionId: string;
  let stopId: string;
  let profitId: string;
  beforeEach(async () => {
    positionId = await at.position();
    const set = await setBrackets(at, positionId, { takeProfit: FIFTY, stopLoss: FIFTY });
    stopId = set.stopLoss?.id ?? '';
    profitId = set.takeProfit?.id ?? '';
    at.desk.venue.behave(() => UNANSWERED);
    await at.moveMark(AAA, '106');
  });

  const status = (id: string) => statusOf(at, id);
  const dips = async (mark: string) => {
    const sent = at.desk.venue.sent.length;
    await at.moveMark(AAA, mark, 1_000);
    await at.moveMark(AAA, '100', 2_000);
    // Nothing is known of the first close, so nothing else is sent.
    expect(at.desk.venue.sent).to.have.length(sent);
    expect(await status(stopId)).to.equal('PAUSED OTHER_BRACKET');
    at.desk.venue.behave(() => NOTHING_FILLS);
  };
  const stopCloses = async () => {
    await at.desk.advanceTo(() => at.services.brackets.of(positionId).stopLoss?.status === 'TRIGGERED');
    expect(await status(profitId)).to.equal('PAUSED OTHER_BRACKET');
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
  };

  it('fires as soon as the outcome is known, wherever the price is', async () => {
    await dips('94');
    expect((await at.trigger(stopId)).error).to.contain('The level was met at -60');
    await stopCloses();
  });

  it('fires after a restart too', async () => {
    await dips('94');
    await at.desk.start();
    await stopCloses();
  });

  it('watches on where its level is not met', async () => {
    await dips('96');
    await at.desk.advanceTo(() => at.services.brackets.of(positionId).stopLoss?.status === 'ACTIVE');
    at.desk.venue.setMark(AAA, '94');
    await stopCloses();
  });

  it('does not fire once the trader has paused it', async () => {
    await dips('94');
    expect((await at.services.triggers.pause(at.desk.account, stopId)).ok).to.equal(true);
    await at.desk.pass(60_000);
    expect(await status(stopId)).to.equal('PAUSED USER');
    expect((await at.trigger(stopId)).armed).not.to.have.property('met');
  });
});

describe('a stop-loss whose own close is unanswered', () => {
  const at = triggerDeskForEachTest();

  it('says so after four seconds, once', async () => {
    const positionId = await at.position();
    await setBrackets(at, positionId, { stopLoss: FIFTY });
    at.desk.venue.behave(() => UNANSWERED);
    await at.moveMark(AAA, '94', 3_000);
    const told = async () =>
      (await notificationsOf(at.desk)).map(({ category, parameters }) => [category, parameters.positionId]);
    expect(await told()).to.deep.equal([]);
    await at.desk.pass(2_000);
    expect(await told()).to.deep.equal([['STOP_LOSS_FAILED', positionId]]);
    await at.desk.pass(5_000);
    expect(await told()).to.have.length(1);
  });
});
