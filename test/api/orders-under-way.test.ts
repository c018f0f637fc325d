/** An order that is not filled yet counts as held: nothing is done to it meanwhile that could not be done after. */
import { expect } from 'chai';
import type { Mandate } from '../../gateway/domain/mandate.ts';
import { type GuardedDesk, GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';

const SOL = [usd('SOL', 'BUY', '600')];
const SMALL = [usd('SOL', 'BUY', '20'), usd('ETH', 'SELL', '20')];
const STOP = { stopLoss: { type: 'PERCENTAGE', value: '8' } };
const ISOLATED = { symbol: 'SOL-PERP', leverage: 2, marginMode: 'isolated' };
const HIGHER = { symbol: 'SOL-PERP', leverage: 20, marginMode: 'isolated' };

describe('while an order is under way', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const venue = () => guarded.gateway.gateway.paperVenue('paper');
  const slow = () =>
    venue().setFaults({ rules: [{ match: { batch: 1 }, action: { kind: 'delay', delayMs: 5_000 } }] });
  afterEach(() => venue().setFaults({ rules: [] }));

  const deskOf = async (over: Partial<Mandate>, rights: Partial<Mandate['rights']> = {}) => {
    const desk = await guarded.desk(over);
    desk.bind({ rights: { ...desk.mandate.rights, ...rights } });
    expect((await desk.user('PUT', '/leverage', ISOLATED)).status).to.equal(200);
    return desk;
  };
  const leverage = async (desk: GuardedDesk) =>
    (await desk.user('GET', '/leverage')).json.leverage.find((one: Json) => one.symbol === 'SOL-PERP')
      .leverage;
  const refused = async (desk: GuardedDesk, what: string) => {
    const { status, json, text } = await desk.rest('PUT', '/leverage', HIGHER);
    expect([status, json.errorCode], `${what}: ${text}`).to.deep.equal([403, 'AGENT_LIMIT']);
    expect(await leverage(desk), what).to.equal(2);
  };
  const orderedByUser = async (desk: GuardedDesk, path: string, body: object) => {
    const answer = await desk.user('POST', path, body);
    expect([200, 202], answer.text).to.include(answer.status);
    return answer.json;
  };

  it('an agent does not change its leverage: an order, a reversal, a trigger that fires at once', async () => {
    for (const when of ['always', 'never'] as const) {
      const desk = await deskOf({}, { changeLeverage: true });
      desk.asksWhen(when);
      slow();
      const { execution } = await orderedByUser(desk, '/trade/open', { type: 'MARKET', legs: SOL, ...STOP });
      await refused(desk, `${when}: an order`);
      const { positionId } = await desk.asked.bot.ended(execution.id);
      slow();
      const reversed = await orderedByUser(desk, `/positions/${positionId}/reverse`, {});
      await refused(desk, `${when}: a reversal`);
      await desk.asked.bot.ended(reversed.execution.id);
    }
    const desk = await deskOf({}, { changeLeverage: true });
    desk.asksWhen('always');
    slow();
    const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '1' };
    const trigger = { legs: SOL, condition, allowImmediate: true };
    const { id } = await orderedByUser(desk, '/triggers/open', trigger);
    for (let tries = 0; (await desk.user('GET', `/triggers/${id}`)).json.status === 'ACTIVE'; tries += 1) {
      expect(tries).to.be.below(200);
      await guarded.gateway.clock.advance(50);
    }
    await refused(desk, 'a trigger that fires');
  });

  it('nor that of its own order, which its user has just approved', async () => {
    const desk = await deskOf({}, { changeLeverage: true });
    desk.asksWhen('always');
    await desk.rest('POST', '/trade/open', { type: 'MARKET', legs: SOL });
    const [question] = await desk.questions();
    slow();
    const approved = await desk.approve(question);
    expect(approved.status, approved.text).to.equal(200);
    await refused(desk, 'an approved order');
  });

  it('nor where the venue holds what no fill has told yet', async () => {
    const desk = await deskOf({}, { changeLeverage: true });
    desk.asksWhen('always');
    const cut = { kind: 'disconnect_stream', forMs: 20_000 } as const;
    venue().setFaults({ rules: [{ match: { batch: 1 }, action: cut }] });
    const body = { symbol: 'SOL-PERP', side: 'BUY', usd: '5000' };
    const outside = await desk.user('POST', `/trade-accounts/${desk.accountId}/paper/outside-order`, body);
    expect(outside.status, outside.text).to.equal(200);
    const { status, json, text } = await desk.rest('PUT', '/leverage', HIGHER);
    expect([status, json.details?.reason], text).to.deep.equal([409, 'WAITING_ORDERS']);
    expect(await leverage(desk)).to.equal(2);
    await guarded.gateway.clock.advance(60_000);
    await refused(desk, 'an order outside Tandem that was told');
  });

  it('it shares no isolated margin with it unasked', async () => {
    for (const [manage, when, expected] of [
      ['OWN', 'never', [403, 'SHARED_POSITION']],
      ['ALL', 'above', [409, 'APPROVAL']],
    ] as const) {
      const desk = await deskOf({ manage });
      desk.asksWhen(when, when === 'above' ? { aboveUsd: '5000' } : {});
      slow();
      await orderedByUser(desk, '/trade/open', { type: 'MARKET', legs: SOL, ...STOP });
      const { status, json, text } = await desk.rest('POST', '/trade/open', { type: 'MARKET', legs: SMALL });
      expect([status, json.details?.reason], `${manage}: ${text}`).to.deep.equal(expected);
    }
  });

  it('it changes no protection of its position, judged by what is held so far', async () => {
    for (const over of [{ manage: 'ALL' }, { manage: 'OWN' }] as const) {
      const desk = await guarded.desk(over);
      desk.asksWhen('never');
      const own = await desk.opened({ stopLoss: { type: 'PERCENTAGE', value: '3' } }, SOL);
      const stop = async () =>
        (await desk.user('GET', '/triggers')).json.triggers.find(
          (one: Json) => one.positionId === own.id && one.status === 'ACTIVE',
        );
      desk.asksWhen(over.manage === 'ALL' ? 'always' : 'never');
      const changes = async (what: string) => {
        const before = await stop();
        for (const change of [
          { stopLoss: { type: 'DOLLAR', value: '17' } },
          { stopLoss: null },
          { takeProfit: { type: 'PERCENTAGE', value: '0.02' } },
        ]) {
          const { status, json, text } = await desk.rest('PUT', `/positions/${own.id}/brackets`, change);
          expect([status, json.errorCode], `${what}: ${text}`).to.deep.equal([409, 'RESOURCE_BUSY']);
        }
        const ended = await desk.rest('POST', `/triggers/${before.id}/cancel`);
        expect([ended.status, ended.json.errorCode], ended.text).to.deep.equal([409, 'RESOURCE_BUSY']);
        expect((await stop()).bracket).to.deep.equal(before.bracket);
      };
      slow();
      const added = await orderedByUser(desk, '/trade/open', {
        type: 'MARKET',
        legs: [usd('SOL', 'BUY', '4000')],
      });
      await changes('an addition');
      await desk.asked.bot.ended(added.execution.id);
      if (over.manage === 'OWN') continue;
      slow();
      const part = { type: 'MARKET', fraction: '0.9' };
      const closed = await orderedByUser(desk, `/positions/${own.id}/close`, part);
      await changes('a part-close');
      await desk.asked.bot.ended(closed.execution.id);
    }
  });

  it('it trades nothing against it outside Tandem', async () => {
    const desk = await deskOf({ manage: 'OWN' }, { manageAccounts: true });
    desk.asksWhen('never');
    slow();
    await orderedByUser(desk, '/trade/open', { type: 'MARKET', legs: SOL, ...STOP });
    const path = `/trade-accounts/${desk.accountId}/paper/outside-order`;
    const { status, text } = await desk.rest('POST', path, { symbol: 'SOL-PERP', side: 'SELL', usd: '600' });
    expect(status, text).to.equal(403);
  });
});

describe('what was traded outside Tandem', () => {
  const guarded = openForSuite(() => GuardedGateway.open());

  it('is made no position of by an agent that manages its own, or whose user is asked', async () => {
    for (const [over, when] of [
      [{ manage: 'OWN' }, 'never'],
      [{ manage: 'ALL' }, 'always'],
    ] as const) {
      const desk = await guarded.desk(over);
      desk.bind({ rights: { ...desk.mandate.rights, attributeTrades: true } });
      desk.asksWhen(when);
      const path = `/trade-accounts/${desk.accountId}/paper/outside-order`;
      await desk.expect('user', 'POST', path, { symbol: 'SOL-PERP', side: 'BUY', usd: '5000' });
      const { id } = await desk.openedByUser(SOL, { stopLoss: { type: 'DOLLAR', value: '15' } });
      await guarded.gateway.clock.advance(30_000);
      const before = await desk.position(id);
      const legs = [{ symbol: 'SOL-PERP', side: 'BUY' }];
      for (const route of ['/sync/positions', '/sync/positions/plan']) {
        const { status, json, text } = await desk.rest('POST', route, { legs });
        expect([status, json.errorCode], `${route}: ${text}`).to.deep.equal([403, 'AGENT_LIMIT']);
      }
      expect((await desk.position(id)).legs).to.deep.equal(before.legs);
      await desk.execute('user', `/positions/${id}/close`, { type: 'MARKET' });
      await guarded.gateway.clock.advance(30_000);
      // An order of the user that waits would join the new position, with its stop-loss.
      expect((await desk.rest('POST', '/sync/positions', { legs })).status).to.equal(403);
      desk.bind({ manage: 'ALL' });
      desk.asksWhen('never');
      await desk.expect('rest', 'POST', '/sync/positions', { legs }, 201);
    }
  });
});
