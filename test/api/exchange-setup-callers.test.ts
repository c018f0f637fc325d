/** Callers that may set up an account, with whose keys, and at which venue and network. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { ACCOUNT, refusal, SetupDesk, TEST_ACCOUNT } from '../support/setup-desk.ts';

describe('API: who may set up an account', function () {
  this.timeout(20_000);
  const desk = new SetupDesk();
  let id = '';
  let signer = { accountIndex: ACCOUNT, apiKeyIndex: 0 };

  before(async () => {
    await desk.open();
    const made = await desk.connect();
    ({ id } = made);
    signer = { accountIndex: ACCOUNT, apiKeyIndex: made.apiKeyIndex };
  });
  after(() => desk.close());

  const token = (headers: Record<string, string>, body: object = signer) =>
    desk.as(headers, 'POST', '/misc/exchange/create-auth-token', body);

  it('has no integrator unless one is set', async () => {
    for (const body of [signer, { ...signer, approvalExpiry: '2030-01-01T00:00:00Z' }]) {
      const told = await desk.post('prepare-approve-integrator', body);
      expect(refusal(told)).to.equal('500 CONFIGURATION_ERROR');
      expect(told.json.message).to.contain('TANDEM_LIGHTER_INTEGRATOR');
    }
    const key = await desk.good('create-api-key', { accountIndex: ACCOUNT });
    const body = { txInfo: key.txInfo, signature: await desk.sign(key.messageToSign) };
    expect(refusal(await desk.post('submit-approve-integrator', body))).to.equal('500 CONFIGURATION_ERROR');
  });

  it('uses stored keys for those who may use their account, and for nobody else', async () => {
    expect((await token(desk.program)).status).to.equal(200);
    const paperId = (await desk.as(desk.owner, 'GET', '/trade-accounts')).json.tradeAccounts.find(
      ({ mode }: Json) => mode === 'PAPER',
    ).id;
    const limited = await desk.apiKey({ tradeAccountIds: [paperId] });
    expect(refusal(await token(limited))).to.equal('400 VALIDATION_ERROR apiPrivateKey');
    const other = await desk.gateway.register('bob@example.test');
    const bob = { authorization: `Bearer ${other.accessToken}` };
    expect(refusal(await token(bob))).to.equal('400 VALIDATION_ERROR apiPrivateKey');
    const reader = await desk.apiKey({ scope: 'read' });
    expect((await token(reader)).status).to.equal(403);
    expect((await token({})).status).to.equal(401);
  });

  it('is about the venue of the account in the header; a paper account has none of it', async () => {
    const { tradeAccounts } = (await desk.as(desk.owner, 'GET', '/trade-accounts')).json;
    const paperId = tradeAccounts.find(({ mode }: Json) => mode === 'PAPER').id;
    const named = (account: string) => token({ ...desk.program, 'x-trade-account-id': account });
    expect(refusal(await named(paperId))).to.equal('501 NOT_IMPLEMENTED_ERROR');
    expect((await named('main')).status).to.equal(400);
    expect((await named('018f0000-0000-7000-8000-000000000000')).status).to.equal(404);
    expect((await named(id)).status).to.equal(200);
  });

  it('asks the test network about an account of the test network', async () => {
    const made = await desk.as(desk.owner, 'POST', '/trade-accounts', {
      ...{ alias: 'Test', connector: 'lighter-testnet' },
    });
    expect(made.json).to.include({ network: 'testnet', status: 'NO_CREDENTIALS' });
    const headers = { ...desk.program, 'x-trade-account-id': made.json.id };
    const told = await desk.as(headers, 'POST', '/misc/exchange/create-api-key', { accountIndex: ACCOUNT });
    expect(refusal(told)).to.equal('400 VALIDATION_ERROR accountIndex');
    const own = { accountIndex: TEST_ACCOUNT };
    const key = await desk.good('create-api-key', own, headers);
    const body = { txInfo: key.txInfo, signature: await desk.sign(key.messageToSign) };
    // The message of a new key is the same on both networks: what was made for one is refused by the other.
    expect(refusal(await desk.post('change-pub-key', body))).to.equal('400 VALIDATION_ERROR txInfo');
    await desk.good('change-pub-key', body, headers);
    expect(desk.testnet.script.state(TEST_ACCOUNT).keys).to.have.length(1);
  });

  it('gives credentials and tokens to programs unless the owner has turned that off; each reading is noted', async () => {
    const read = (headers: Record<string, string>) =>
      desk.as(headers, 'POST', `/trade-accounts/${id}/credentials`, {});
    const stored = await read(desk.program);
    expect(stored.status, stored.text).to.equal(200);
    expect(stored.json.credentials).to.include({ ...signer });
    expect(stored.json.credentials.apiPrivateKey).to.match(/^[0-9a-f]{80}$/);
    expect((await read(await desk.apiKey({ scope: 'read' }))).status).to.equal(403);
    expect((await read(desk.owner)).status).to.equal(200);
    const off = { alias: 'Main', armed: false, perOrderUsd: '100', totalUsd: '500' };
    const turned = await desk.as(desk.owner, 'PUT', `/trade-accounts/${id}/arming`, {
      ...{ ...off, programsReadCredentials: false },
    });
    expect(turned.status, turned.text).to.equal(200);
    expect((await read(desk.program)).status).to.equal(403);
    expect((await token(desk.program)).status).to.equal(403);
    expect((await read(desk.owner)).status).to.equal(200);
    expect((await token(desk.owner)).status).to.equal(200);
    const actions = await desk.audited();
    expect(actions.filter((action) => action === 'credentials.read')).to.have.length(3);
  });
});
