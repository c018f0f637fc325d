/** A leg that is too small but for an order in flight: its order waits for what becomes of that one. */

import { expect } from 'chai';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

describe('closing a small leg beside an order in flight', () => {
  const desk = engineDeskForEachTest();

  /** 0.1 AAA worth 5 USD, half of the least that an order may be, and 0.3 sold in an order of which nobody knows. */
  async function besideUnknown(behaviour: { readonly lost?: boolean; readonly executesAfterMs?: number }) {
    const small = await desk.opened([leg('AAA', 'BUY', '0.1', 'BASE')]);
    desk.venue.setMark('AAA-PERP', '50');
    const isUnknown = (symbol: string, side: string) => symbol === 'AAA-PERP' && side === 'SELL';
    desk.venue.behave(({ symbol, side, reduceOnly }) =>
      isUnknown(symbol, side) && !reduceOnly ? { answer: 'silent', streamed: 0, ...behaviour } : {},
    );
    await desk.open([leg('AAA', 'SELL', '0.3', 'BASE'), leg('BBB', 'BUY', '1', 'BASE')]);
    await desk.advanceTo(() => desk.venue.sent.some(({ symbol, side }) => isUnknown(symbol, side)));
    const before = desk.venue.sent.length;
    const closing = await desk.close(small.positionId ?? '');
    await desk.pass(100);
    return { closing, small, sentAtOnce: desk.venue.sent.length - before };
  }

  it('waits for it, and closes once it is known that it never arrived', async () => {
    const { closing, small, sentAtOnce } = await besideUnknown({ lost: true });
    expect(sentAtOnce).to.equal(0);
    expect(await desk.ended(closing)).to.include({ status: 'COMPLETED' });
    expect((await desk.position(small.positionId)).status).to.equal('CLOSED');
    await desk.allEnded();
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('waits for it, and leaves to the account what it has sold already', async () => {
    const { closing, small, sentAtOnce } = await besideUnknown({ executesAfterMs: 2_000 });
    expect(sentAtOnce).to.equal(0);
    await desk.ended(closing);
    expect((await desk.position(small.positionId)).status).to.equal('CLOSED');
    await desk.allEnded();
    expect(desk.venue.held('AAA-PERP')).to.equal('-0.2');
  });
});
