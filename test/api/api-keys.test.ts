import { expect } from 'chai';
import { createdApiKey, listApiKeysRoute } from '../../gateway/contract/api-keys.ts';
import { gatewayForEachTest } from '../support/gateway.ts';

describe('API: API keys', () => {
  const gateway = gatewayForEachTest();
  let session: Record<string, string>;

  beforeEach(async () => {
    session = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });

  const create = async (body: object) => {
    const answer = await gateway.expect('POST', '/api-keys', { headers: session, body }, 201);
    return createdApiKey.parse(answer);
  };
  const accounts = (headers: Record<string, string>) =>
    gateway.request('GET', '/trade-accounts', { headers });

  it('is shown once, works, is listed without its secret, and stops working when revoked', async () => {
    const made = await create({ label: 'bot', scope: 'read' });
    expect((await accounts({ 'x-api-key': made.key })).status).to.equal(200);
    const listed = await gateway.request('GET', '/api-keys', { headers: session });
    expect(JSON.stringify(listed.json)).not.to.include(made.key);
    expect(listApiKeysRoute.success[200].parse(listed.json).apiKeys.map((key) => key.id)).to.deep.equal([
      made.id,
    ]);
    await gateway.expect('DELETE', `/api-keys/${made.id}`, { headers: session }, 204);
    expect((await accounts({ 'x-api-key': made.key })).json).to.deep.equal({
      message: 'Invalid API key',
      error: 'Unauthorized',
      statusCode: 401,
    });
  });

  it('a key with scope read cannot mutate', async () => {
    const { key } = await create({ label: 'viewer', scope: 'read' });
    const body = { alias: 'X', connector: 'paper' };
    const answer = await gateway.request('POST', '/trade-accounts', { headers: { 'x-api-key': key }, body });
    expect(answer.json).to.deep.equal({
      message: 'API key does not have write access',
      error: 'Forbidden',
      statusCode: 403,
    });
  });

  it('a key cannot manage keys', async () => {
    const { key } = await create({ label: 'bot', scope: 'read_write' });
    const answer = await gateway.request('GET', '/api-keys', { headers: { 'x-api-key': key } });
    expect(answer.json).to.deep.equal({
      message: "Auth method 'api_key' is not permitted on this route",
      error: 'Forbidden',
      statusCode: 403,
    });
  });

  it('the key decides when a bearer is there too', async () => {
    expect((await accounts({ ...session, 'x-api-key': 'tdm_unknown' })).json).to.include({
      message: 'Invalid API key',
    });
  });

  it('names only accounts of the caller', async () => {
    const body = { label: 'x', scope: 'read', tradeAccountIds: ['018f0000-0000-7000-8000-000000000000'] };
    const answer = await gateway.expect('POST', '/api-keys', { headers: session, body }, 400);
    expect(JSON.stringify(answer)).to.include('"path":"tradeAccountIds.0"');
  });
});
