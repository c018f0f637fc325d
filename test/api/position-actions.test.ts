/** Turning positions over, closing all of them, moving margin: through the API, with what is refused and leaves nothing. */
import { expect } from 'chai';
import { changeMargin, closeAllPositions, reversePosition } from '../../gateway/contract/position-actions.ts';
import { gatewayForEachTest, type TestAnswer } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { PAIR, trader, traderForEachTest, usd } from '../support/trader.ts';
import { until, untilSettled } from '../support/until.ts';

describe('actions on positions', () => {
  const gateway = gatewayForEachTest({ hasCross: true });
  const bot = traderForEachTest(gateway);

  const position = async (id: string): Promise<Json> => (await bot.call('GET', `/positions/${id}`)).json;
  const expectRefused = (answer: TestAnswer, status: number, code: string, path?: string) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.json.errorCode).to.equal(code);
    if (path !== undefined) expect(answer.json.details.map((one: Json) => one.path)).to.include(path);
  };
  const executions = async (): Promise<Json[]> =>
    (await bot.call('GET', '/executions?limit=100')).json.executions;
  /** The execution that another one led to. */
  async function childOf(parentId: string): Promise<Json> {
    const child = await until(gateway.clock, 'another execution follows', async () =>
      (await executions()).find((one) => one.parentId === parentId),
    );
    return bot.ended(child['id']);
  }

  describe('POST /positions/{id}/reverse', () => {
    it('closes and opens the opposite in the same quantities', async () => {
      const opened = await bot.open(PAIR);
      const before = await position(opened.positionId);
      const answer = await bot.expect('POST', `/positions/${opened.positionId}/reverse`, {}, 202);
      expect(reversePosition.success[202].parse(answer).intent).to.equal('REVERSE');
      const closed = await bot.ended(answer.execution.id);
      expect(closed, closed.error).to.include({ status: 'COMPLETED', intent: 'REVERSE' });
      const child = await childOf(closed.id);
      expect(child).to.include({ status: 'COMPLETED', intent: 'OPEN', origin: 'API' });
      expect((await position(opened.positionId)).status).to.equal('CLOSED');
      const after = await position(child.positionId);
      const flipped = before.legs.map(({ symbol, side, quantity }: Json) => ({
        symbol,
        side: side === 'BUY' ? 'SELL' : 'BUY',
        quantity,
      }));
      expect(
        after.legs.map(({ symbol, side, quantity }: Json) => ({ symbol, side, quantity })),
      ).to.deep.equal(flipped);
    });

    it('a repeated key gets the first answer, and turns nothing back', async () => {
      const opened = await bot.open(PAIR);
      const path = `/positions/${opened.positionId}/reverse`;
      const key = { 'idempotency-key': 'turn-1' };
      const first = await bot.call('POST', path, {}, key);
      await bot.ended(first.json.execution.id);
      await childOf(first.json.execution.id);
      const again = await bot.call('POST', path, {}, key);
      expect(again.status).to.equal(202);
      expect(again.headers.get('idempotency-replayed')).to.equal('true');
      expect(again.text).to.equal(first.text);
      expect(await executions()).to.have.length(3);
    });
  });

  describe('POST /positions/close-all', () => {
    it('closes every position; one that is busy stands among the failures', async () => {
      const first = await bot.open(PAIR);
      const second = await bot.open([usd('SOL', 'BUY', '500')]);
      const third = await bot.open([usd('LINK', 'SELL', '500')]);
      gateway.gateway
        .paperVenue('paper')
        .setFaults({ rules: [{ match: { order: 1 }, action: { kind: 'delay', delayMs: 500 } }] });
      const busy = await bot.call('POST', `/positions/${third.positionId}/close`, { type: 'MARKET' });
      const answer = await bot.expect('POST', '/positions/close-all', {}, 202);
      const report = closeAllPositions.success[202].parse(answer);
      expect(report.executions.map(({ positionId }) => positionId).sort()).to.deep.equal(
        [first.positionId, second.positionId].sort(),
      );
      expect(report.failures).to.have.length(1);
      expect(report.failures[0]).to.include({ positionId: third.positionId, errorCode: 'RESOURCE_BUSY' });
      for (const { id } of [...report.executions, busy.json.execution])
        expect(await bot.ended(id)).to.include({ status: 'COMPLETED', intent: 'CLOSE' });
      expect(await bot.positions()).to.deep.equal([]);
    });

    it('none open, and a connector that the account is not on: 409; an unknown one: 400; a repeated key: once', async () => {
      expectRefused(await bot.call('POST', '/positions/close-all', {}), 409, 'NOOP_ERROR');
      await bot.open(PAIR);
      const on = (connector: string) => bot.call('POST', '/positions/close-all', { connector });
      expectRefused(await on('paper-cross'), 409, 'NOOP_ERROR');
      expectRefused(await on('nowhere'), 400, 'VALIDATION_ERROR', 'connector');
      expect(await executions()).to.have.length(1);
      const key = { 'idempotency-key': 'out' };
      const first = await bot.call('POST', '/positions/close-all', undefined, key);
      expect(first.status, first.text).to.equal(202);
      await bot.ended(first.json.executions[0].id);
      const again = await bot.call('POST', '/positions/close-all', undefined, key);
      expect(again.text).to.equal(first.text);
      expect(again.headers.get('idempotency-replayed')).to.equal('true');
    });
  });

  describe('POST /positions/{id}/margin', () => {
    let positionId: string;
    const move = (body: object, headers: Record<string, string> = {}) =>
      bot.call('POST', `/positions/${positionId}/margin`, body, headers);
    const keys = async () =>
      (await gateway.gateway.paperVenue('paper').positions(venueAccount())) satisfies object;
    const venueAccount = () => ({ tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId });

    beforeEach(async () => {
      const isolated = { symbol: 'DOGE-PERP', leverage: 5, marginMode: 'isolated' };
      expect((await bot.call('PUT', '/leverage', isolated)).status).to.equal(200);
      positionId = (await bot.open([usd('DOGE', 'BUY', '1000'), usd('LTC', 'SELL', '1000')])).positionId;
    });

    it('adds and takes out; the position shows the margin and the price of liquidation that the venue has', async () => {
      const before = await position(positionId);
      const answer = await move({ symbol: 'DOGE-PERP', amount: '150' });
      expect(answer.status, answer.text).to.equal(200);
      const change = changeMargin.success[200].parse(answer.json);
      expect(change).to.include({ positionId, symbol: 'DOGE-PERP', amount: '150' });
      expect(Number(change.marginUsed)).to.be.closeTo(350, 5);
      const after = await position(positionId);
      expect(Number(after.marginUsed) - Number(before.marginUsed)).to.be.closeTo(150, 5);
      const [doge, ltc] = after.legs;
      // A leg's own: the isolated one what the venue holds for it, the cross one its share by leverage.
      expect(Number(doge.marginUsed)).to.be.closeTo(350, 5);
      expect(Number(ltc.marginUsed)).to.be.closeTo(Number(ltc.notional) / ltc.leverage, 1e-9);
      expect(Number(doge.liquidationPrice)).to.be.lessThan(Number(before.legs[0].liquidationPrice));
      expect(change.liquidationPrice).to.be.a('string');
      expect((await move({ symbol: 'DOGE-PERP', amount: '-100' })).status).to.equal(200);
      expect(Number((await position(positionId)).marginUsed)).to.be.closeTo(
        Number(after.marginUsed) - 100,
        5,
      );
    });

    it('a repeated key moves it once', async () => {
      const key = { 'idempotency-key': 'more' };
      const first = await move({ symbol: 'DOGE-PERP', amount: '150' }, key);
      const again = await move({ symbol: 'DOGE-PERP', amount: '150' }, key);
      expect(again.text).to.equal(first.text);
      expect(again.headers.get('idempotency-replayed')).to.equal('true');
      expect(Number((await position(positionId)).marginUsed)).to.be.closeTo(550, 10);
      expectRefused(await move({ symbol: 'DOGE-PERP', amount: '151' }, key), 400, 'VALIDATION_ERROR');
    });

    it('what the venue refuses is a 400, moves nothing, and leaves the key free', async () => {
      const key = { 'idempotency-key': 'too-much' };
      const before = await keys();
      const refused = await move({ symbol: 'DOGE-PERP', amount: '90000000' }, key);
      expectRefused(refused, 400, 'VALIDATION_ERROR', 'amount');
      expect(refused.json.details[0].message).to.equal('Free margin does not cover the amount');
      expect(await keys()).to.have.keys(before);
      expect((await move({ symbol: 'DOGE-PERP', amount: '10' }, key)).status).to.equal(200);
    });

    it('a venue that does not answer: the key stays taken, for it may have happened', async () => {
      const rules = [{ match: { order: 1 }, action: { kind: 'down', forMs: 400 } as const }];
      gateway.gateway.paperVenue('paper').setFaults({ rules });
      const other = await bot.call('POST', '/trade/open', {
        type: 'MARKET',
        legs: [usd('SOL', 'BUY', '500')],
      });
      const isDown = async () => (await position(positionId)).legs[0].liquidationPrice === null;
      await untilSettled('the venue is down', isDown);
      const key = { 'idempotency-key': 'lost' };
      const body = { symbol: 'DOGE-PERP', amount: '10' };
      const first = await move(body, key);
      expectRefused(first, 500, 'CONFIGURATION_ERROR');
      expect(first.json.details).to.deep.equal({ reason: 'OUTCOME_UNKNOWN' });
      const again = await move(body, key);
      expectRefused(again, 409, 'RESOURCE_BUSY');
      await bot.ended(other.json.execution.id);
      expectRefused(await move(body, key), 409, 'RESOURCE_BUSY');
      expect(again.json.details).to.deep.equal({ reason: 'OUTCOME_UNKNOWN' });
    });

    it('refusals: a cross leg, no leg of it, nothing to move', async () => {
      expectRefused(await move({ symbol: 'LTC-PERP', amount: '10' }), 400, 'VALIDATION_ERROR', 'symbol');
      expectRefused(await move({ symbol: 'BTC-PERP', amount: '10' }), 400, 'VALIDATION_ERROR', 'symbol');
      for (const amount of ['0', '-0.0', '1e3', 10, '', '+5'])
        expectRefused(await move({ symbol: 'DOGE-PERP', amount }), 400, 'VALIDATION_ERROR', 'amount');
    });

    it('a connector without isolated margin answers 501', async () => {
      const cross = await trader(gateway, { email: 'carl@example.test', connector: 'paper-cross' });
      const opened = await cross.open(PAIR);
      const answer = await cross.call('POST', `/positions/${opened.positionId}/margin`, {
        symbol: 'BTC-PERP',
        amount: '10',
      });
      expectRefused(answer, 501, 'NOT_IMPLEMENTED_ERROR');
    });
  });
});
