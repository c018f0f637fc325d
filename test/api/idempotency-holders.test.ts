/** Idempotency keys belong to whoever sent them: agents, programs and the user do not share them. */
import { expect } from 'chai';
import { askedDeskForEachTest, LARGE, SMALL } from '../support/asked-desk.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { usd } from '../support/trader.ts';

const KEY = 'one-key-of-many';

describe('an Idempotency-Key belongs to whoever sent it', () => {
  const desk = askedDeskForEachTest();

  const asUser = (body: object, key = KEY) =>
    desk.user('POST', '/trade/open', body, {
      'x-trade-account-id': desk.bot.accountId,
      'idempotency-key': key,
    });
  const byKey = async (read: (path: string) => Promise<{ readonly json: Json }>) =>
    (await read(`/executions/by-key?key=${KEY}`)).json.execution?.id ?? null;

  it('the user orders the same under the same key while the agent waits: both orders are placed', async () => {
    const waits = await desk.waiting(KEY);
    const own = await asUser({ type: 'MARKET', legs: LARGE });
    expect(own.status, own.text).to.equal(202);
    await desk.bot.ended(own.json.execution.id);
    // It adds to another size than was shown.
    const changed = await desk.approve(waits.id, waits.planHash);
    expect([changed.status, changed.json.details.changed]).to.deep.equal([409, ['held']]);
    const approved = await desk.approve(waits.id, (await desk.read(waits.id)).planHash);
    expect([approved.status, approved.json.status], approved.text).to.deep.equal([200, 'APPROVED']);
    expect(approved.json.madeId).to.not.equal(own.json.execution.id);
    await desk.bot.ended(approved.json.madeId);
    const again = await desk.ask(KEY);
    expect([again.status, again.json.execution?.id]).to.deep.equal([202, approved.json.madeId]);
    expect(await byKey((path) => desk.bot.call('GET', path))).to.equal(approved.json.madeId);
    const account = { 'x-trade-account-id': desk.bot.accountId };
    expect(await byKey((path) => desk.user('GET', path, undefined, account))).to.equal(own.json.execution.id);
  });

  it('nor does the user hold up an order over MCP with the key of its preview', async () => {
    const client = await newClient(desk.gateway.url, { 'x-api-key': desk.bot.key });
    try {
      const shown = await callTool(client, 'preview_basket', {
        ...{ account: desk.bot.accountId, long: ['BTC-PERP'], short: ['ETH-PERP'] },
        ...{ long_usd: '400', short_usd: '400' },
      });
      const { preview_id, summary } = shown.data;
      const placed = await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.data.outcome, placed.text).to.equal('WAITING_FOR_USER');
      const { id, planHash } = await desk.read(placed.data.approval.id);
      const legs = [usd('SOL', 'BUY', '100')];
      const own = await asUser({ type: 'MARKET', legs }, `mcp:key:${desk.keyId}:${preview_id}`);
      expect(own.status, own.text).to.equal(202);
      await desk.bot.ended(own.json.execution.id);
      const approved = await desk.approve(id, planHash);
      expect(approved.status, approved.text).to.equal(200);
      expect(approved.json.madeId).to.not.equal(own.json.execution.id);
      expect((await desk.bot.ended(approved.json.madeId)).status).to.equal('COMPLETED');
    } finally {
      await client.close();
    }
  });

  const others = { 'the same order': {}, 'another order': { legs: SMALL } };
  for (const [name, over] of Object.entries(others))
    it(`used by the agent itself meanwhile for ${name}: 409 that names what was placed, and it waits no longer`, async () => {
      const waits = await desk.waiting(KEY);
      const bound = desk.mandates.of({ authorityKind: 'api_key', authorityId: desk.keyId });
      if (bound === null) throw new Error('no mandate');
      desk.mandates.end(desk.keyId);
      const placed = await desk.ask(KEY, over);
      expect(placed.status, placed.text).to.equal(202);
      desk.mandates.bind(bound.holder, bound.userId, desk.bot.accountId);
      const before = await desk.executions();
      const refused = await desk.approve(waits.id, waits.planHash);
      expect([refused.status, refused.json.errorCode], refused.text).to.deep.equal([409, 'NOOP_ERROR']);
      expect(refused.json.details).to.deep.include({
        status: 'WITHDRAWN',
        reason: 'KEY_USED',
        madeId: placed.json.execution.id,
      });
      expect(await desk.executions()).to.have.length(before.length);
      const ended = await desk.read(waits.id);
      expect([ended.status, ended.madeId]).to.deep.equal(['WITHDRAWN', null]);
      expect(ended.withdrawnBecause).to.include(placed.json.execution.id);
    });

  it('two keys of the same user: each gets its own answer', async () => {
    const body = { type: 'MARKET', legs: SMALL };
    const mine = await asUser(body);
    await desk.bot.ended(mine.json.execution.id);
    const bots = await desk.bot.call('POST', '/trade/open', body, { 'idempotency-key': KEY });
    expect([mine.status, bots.status], bots.text).to.deep.equal([202, 202]);
    expect(bots.json.execution.id).to.not.equal(mine.json.execution.id);
    expect(bots.headers.get('idempotency-replayed')).to.equal(null);
  });
});
