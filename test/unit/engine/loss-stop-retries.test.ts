/** A loss stop of a mandate whose closes are refused. */
import { expect } from 'chai';
import { engineDeskForEachTest, reasonsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { AGENT, AGENT_HOLDER, MandateDesk } from '../../support/mandate-desk.ts';
import { openMandate, stopAt } from '../../support/mandates.ts';

const MINUTE_MS = 60_000;
const REFUSED = { rejects: { reason: 'margin', message: 'the venue is closed for today' } } as const;

describe('a loss stop whose close is refused', () => {
  let on: MandateDesk;
  const desk = engineDeskForEachTest((made) => {
    on = new MandateDesk(made);
  });
  beforeEach(async () => {
    desk.mandates.put(AGENT_HOLDER, openMandate([desk.account.id], { lossStop: stopAt('20', true) }));
    await desk.ended(await on.id(on.open(AGENT, [leg('AAA', 'BUY', '10', 'BASE')])));
    desk.venue.behave(() => REFUSED);
    desk.venue.setMark('AAA-PERP', '97');
    await desk.pass(3_000);
  });

  /** Time with a price every second, as a market has it. */
  const passes = async (ms: number, mark = '97') => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      desk.venue.setMark('AAA-PERP', mark);
      await desk.pass(1_000);
    }
  };
  const closes = async () => (await desk.executions()).filter(({ intent }) => intent === 'CLOSE');

  it('waits longer from try to try, up to two minutes, and tells the user once why', async () => {
    await passes(11 * MINUTE_MS);
    const starts = (await closes()).map(({ createdAt }) => createdAt);
    const waits = starts.slice(1).map((at, index) => (at - (starts[index] ?? 0)) / 1_000);
    const expected = [5, 10, 20, 40, 80, 120, 120, 120, 120];
    expect(waits).to.have.length(expected.length);
    for (const [index, wait] of waits.entries()) expect(wait).to.be.closeTo(expected[index] ?? 0, 3);
    const [reason, ...more] = await reasonsOf(desk, 'STOP_LOSS_FAILED');
    expect(more).to.deep.equal([]);
    expect(reason).to.contain('the venue is closed for today');
  });

  it('tries at once where the price has moved', async () => {
    await passes(6 * MINUTE_MS);
    const before = (await closes()).length;
    await passes(10_000, '96.5');
    expect((await closes()).length).to.equal(before);
    desk.venue.behave(() => ({}));
    await passes(3_000, '95');
    expect((await closes()).length).to.equal(before + 1);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('tries at once where prices are back', async () => {
    desk.venue.setStale('AAA-PERP', true);
    await passes(6 * MINUTE_MS);
    desk.venue.behave(() => ({}));
    desk.venue.setStale('AAA-PERP', false);
    await passes(3_000);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });
});
