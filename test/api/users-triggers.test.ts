/** Waiting orders of the user that an agent may manage: it changes them as if they were orders of its own. */
import { expect } from 'chai';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';

describe('a waiting trigger of the user, changed by an agent', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));
  let trigger: Json;
  beforeEach(async () => {
    const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'LESS_THAN', value: '1' };
    const legs = [usd('SOL', 'BUY', '400')];
    trigger = await desk.expect('user', 'POST', '/triggers/open', { legs, condition });
  });

  const NOW = { condition: { value: '100000' }, allowImmediate: true };
  const change = (body: object) => desk.rest('PATCH', `/triggers/${trigger.id}`, body);
  const status = async () => (await desk.user('GET', `/triggers/${trigger.id}`)).json.status;
  const pass = async () => {
    for (let looks = 0; looks < 10; looks += 1) await guarded.gateway.pass();
  };

  for (const when of ['above', 'always'] as const)
    it(`is asked about where its user is asked ${when}, and fires once that is approved`, async () => {
      desk.asksWhen(when);
      const asked = await change(NOW);
      expect([asked.status, asked.json.details?.reason], asked.text).to.deep.equal([409, 'APPROVAL']);
      await pass();
      expect(await status()).to.equal('ACTIVE');
      const [question] = await desk.questions();
      expect((await desk.approve(question)).status).to.equal(200);
      await pass();
      expect(await status()).to.equal('COMPLETED');
    });

  for (const [name, over, limit] of [
    ['larger than one of its orders', { maxOrderUsd: '100' }, 'maxOrderUsd'],
    ['larger than what it may open', { maxOpenedUsd24h: '100' }, 'maxOpenedUsd24h'],
    ['that opens where it may only reduce', { reduceOnly: true }, 'reduceOnly'],
    ['of the user where it manages its own', { manage: 'OWN' }, null],
  ] as const)
    it(`${name} stays as it is`, async () => {
      desk.asksWhen('never');
      desk.bind(over);
      const refused = await change(NOW);
      if (limit === null) expect(refused.status).to.equal(404);
      else {
        expect([refused.status, refused.json.errorCode], refused.text).to.deep.equal([403, 'AGENT_LIMIT']);
        expect(refused.json.details.limits.map((one: Json) => one.limit)).to.include(limit);
      }
      await pass();
      expect((await desk.user('GET', `/triggers/${trigger.id}`)).json.condition.value).to.equal('1');
      expect(await status()).to.equal('ACTIVE');
    });

  it('that the user paused is changed by the user only', async () => {
    desk.asksWhen('never');
    expect((await desk.user('POST', `/triggers/${trigger.id}/pause`)).status).to.equal(200);
    const refused = await change(NOW);
    expect([refused.status, refused.json.details?.reason]).to.deep.equal([409, 'PAUSED_BY_USER']);
    expect((await desk.user('POST', `/triggers/${trigger.id}/resume`)).status).to.equal(200);
    await pass();
    expect(await status()).to.equal('ACTIVE');
  });
});
