/** Part of a basket is closed with all its legs or not at all; the whole of it as far as it can be. */

import { expect } from 'chai';
import fc from 'fast-check';
import { wantedOf } from '../../../gateway/domain/closing-plan.ts';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';

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

const NAMES = ['AAA', 'BBB', 'CCC'];
/** All marks stand at 100, in steps of 0.001. */
const [MARK, STEPS] = [100, 1_000];
const parts = fc.record({
  usd: fc.array(fc.constantFrom(12, 57, 1_000, 4_321), { minLength: 2, maxLength: 3 }),
  fraction: fc.constantFrom('0.0001', '0.001', '0.004', '0.0125', '0.5', '0.99'),
  wrong: fc.array(fc.constantFrom('nothing', 'nothing', 'nothing', 'stale'), {
    minLength: 3,
    maxLength: 3,
  }),
  onLegFailure: fc.constantFrom('KEEP' as const, 'RETRY' as const),
});

describe('a part of a basket', () => {
  const desk = engineDeskForEachTest();

  it('is sent with all its legs or with none, whatever is known to keep one back', async function () {
    this.timeout(120_000);
    let refused = 0;
    await forAllAsync([parts], propertyRuns(400), async ({ usd, fraction, wrong, onLegFailure }) => {
      const names = NAMES.slice(0, usd.length);
      const legs = names.map((name, index) => leg(name, index === 0 ? 'BUY' : 'SELL', String(usd[index])));
      const { positionId } = await desk.opened(legs);
      for (const [index, name] of names.entries())
        desk.venue.setStale(`${name}-PERP`, wrong[index] !== 'nothing');
      const held = () => names.map((name) => Math.abs(Number(desk.venue.held(`${name}-PERP`))));
      const before = held();
      const told = await desk.engine.closePosition(PRINCIPAL, desk.command(), {
        ...{ positionId: positionId ?? '', fraction, slippage: null, clientId: null, onLegFailure },
      });
      if (!told.ok) throw new Error(told.error.message);
      const ended = await desk.ended(JSON.parse(told.value.json).id);
      const taken = held().map((now, index) => Math.round(((before[index] ?? 0) - now) * STEPS));
      const wanted = usd.map((one) => Math.floor((one / MARK) * STEPS * Number(fraction) + 1e-9));
      const isKept = wanted.some((steps, index) => steps === 0 || wrong[index] !== 'nothing');
      refused += isKept ? 1 : 0;
      expect(taken).to.deep.equal(isKept ? wanted.map(() => 0) : wanted);
      expect(ended.status).to.equal(isKept ? 'FAILED' : 'COMPLETED');
      for (const name of names) desk.venue.setStale(`${name}-PERP`, false);
      await desk.ended(await desk.close(positionId ?? ''));
    });
    expect(refused).to.be.greaterThan(5);
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
