/** A key for Lighter that the owner's wallet allows: it never leaves the gateway, and the account is connected with it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { ACCOUNT, refusal, SetupDesk, TEST_ACCOUNT } from '../support/setup-desk.ts';
import { until } from '../support/until.ts';

const APPROVALS = '/connectors/lighter/wallet-approvals';
const CHAIN_ID = 42_161;

describe('API: an account at Lighter that its wallet connects', function () {
  this.timeout(20_000);
  const desk = openForEachTest(() => new SetupDesk());

  beforeEach(async () => {
    await desk.open();
  });

  const owned = (method: string, path: string, body?: object) => desk.as(desk.owner, method, path, body);
  const live = async (): Promise<Json[]> =>
    (await owned('GET', '/trade-accounts')).json.tradeAccounts.filter(({ mode }: Json) => mode === 'LIVE');
  const wallets = (address = desk.wallet.address): Promise<TestAnswer> =>
    owned('POST', APPROVALS, { address, chainId: CHAIN_ID });

  describe('signed in', () => {
    it('gets a text to sign and the same in words, and is connected by the signature of its wallet only', async () => {
      const { status, json, text } = await wallets();
      expect(status, text).to.equal(201);
      expect(json).to.have.all.keys('id', 'message', 'terms', 'expiresAt');
      expect(json.message).to.match(/^Register Lighter Account\n/);
      const words = Object.fromEntries(json.terms.map(({ name, value }: Json) => [name, value]));
      expect(words).to.include({
        ...{ Exchange: 'Lighter', Account: String(ACCOUNT), 'Index of the key': '5' },
        'May withdraw or transfer': "only to the owner's own address",
      });
      expect(json.message).to.contain(words['Public key']);
      const path = `${APPROVALS}/${json.id}`;
      const strange = await desk.stranger.signMessage({ message: json.message });
      expect(refusal(await owned('POST', path, { signature: strange }))).to.equal(
        '400 VALIDATION_ERROR signature',
      );
      expect(await live()).to.deep.equal([]);
      const signature = await desk.sign(json.message);
      const made = await owned('POST', path, { signature, alias: 'Main' });
      expect(made.status, made.text).to.equal(201);
      expect(made.json).to.include({
        alias: 'Main',
        connector: 'lighter',
        exchangeIdentifier: String(ACCOUNT),
      });
      await until(
        desk.gateway.clock,
        'the account is ready',
        async () => (await live())[0]?.status === 'READY' || null,
      );
      const stored = await owned('POST', `/trade-accounts/${made.json.id}/credentials`, {});
      expect(stored.json.credentials).to.include({ accountIndex: ACCOUNT, apiKeyIndex: 5 });
      expect((await owned('POST', path, { signature })).status).to.equal(404);
    });

    it('gives a connected account another key, and forgets one that nobody signed', async () => {
      const first = (await wallets()).json;
      const signature = await desk.sign(first.message);
      const { id } = (await owned('POST', `${APPROVALS}/${first.id}`, { signature })).json;
      const second = (await wallets()).json;
      const renewed = await owned('POST', `${APPROVALS}/${second.id}`, {
        ...{ signature: await desk.sign(second.message), tradeAccountId: id },
      });
      expect(renewed.status, renewed.text).to.equal(200);
      const stored = await owned('POST', `/trade-accounts/${id}/credentials`, {});
      expect(stored.json.credentials).to.include({ apiKeyIndex: 6 });
      const third = (await wallets()).json;
      expect((await owned('DELETE', `${APPROVALS}/${third.id}`)).status).to.equal(204);
      const late = { signature: await desk.sign(third.message) };
      expect((await owned('POST', `${APPROVALS}/${third.id}`, late)).status).to.equal(404);
    });

    it('connects after an answer that was lost, with the same signature @long', async () => {
      const { id, message } = (await wallets()).json;
      const signature = await desk.sign(message);
      desk.emulator.script.fault({ on: 'changePubKey', do: 'lose_answer' });
      desk.emulator.script.fault({ on: 'tx', do: 'status', code: 503, times: 20 });
      desk.emulator.script.fault({ on: 'apikeys', do: 'status', code: 503, times: 2 });
      const lost = await owned('POST', `${APPROVALS}/${id}`, { signature });
      expect(refusal(lost)).to.equal('500 CONFIGURATION_ERROR');
      desk.emulator.script.clearFaults();
      const made = await owned('POST', `${APPROVALS}/${id}`, { signature });
      expect(made.status, made.text).to.equal(201);
      expect(await live()).to.have.length(1);
    });

    it('says that the venue has no account of a wallet @long', async () => {
      expect(refusal(await wallets(desk.stranger.address))).to.equal('400 VALIDATION_ERROR address');
    });
  });

  describe('by a program that lets the key be kept', () => {
    const keep = { walletAddress: '', keep: true };
    const prepared = (headers: Record<string, string> = {}) =>
      desk.good('create-api-key', { ...keep, walletAddress: desk.wallet.address }, headers);

    it('never sees the private key, and is told which account it has become', async () => {
      const made = await prepared();
      expect(made).to.have.all.keys(
        ...['accountIndex', 'apiKeyIndex', 'publicKey', 'txInfo', 'nonce', 'expiresAt', 'messageToSign'],
      );
      const strange = await desk.stranger.signMessage({ message: made.messageToSign });
      const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign), alias: 'Kept' };
      expect(refusal(await desk.post('change-pub-key', { ...body, signature: strange }))).to.equal(
        '400 VALIDATION_ERROR signature',
      );
      const done = await desk.good('change-pub-key', body);
      const [account] = await live();
      expect(account).to.include({
        id: done.tradeAccountId,
        alias: 'Kept',
        exchangeIdentifier: String(ACCOUNT),
      });
      expect(refusal(await desk.post('change-pub-key', body))).to.equal('409 NOOP_ERROR');
      const token = await desk.good('create-auth-token', {
        accountIndex: ACCOUNT,
        apiKeyIndex: made.apiKeyIndex,
      });
      expect(token.token).to.match(/^\d+:21:5:[0-9a-f]{160}$/);
      const noted = await desk.audited();
      expect(noted.filter((action) => action === 'credentials.stored')).to.have.length(1);
    });

    it('goes into the trade account in the header, on its network @long', async () => {
      const empty = await owned('POST', '/trade-accounts', { alias: 'Test', connector: 'lighter-testnet' });
      const headers = { 'x-trade-account-id': empty.json.id };
      const made = await prepared(headers);
      expect(made.accountIndex).to.equal(TEST_ACCOUNT);
      const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign) };
      const done = await desk.good('change-pub-key', body, headers);
      expect(done.tradeAccountId).to.equal(empty.json.id);
      expect((await live()).map(({ exchangeIdentifier }) => exchangeIdentifier)).to.deep.equal([
        String(TEST_ACCOUNT),
      ]);
    });

    it('is not for keys that may not add accounts, and no user connects the key of another', async () => {
      const paperId = (await owned('GET', '/trade-accounts')).json.tradeAccounts[0].id;
      const limited = await desk.apiKey({ tradeAccountIds: [paperId] });
      const made = await prepared();
      const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign) };
      expect((await desk.post('change-pub-key', body, limited)).status).to.equal(403);
      const other = await desk.gateway.register('bob@example.test');
      const bob = { authorization: `Bearer ${other.accessToken}` };
      // The key is registered, as the owner's wallet has signed for it, but only its maker's user can have it.
      const answer = await desk.as(bob, 'POST', '/misc/exchange/change-pub-key', body);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.not.have.property('tradeAccountId');
      const done = await desk.good('change-pub-key', body);
      expect((await live()).map(({ id }) => id)).to.deep.equal([done.tradeAccountId]);
    });

    it('leaves nothing of the private key in answers and in files but those of the vault', async () => {
      const made = await prepared();
      const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign) };
      const { tradeAccountId } = await desk.good('change-pub-key', body);
      const stored = await owned('POST', `/trade-accounts/${tradeAccountId}/credentials`, {});
      const { apiPrivateKey } = stored.json.credentials;
      expect(JSON.stringify(made)).to.not.contain(apiPrivateKey);
      const entries = await readdir(desk.gateway.dataDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !/vault|secrets/.test(entry.name));
      expect(files.map(({ name }) => name)).to.include('tandem.db');
      for (const { parentPath, name } of files)
        expect((await readFile(join(parentPath, name))).includes(apiPrivateKey), name).to.equal(false);
    });
  });
});
