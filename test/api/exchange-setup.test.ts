/** The ten set-up routes against the emulated Lighter, as a program with an API key uses them. */
import { expect } from 'chai';
import { ACCOUNT, INTEGRATOR, SetupDesk } from '../support/setup-desk.ts';
import { until } from '../support/until.ts';

const PAYEE = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';

describe('API: setting up an account at Lighter', function () {
  this.timeout(20_000);
  const desk = new SetupDesk();
  let id = '';
  let key = { apiKeyIndex: 0, apiPrivateKey: '' };
  let signer: object = {};

  before(() => desk.open({ lighterIntegrator: `${INTEGRATOR}:0.0001:0.00005` }));
  after(() => desk.close());

  it('makes a key that the wallet allows, and the account is connected with it', async () => {
    const made = await desk.good('create-api-key', { walletAddress: desk.wallet.address });
    expect(made).to.have.all.keys(
      ...['accountIndex', 'apiKeyIndex', 'publicKey', 'privateKey', 'txInfo', 'nonce', 'expiresAt'],
      'messageToSign',
    );
    // 0 is the venue's own program's, 4 is taken.
    expect(made).to.include({ accountIndex: ACCOUNT, apiKeyIndex: 5, nonce: 0 });
    expect(Date.parse(made.expiresAt)).to.be.greaterThan(desk.gateway.clock.now());
    expect(made.messageToSign)
      .to.match(/^Register Lighter Account\n/)
      .and.contain(made.publicKey);
    const signature = await desk.sign(made.messageToSign);
    const registered = await desk.good('change-pub-key', { txInfo: made.txInfo, signature });
    expect(registered).to.deep.equal({
      ...{ txHash: registered.txHash, accountIndex: ACCOUNT, apiKeyIndex: 5, publicKey: made.publicKey },
    });
    expect(registered.txHash).to.match(/^[0-9a-f]{80}$/);
    expect(desk.emulator.script.state(ACCOUNT).keys).to.deep.include({
      index: 5,
      publicKey: made.publicKey,
      nextNonce: 1,
    });
    key = { apiKeyIndex: 5, apiPrivateKey: made.privateKey };
    signer = { accountIndex: ACCOUNT, apiKeyIndex: 5 };
    const credentials = { accountIndex: ACCOUNT, ...key };
    const account = await desk.as(desk.program, 'POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'lighter', credentials },
    });
    expect(account.status, account.text).to.equal(201);
    expect(account.json).to.include({ status: 'READY', exchangeIdentifier: String(ACCOUNT) });
    ({ id } = account.json);
  });

  it('makes a token with which the venue lets the account be read', async () => {
    const { token, expiresAt } = await desk.good('create-auth-token', signer);
    // In whole seconds, never longer than the venue takes.
    const lastsMs = Date.parse(expiresAt) - desk.gateway.clock.now();
    expect(lastsMs).to.be.within(8 * 3_600_000 - 1_000, 8 * 3_600_000);
    const read = (authorization: string) =>
      fetch(`${desk.emulator.url}/api/v1/accountLimits?account_index=${ACCOUNT}`, {
        headers: { authorization },
      });
    expect((await read(token)).status).to.equal(200);
    expect((await read(token.replace(/.$/, token.endsWith('0') ? '1' : '0'))).status).to.equal(400);
    const deadline = new Date(desk.gateway.clock.now() + 3_600_000).toISOString();
    const short = await desk.good('create-auth-token', {
      ...{ walletAddress: desk.wallet.address, ...key, deadline },
    });
    expect(Math.abs(Date.parse(short.expiresAt) - Date.parse(deadline))).to.be.at.most(1_000);
    expect((await read(short.token)).status).to.equal(200);
  });

  it('approves the integrator of the settings, with their fees', async () => {
    const made = await desk.good('prepare-approve-integrator', signer);
    expect(made).to.have.all.keys('txInfo', 'messageToSign', 'expiresAt');
    expect(made.messageToSign).to.match(/^Approve Integrator\n/);
    const signature = await desk.sign(made.messageToSign);
    const { txHash } = await desk.good('submit-approve-integrator', { txInfo: made.txInfo, signature });
    expect(txHash).to.match(/^[0-9a-f]{80}$/);
    const told = await fetch(`${desk.emulator.url}/api/v1/account?by=index&value=${ACCOUNT}`);
    const { accounts } = (await told.json()) as { accounts: { approved_integrators: object[] }[] };
    expect(accounts[0]?.approved_integrators).to.have.length(1);
    expect(accounts[0]?.approved_integrators[0]).to.include({
      ...{ account_index: INTEGRATOR, max_perps_taker_fee: 100, max_perps_maker_fee: 50 },
      ...{ max_spot_taker_fee: 0, max_spot_maker_fee: 0 },
    });
  });

  it('withdraws at once, to the address that the wallet has signed', async () => {
    const made = await desk.good('prepare-fast-withdraw', { ...signer, amount: '250.50', toAddress: PAYEE });
    expect(made).to.include({ amount: '250.5', fee: '3', toAddress: PAYEE });
    expect(made).to.have.all.keys(
      'poolAccountIndex',
      'amount',
      'fee',
      'toAddress',
      'txInfo',
      'messageToSign',
    );
    expect(made.messageToSign)
      .to.match(/^Transfer\n/)
      .and.contain(PAYEE.slice(2).toLowerCase());
    const before = desk.emulator.script.state(ACCOUNT).collateral;
    const signature = await desk.sign(made.messageToSign);
    const done = await desk.good('submit-fast-withdraw', {
      ...{ txInfo: made.txInfo, signature, toAddress: PAYEE, amount: '250.5' },
    });
    expect(done.status).to.equal('executed');
    const after = desk.emulator.script.state(ACCOUNT).collateral;
    expect(Number(before) - Number(after)).to.be.closeTo(253.5, 1e-6);
  });

  it('withdraws to the owner where nobody else is named, with a key that is nowhere stored', async () => {
    const stray = await desk.key();
    const made = await desk.good('prepare-fast-withdraw', { accountIndex: ACCOUNT, ...stray, amount: '10' });
    expect(made.toAddress.toLowerCase()).to.equal(desk.wallet.address.toLowerCase());
    const signature = await desk.sign(made.messageToSign);
    const toAddress = desk.wallet.address;
    const done = await desk.good('submit-fast-withdraw', { txInfo: made.txInfo, signature, toAddress });
    expect(done.status).to.equal('executed');
  });

  it('moves the account to another tier', async () => {
    const moved = await desk.good('change-account-tier', { ...signer, tier: 'plus' });
    expect(moved.tier).to.equal('plus');
    expect(Date.parse(moved.nextChangeAt) - Date.parse(moved.changedAt)).to.equal(86_400_000);
    expect(Math.abs(Date.parse(moved.changedAt) - desk.gateway.clock.now())).to.be.below(60_000);
    expect(desk.emulator.script.state(ACCOUNT).tier).to.equal('plus');
  });

  it('names one address for deposits from all chains of a family, and the latest deposit', async () => {
    const { walletAddress, addresses } = await desk.good('uda', { walletAddress: desk.wallet.address });
    expect(walletAddress).to.equal(desk.wallet.address);
    expect(addresses).to.have.length(1);
    expect(addresses[0].chainFamily).to.equal('evm');
    expect(addresses[0].address).to.match(/^0x[0-9a-f]{40}$/);
    desk.emulator.script.deposit(ACCOUNT, '125.5');
    const path = `/misc/exchange/uda/${desk.wallet.address}`;
    const seen = await desk.as(desk.program, 'GET', path);
    expect(seen.status, seen.text).to.equal(200);
    expect(seen.json.deposits).to.have.length(1);
    expect(seen.json.deposits[0]).to.include({ fromAmount: '125.5', status: 'completed' });
    expect(seen.json.deposits[0].depositAddress).to.equal(addresses[0].address);
    const nobody = await desk.as(desk.program, 'GET', `/misc/exchange/uda/${PAYEE}`);
    expect(nobody.json).to.deep.equal({ walletAddress: PAYEE, deposits: [] });
  });

  it('leaves trading with the same key as it was: its next transaction knows of those that the wallet signed', async () => {
    const headers = { 'x-trade-account-id': id };
    const leverage = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
    expect(id).to.not.equal('');
    const set = await desk.as({ ...desk.owner, ...headers }, 'PUT', '/leverage', leverage);
    expect(set.status, set.text).to.equal(200);
    const made = await desk.good('prepare-fast-withdraw', { ...signer, amount: '1' }, headers);
    const signature = await desk.sign(made.messageToSign);
    const body = { txInfo: made.txInfo, signature, toAddress: desk.wallet.address };
    expect((await desk.good('submit-fast-withdraw', body)).status).to.equal('executed');
    const before = desk.emulator.script.traffic().counts['sendTx updateLeverage'] ?? 0;
    const again = { symbol: 'ETH-PERP', leverage: 3, marginMode: 'cross' };
    expect((await desk.as({ ...desk.owner, ...headers }, 'PUT', '/leverage', again)).status).to.equal(200);
    expect((desk.emulator.script.traffic().counts['sendTx updateLeverage'] ?? 0) - before).to.equal(1);
  });

  it('writes down who did what', async () => {
    const noted = await until(desk.gateway.clock, 'all is noted', async () => {
      const actions = await desk.audited();
      return actions.includes('account_tier.changed') ? actions : null;
    });
    expect(noted.filter((action) => action === 'withdrawal.submitted')).to.have.length(3);
    expect(noted).to.include.members([
      ...['venue_key.created', 'venue_key.registered', 'venue_token.created', 'integrator.approved'],
    ]);
  });
});
