/** Fills that the venue tells after it has denied the order: in the record of the trigger or rung. */

import { expect } from 'chai';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import type { Behaviour } from '../../../support/scripted-venue.ts';
import { AAA, BBB, over, PAIR } from '../../../support/trigger-desk.ts';
import { plain, setupOf } from './bracket-desk.ts';

/** The venue denies the order for as long as anybody asks, and executes it 25 s later. */
const LATE: Behaviour = {
  answer: 'silent',
  executesAfterMs: 25_000,
  lookups: Array.from({ length: 60 }, () => 'not_found' as const),
};
const REFUSED: Behaviour = { rejects: { reason: 'other', message: 'no' } };

describe('a fill that comes after the execution of a trigger has ended', () => {
  const at = triggerDeskForEachTest();
  beforeEach(async () => {
    at.desk.venue.deniesFalsely();
  });

  const NOW = { condition: over('90'), allowImmediate: true };
  const quantities = (filled: readonly { readonly quantity: string }[]) =>
    filled.map(({ quantity }) => quantity);

  for (const isRestarted of [false, true]) {
    it(`is in its filled legs${isRestarted ? ', after a restart too' : ''}, and FAILED becomes PARTIALLY_COMPLETED`, async () => {
      at.desk.venue.behave(({ symbol }) => (symbol === AAA ? LATE : REFUSED));
      const id = await at.open({ ...NOW, legs: PAIR });
      const failed = await at.ended(id);
      expect(failed).to.include({ status: 'FAILED' });
      expect(quantities(failed.filled)).to.deep.equal(['0', '0']);
      if (isRestarted) {
        await at.desk.start();
      }
      await at.desk.pass(90_000);
      const after = await at.trigger(id);
      expect(at.desk.venue.held(AAA)).to.equal('10');
      expect(quantities(after.filled)).to.deep.equal(['10', '0']);
      expect(after.filled[0]).to.include({ symbol: AAA, side: 'BUY', notional: '1000' });
      expect(after.status).to.equal('PARTIALLY_COMPLETED');
    });
  }

  it('of a rung is in the ladder, and pauses the rungs that wait', async () => {
    at.desk.venue.behave(({ symbol }) => (symbol === AAA ? LATE : REFUSED));
    const ladder = { legs: PAIR, start: '101', end: '10', levels: 2, allowImmediate: true };
    const id = await at.ladder(ladder);
    await at.desk.pass(90_000);
    const [first, second] = await at.rungs(id);
    expect(first).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(quantities(first?.filled ?? [])).to.deep.equal(['5', '0']);
    expect(second).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
  });

  it('of an unwinding is taken out again', async () => {
    let sales = 0;
    at.desk.venue.behave(({ symbol, side }) => {
      if (symbol === BBB) return REFUSED;
      return side === 'SELL' && ++sales <= 1 ? LATE : side === 'SELL' ? REFUSED : {};
    });
    const id = await at.open({ ...NOW, legs: PAIR, onLegFailure: 'UNWIND' });
    const partly = await at.ended(id);
    expect(quantities(partly.filled)).to.deep.equal(['10', '0']);
    await at.desk.pass(120_000);
    expect(at.desk.venue.held(AAA)).to.equal('0');
    expect(quantities((await at.trigger(id)).filled)).to.deep.equal(['0', '0']);
  });

  it('of a stop-loss is in its filled legs', async () => {
    const setup = setupOf({ stopLoss: plain('DOLLAR', '50') });
    const { positionId } = await at.desk.opened([leg('AAA', 'BUY', '1000')], { setup });
    expect(positionId).to.not.equal(null);
    at.desk.venue.keepRules();
    at.desk.venue.behave(() => LATE);
    await at.moveMark(AAA, '94', 30_000);
    at.desk.venue.behave(() => ({}));
    await at.desk.pass(120_000);
    expect(at.desk.venue.held(AAA)).to.equal('0');
    const [stop] = await at.triggers();
    expect(stop?.status).to.equal('COMPLETED');
    expect(quantities(stop?.filled ?? [])).to.deep.equal(['10']);
  });
});
