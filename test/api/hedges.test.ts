/** The hedge of a position is its protection too: what makes it smaller is asked about, told, or refused. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { type GuardedDesk, GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { usd } from '../support/trader.ts';

const FAR = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '10000000' };
const reasonOf = ({ json }: TestAnswer) => json?.details?.reason;

describe('the hedge of a position', () => {
  let guarded: GuardedGateway;
  let desk: GuardedDesk;
  before(async () => {
    guarded = await GuardedGateway.open();
  });
  after(() => guarded.close());
  beforeEach(async () => {
    desk = await guarded.desk({ manage: 'ALL' });
  });

  it('asks about a part-close that takes the hedge away, and tells of it', async () => {
    const { id, legs } = await desk.openedByUser([usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')]);
    const reduce = (by: object) => desk.rest('POST', `/positions/${id}/adjust`, { intent: 'REDUCE', ...by });
    const half = await reduce({ fraction: '0.5' });
    await desk.asked.bot.ended(half.json.execution.id);
    expect(await desk.notices('PROTECTION_LOOSENED')).to.deep.equal([]);
    const less = { symbol: 'ETH-PERP', quantity: (Number(legs[1].quantity) / 4).toFixed(4) };
    const answer = await reduce({ targets: [less] });
    expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
    const [question] = await desk.questions();
    expect(question.reasons).to.deep.equal(['LOOSENS']);
    expect(question.plan.loosens[0]).to.match(/hedge/i);
    await desk.approve(question);
    const [notice] = await desk.notices('PROTECTION_LOOSENED');
    expect(notice.parameters.reason).to.match(/hedge/i);
    expect(await desk.audited('protection.loosened')).to.have.length(1);
  });

  it('asks about a rebalance that makes the hedge smaller, and about one by live beta that trades by itself', async () => {
    const { id } = await desk.openedByUser([usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '50')]);
    const terms = { mode: 'LIVE_BETA', action: 'TRADE', minimumDrift: '0.5' };
    const answer = await desk.rest('PUT', `/positions/${id}/auto-rebalance`, terms);
    expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
    const [question] = await desk.questions();
    expect(question.reasons).to.deep.equal(['LOOSENS']);
    expect((await desk.approve(question)).json.status).to.equal('APPROVED');
    expect((await desk.position(id)).autoRebalance.status).to.equal('ACTIVE');
    // The long leg has become as small as the short one: back at its weight it is hedged less.
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('BTC-PERP', 0.6);
    const again = await desk.rest('POST', `/positions/${id}/rebalance`, { mode: 'TARGET_WEIGHTS' });
    await venue.shock('BTC-PERP', 1 / 0.6);
    expect([again.status, reasonOf(again)], again.text).to.deep.equal([409, 'APPROVAL']);
    const later = (await desk.questions()).find(({ id: one }: Json) => one !== question.id);
    expect(later.plan.loosens[0]).to.match(/hedge made smaller/i);
  });

  it('refuses a close of a pair that may fill one leg alone', async () => {
    const FAST = { durationSeconds: 600, intervalSeconds: 300 };
    for (const prepare of [() => undefined, () => desk.suspend()]) {
      const { id } = await desk.openedByUser([usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')]);
      prepare();
      const slippage = '0.00003';
      for (const [path, body] of [
        [`/positions/${id}/close`, { type: 'MARKET', slippage, onLegFailure: 'KEEP' }],
        [`/positions/${id}/close`, { type: 'TWAP', slippage, ...FAST }],
        [`/positions/${id}/close`, { type: 'TRIGGER', slippage, condition: FAR }],
        [`/positions/${id}/adjust`, { intent: 'REDUCE', fraction: '0.5', slippage }],
      ] as const) {
        const { status, json, text } = await desk.rest('POST', path, body);
        expect([status, json.errorCode], `${path}: ${text}`).to.deep.equal([403, 'AGENT_LIMIT']);
        expect(json.details.limits[0]).to.deep.include({ limit: 'maxSlippage', allowed: 'at least 0.01' });
      }
      const all = (await desk.rest('POST', '/positions/close-all', { slippage })).json;
      expect(all.executions).to.deep.equal([]);
      expect(all.failures.map(({ errorCode }: Json) => errorCode)).to.include('AGENT_LIMIT');
      const closed = await desk.rest('POST', `/positions/${id}/close`, { type: 'MARKET' });
      expect(closed.status, closed.text).to.equal(202);
      await desk.asked.bot.ended(closed.json.execution.id);
    }
  });
});
