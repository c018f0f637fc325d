/** Part of a basket is closed with all its legs or not at all; the whole of it as far as it can be. */

import { expect } from 'chai';
import { wantedOf } from '../../../gateway/domain/closing-plan.ts';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

describe('closing a basket of which a leg has no price', () => {
  const desk = engineDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    const opened = await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    positionId = opened.positionId ?? '';
    desk.venue.setStale('BBB-PERP', true);
  });

  it('a half: nothing is sent, and both legs say why', async () => {
    const before = desk.venue.sent.length;
    const ended = await desk.ended(await desk.close(positionId, '0.5'));
    expect(ended.status).to.equal('FAILED');
    expect(ended.error).to.include('BBB-PERP');
    expect(desk.venue.sent).to.have.length(before);
    expect([desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')]).to.deep.equal(['10', '-10']);
    desk.venue.setStale('BBB-PERP', false);
    await desk.ended(await desk.close(positionId, '0.5'));
    expect([desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')]).to.deep.equal(['5', '-5']);
  });

  it('the whole: what can be closed is', async () => {
    await desk.ended(await desk.close(positionId));
    expect([desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')]).to.deep.equal(['0', '-10']);
  });
});

describe('a part of a leg of which some was sold outside Tandem', () => {
  const part = { held: '9.99', wanted: '3.29', isWhole: false, target: null };

  // 3.29 of 9.99, and 3 sold: 3.29 × 6.99 ÷ 9.99 = 2.302002…
  it('is the same share of what is left, in whole steps: another basket may take it without an order', () => {
    expect(text(wantedOf({ ...part, step: '0.01' }, dec('3')))).to.equal('2.3');
    expect(text(wantedOf({ ...part, step: '0.25' }, dec('3')))).to.equal('2.25');
    expect(text(wantedOf({ ...part, step: '0.01' }, dec('0')))).to.equal('3.29');
  });
});
