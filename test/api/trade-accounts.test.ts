import { expect } from 'chai';
import { createdApiKey } from '../../gateway/contract/api-keys.ts';
import { listTradeAccountsRoute, tradeAccount } from '../../gateway/contract/trade-accounts.ts';
import { gatewayForEachTest } from '../support/gateway.ts';

describe('API: trade accounts', () => {
  const gateway = gatewayForEachTest();
  let headers: Record<string, string>;

  beforeEach(async () => {
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });

  const list = async (as: Record<string, string>) => {
    const answer = await gateway.request('GET', '/trade-accounts', { headers: as });
    return listTradeAccountsRoute.success[200].parse(answer.json).tradeAccounts;
  };

  it('are created, read, renamed and removed', async () => {
    const body = { alias: 'Second', connector: 'paper', metadata: { desk: 'a' } };
    const made = await gateway.expect('POST', '/trade-accounts', { headers, body }, 201);
    const { id } = tradeAccount.parse(made);
    expect(await list(headers)).to.have.length(2);
    const path = `/trade-accounts/${id}`;
    const renamed = await gateway.request('PATCH', path, { headers, body: { alias: 'Renamed' } });
    expect(tradeAccount.parse(renamed.json)).to.deep.include({ alias: 'Renamed', metadata: { desk: 'a' } });
    expect((await gateway.request('DELETE', path, { headers })).status).to.equal(204);
    expect((await gateway.request('GET', path, { headers })).json).to.include({
      errorCode: 'RESOURCE_NOT_FOUND',
    });
  });

  it('an unknown connector is a 400 on that path', async () => {
    const body = { alias: 'X', connector: 'nowhere' };
    const answer = await gateway.expect('POST', '/trade-accounts', { headers, body }, 400);
    expect(JSON.stringify(answer)).to.include('"path":"connector"');
  });

  it('a paper account has no credentials: PUT 400, POST 404, DELETE 404', async () => {
    const [account] = await list(headers);
    const path = `/trade-accounts/${account?.id}/credentials`;
    expect((await gateway.request('PUT', path, { headers, body: { key: 'x' } })).status).to.equal(400);
    for (const method of ['POST', 'DELETE']) {
      const answer = await gateway.expect(method, path, { headers }, 404);
      expect(answer).to.include({ errorCode: 'RESOURCE_NOT_FOUND' });
    }
  });

  it('a paper account is reset', async () => {
    const [account] = await list(headers);
    const answer = await gateway.expect('POST', `/trade-accounts/${account?.id}/paper/reset`, { headers });
    expect(tradeAccount.parse(answer).id).to.equal(account?.id);
  });

  it('a key that is limited to one account sees only that one', async () => {
    const [paper] = await list(headers);
    const body = { alias: 'Second', connector: 'paper' };
    const second = tradeAccount.parse(
      (await gateway.request('POST', '/trade-accounts', { headers, body })).json,
    );
    const wanted = { label: 'limited', scope: 'read_write', tradeAccountIds: [second.id] };
    const made = await gateway.request('POST', '/api-keys', { headers, body: wanted });
    const key = { 'x-api-key': createdApiKey.parse(made.json).key };
    expect((await list(key)).map((account) => account.id)).to.deep.equal([second.id]);
    const outside = await gateway.request('GET', `/trade-accounts/${paper?.id}`, { headers: key });
    expect(outside.json).to.include({ errorCode: 'RESOURCE_NOT_FOUND' });
    expect((await gateway.request('POST', '/trade-accounts', { headers: key, body })).status).to.equal(403);
  });
});
