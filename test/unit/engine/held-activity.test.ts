/** Activity of an account while an execution runs, which cannot be attributed yet. */
import { expect } from 'chai';
import { closeDesks, engineDesk, leg } from '../../support/engine-desk.ts';

describe('activity that waits for an execution', () => {
  afterEach(() => closeDesks());

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

  it('is not told again and again, although some order always runs', async () => {
    const desk = await engineDesk();
    desk.venue.past.againMs = 60_000;
    await desk.start();
    desk.venue.holdLookups();
    desk.venue.behave(() => ({ answer: 'silent', lost: true }));
    await desk.open([leg('AAA', 'BUY', '3', 'BASE')]);
    for (let nth = 0; nth < 60; nth += 1) {
      desk.venue.trade({ symbol: 'BBB-PERP', side: nth % 2 === 0 ? 'BUY' : 'SELL', quantity: '1' });
      await desk.pass(10_000);
    }
    expect(await desk.unfinished()).to.have.length(1);
    // Fills of a minute, and of the minute between two readings.
    expect(desk.venue.past.told.at(-1)).to.have.length.within(6, 13);
    desk.kill();
  });

  it('is told again after a restart as long as it is of an order that has not ended', async () => {
    const desk = await engineDesk();
    desk.venue.past.againMs = 60_000;
    await desk.start();
    const answerLookups = desk.venue.holdLookups();
    desk.venue.behave(() => ({ answer: 'silent', fraction: '0.5', streamed: 0 }));
    await desk.open([leg('AAA', 'BUY', '3', 'BASE')]);
    await desk.pass(600_000);
    const own = desk.venue.fills.map(({ tradeId }) => tradeId);
    expect(own).to.have.length(1);
    await desk.start();
    expect(desk.venue.past.told.at(-1)).to.deep.equal(own);
    answerLookups();
    await desk.allEnded();
    await desk.pass(300_000);
    expect(desk.venue.past.told.at(-1)).to.deep.equal([]);
    expect(await desk.heldInBaskets('AAA-PERP')).to.equal('1.5');
    desk.kill();
  });
});
