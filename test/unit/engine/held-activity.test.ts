/** Activity of an account while an execution runs, which cannot be attributed yet. */
import { expect } from 'chai';
import { closeDesks, engineDesk, leg } from '../../support/engine-desk.ts';
import { removeTemporaryFolders } from '../../support/temporary-folder.ts';

describe('activity that waits for an execution', () => {
  afterEach(async () => {
    await closeDesks();
    await removeTemporaryFolders();
  });

  it('is booked as soon as that has ended, also while the history cannot be read', async () => {
    const desk = await engineDesk();
    await desk.start();
    desk.venue.behave(() => ({ answer: 'silent', streamed: 0, lookups: Array(6).fill('no_answer') }));
    const id = await desk.open([leg('AAA', 'BUY', '3', 'BASE')]);
    await desk.advanceTo(() => desk.venue.asked.length > 0);
    desk.venue.settleFunding('AAA-PERP', '0.0001');
    desk.venue.answerHistory(false);
    const { positionId } = await desk.ended(id);
    await desk.pass(2_000);
    expect((await desk.position(positionId)).legs[0]?.fundingPaid).to.equal('0.03');
    desk.kill();
  });
});
