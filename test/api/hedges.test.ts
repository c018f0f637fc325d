/** The hedge of a position is its protection too: what makes it smaller is asked about, told, or refused. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';

const FAR = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '10000000' };
const reasonOf = ({ json }: TestAnswer) => json?.details?.reason;

describe('the hedge of a position', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));

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
      await desk.execute('rest', `/positions/${id}/close`, { type: 'MARKET' });
    }
  });

  it('asks about a closing TWAP that leaves one leg, and refuses it of a suspended agent', async () => {
    await desk.openedByUser([usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '1000')]);
    const over = { reduceOnly: true, durationSeconds: 60, intervalSeconds: 30 };
    const close = (long: string, short: string) =>
      desk.rest('POST', '/schedules', {
        ...over,
        legs: [usd('BTC', 'SELL', long), usd('ETH', 'BUY', short)],
      });
    for (const short of ['960', '5000']) {
      const answer = await close('40', short);
      expect([answer.status, reasonOf(answer)], answer.text).to.deep.equal([409, 'APPROVAL']);
    }
    const [question] = await desk.questions();
    expect(question.plan.loosens[0]).to.match(/hedge made smaller/i);
    await desk.suspend();
    const suspended = await close('30', '970');
    expect([suspended.status, suspended.json.errorCode], suspended.text).to.deep.equal([403, 'AGENT_LIMIT']);
    const even = await close('500', '500');
    expect(even.status, even.text).to.equal(200);
  });

  it('asks before many small part-closes, each within one lot, have taken it away', async () => {
    const { id, legs } = await desk.openedByUser([usd('XRP', 'BUY', '1000'), usd('ETH', 'SELL', '1000')]);
    const net = async () => {
      const { legs: now } = await desk.position(id);
      return Math.abs(
        now.reduce(
          (sum: number, { side, notional }: Json) => sum + (side === 'BUY' ? 1 : -1) * Number(notional),
          0,
        ),
      );
    };
    let held = Number(legs[0].quantity);
    for (let calls = 0; ; calls += 1) {
      const fraction = (1.99 / held).toFixed(8);
      const answer = await desk.rest('POST', `/positions/${id}/close`, { type: 'MARKET', fraction });
      if (answer.status === 409) {
        expect(reasonOf(answer), answer.text).to.equal('APPROVAL');
        break;
      }
      expect(answer.status, answer.text).to.equal(202);
      await desk.asked.bot.ended(answer.json.execution.id);
      held = Number((await desk.position(id)).legs[0].quantity);
      expect(calls).to.be.below(20);
    }
    expect(await net()).to.be.below(15);
  });

  it('keeps the weights that its user asked for while an agent comes and goes', async () => {
    const guest = await guarded.desk({ manage: 'OWN' });
    guest.asksWhen('never', { kinds: ['protect'] });
    const { id, legs } = await guest.openedByUser([usd('SOL', 'BUY', '1000'), usd('ETH', 'SELL', '1000')]);
    const targets = async () => (await guest.position(id)).legs.map(({ targetWeight }: Json) => targetWeight);
    const asked = await targets();
    await guest.execute('rest', '/trade/open', {
      type: 'MARKET',
      legs: [usd('SOL', 'BUY', '20'), usd('ETH', 'SELL', '3000')],
    });
    expect(await targets()).to.deep.equal(asked);
    await guest.execute('rest', `/positions/${id}/adjust`, {
      intent: 'REDUCE',
      targets: legs.map(({ symbol, quantity }: Json) => ({ symbol, quantity })),
    });
    expect(await targets()).to.deep.equal(asked);
  });

  it('rebalances the part of its user alone while an agent holds more of one leg', async () => {
    const guest = await guarded.desk({ manage: 'OWN' });
    guest.asksWhen('never', { kinds: ['protect'] });
    const { id, legs } = await guest.openedByUser([usd('SOL', 'BUY', '1000'), usd('ETH', 'SELL', '1000')]);
    const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.02', cooldownSeconds: 60 };
    await guest.expect('user', 'PUT', `/positions/${id}/auto-rebalance`, terms);
    await guest.opened({}, [usd('SOL', 'BUY', '20'), usd('ETH', 'SELL', '3000')]);
    const rebalanced = async () => {
      await guarded.gateway.clock.advance(300_000);
      const { executions } = (await guest.user('GET', '/executions')).json;
      return executions.filter(({ origin }: Json) => origin === 'REBALANCE').length;
    };
    expect(await rebalanced()).to.equal(0);
    await guest.execute('rest', `/positions/${id}/adjust`, {
      intent: 'REDUCE',
      targets: legs.map(({ symbol, quantity }: Json) => ({ symbol, quantity })),
    });
    expect(Math.abs(Number((await guest.position(id)).netNotional))).to.be.below(100);
  });
});
