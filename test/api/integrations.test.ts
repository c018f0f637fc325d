/** Integrations, and `clientId` on the routes that place orders. */
import { expect } from 'chai';
import { businessError } from '../../gateway/contract/errors.ts';
import { integration } from '../../gateway/contract/integrations.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite, type TestAnswer } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { PAIR, type Trader, traderForSuite } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';

describe('integrations', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  const other = traderForSuite(gateway, { email: 'bob@example.test', connector: 'paper' });

  const asUser = (who: Trader, method: string, path: string, body?: unknown) =>
    gateway.request(method, path, { headers: { authorization: `Bearer ${who.accessToken}` }, body });
  const create = (body: unknown, who = bot) => asUser(who, 'POST', '/integrations', body);
  const change = (id: string, body: unknown, who = bot) => asUser(who, 'PATCH', `/integrations/${id}`, body);
  const list = async (who: Trader): Promise<Json[]> =>
    (await who.call('GET', '/integrations')).json.integrations;
  async function created(clientId: string, over: object = {}): Promise<Json> {
    const answer = await create({ clientId, name: 'Bot', ...over });
    expect(answer.status, answer.text).to.equal(201);
    return integration.parse(answer.json);
  }
  const open = (clientId: string, who = bot) =>
    who.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, clientId });
  const expectInvalid = (answer: TestAnswer, path: string) => {
    expect(answer.status, answer.text).to.equal(400);
    const { details } = businessError.parse(answer.json);
    expect(Array.isArray(details) ? details.map((detail) => detail.path) : []).to.include(path);
  };

  it('a trade names an active one; an unknown or inactive one is a 400 everywhere', async () => {
    const made = await created('desk-bot');
    const answer = await open('desk-bot');
    expect(answer.status, answer.text).to.equal(202);
    const execution = await bot.ended(answer.json.execution.id);
    expect(execution).to.include({ clientId: 'desk-bot', status: 'COMPLETED' });
    const { positionId } = execution;

    const everywhere = async (clientId: string) => [
      await open(clientId),
      await bot.call('POST', `/positions/${positionId}/adjust`, { intent: 'INCREASE', usd: '100', clientId }),
      await bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET', clientId }),
      await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR, clientId, dryRun: true }),
    ];
    for (const refused of await everywhere('unknown-bot')) expectInvalid(refused, 'clientId');
    expect((await change(made.id, { status: 'INACTIVE' })).json).to.include({ status: 'INACTIVE' });
    for (const refused of await everywhere('desk-bot')) expectInvalid(refused, 'clientId');
    expect((await change(made.id, { status: 'ACTIVE' })).status).to.equal(200);
    expect(
      (
        await bot.execute(`/positions/${positionId}/close`, {
          type: 'MARKET',
          clientId: 'desk-bot',
        })
      ).clientId,
    ).to.equal('desk-bot');
  });

  it('belong to their user: another can neither name, see nor change them', async () => {
    const made = await created('ada-bot');
    expectInvalid(await open('ada-bot', other), 'clientId');
    expect((await list(other)).map(({ clientId }) => clientId)).to.not.include('ada-bot');
    expect((await change(made.id, { status: 'INACTIVE' }, other)).status).to.equal(404);
    expect((await create({ clientId: 'ada-bot', name: 'Another' }, other)).status).to.equal(201);
    expect((await change(NOBODY, { name: 'x' })).json).to.include({ errorCode: 'RESOURCE_NOT_FOUND' });
  });

  it('hold over a restart', async () => {
    const off = await created('off-bot', { status: 'INACTIVE', name: ' Off ' });
    const before = await list(bot);
    await gateway.restart();
    expect(await list(bot)).to.deep.equal(before);
    expect(off.name).to.equal('Off');
    expectInvalid(await open('off-bot'), 'clientId');
    const answer = await open('desk-bot');
    expect(answer.status, answer.text).to.equal(202);
    await bot.ended(answer.json.execution.id);
  });

  it('an agent may name itself without standing here, and not another agent', async () => {
    const agent = oauthClient(gateway);
    const visitor = consentVisitor(gateway);
    const { access_token: token } = await agent.connect(visitor);
    const headers = { authorization: `Bearer ${token}`, 'x-trade-account-id': bot.accountId };
    const [, payload = ''] = token.split('.');
    const own: string = JSON.parse(Buffer.from(payload, 'base64url').toString()).client_id;
    const body = { type: 'MARKET', legs: PAIR, dryRun: true };
    const named = (clientId: string) =>
      gateway.request('POST', '/trade/open', { headers, body: { ...body, clientId } });
    expect((await named(own)).status).to.equal(200);
    expectInvalid(await named(NOBODY), 'clientId');
    expectInvalid(await open(own), 'clientId');
  });

  it('are changed by the user in person only', async () => {
    const key = { 'x-api-key': bot.key };
    const body = { clientId: 'key-bot', name: 'Bot' };
    const refused = await gateway.expect('POST', '/integrations', { headers: key, body }, 403);
    expect(refused.message).to.equal("Auth method 'api_key' is not permitted on this route");
    expect((await gateway.request('GET', '/integrations', { headers: key })).status).to.equal(200);
    expect((await gateway.request('GET', '/integrations')).status).to.equal(401);
  });

  it('bad input', async () => {
    await created('taken');
    expectInvalid(await create({ clientId: 'taken', name: 'Bot' }), 'clientId');
    for (const clientId of ['', 'two words', 'x'.repeat(65), 'naïve', 7])
      expectInvalid(await create({ clientId, name: 'Bot' }), 'clientId');
    for (const name of ['', '   ', 'x'.repeat(65)])
      expectInvalid(await create({ clientId: 'a', name }), 'name');
    expectInvalid(await create({ clientId: 'a', name: 'Bot', status: 'ON' }), 'status');
    expectInvalid(await create({ clientId: 'a', name: 'Bot', secret: 'x' }), 'secret');
    const made = await created('plain');
    expectInvalid(await change(made.id, {}), '');
    expectInvalid(await change(made.id, { clientId: 'other' }), 'clientId');
    expect((await change('mine', { name: 'x' })).status).to.equal(404);
  });
});
