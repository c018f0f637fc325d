/** Refusals of the set-up routes: the error of each, and no transfer at the venue. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { ACCOUNT, INTEGRATOR, refusal, SetupDesk } from '../support/setup-desk.ts';
import { makeKey, Trader } from '../support/venues/lighter/trader.ts';

const PAYEE = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
const OTHER_ACCOUNT = 22;
const HEX16 = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;

interface Prepared {
  readonly txInfo: string;
  readonly messageToSign: string;
}

/** A `txInfo` with other fields. */
function altered(txInfo: string, change: object): string {
  return JSON.stringify({ ...JSON.parse(txInfo), ...change });
}

describe('API: what setting up an account refuses', function () {
  this.timeout(20_000);
  const desk = new SetupDesk();
  let signer = { accountIndex: ACCOUNT, apiKeyIndex: 0, apiPrivateKey: '' };

  before(async () => {
    await desk.open({ lighterIntegrator: `${INTEGRATOR}:0.0001:0.00005` });
    desk.emulator.script.addAccount({
      ...{ index: OTHER_ACCOUNT, l1Address: desk.stranger.address, collateral: '500' },
    });
    signer = { accountIndex: ACCOUNT, ...(await desk.key()) };
  });
  after(() => desk.close());

  /** The answer is this refusal, and the account at the venue is as it was. */
  async function refuses(expected: string, call: () => Promise<TestAnswer>): Promise<Json> {
    const before = desk.state();
    const answer = await call();
    expect(refusal(answer), answer.text).to.equal(expected);
    expect(desk.state()).to.equal(before);
    return answer.json;
  }

  const badPost = (expected: string, path: string, body: object, headers?: Record<string, string>) =>
    refuses(expected, () => desk.post(path, body, headers));

  describe('of a key', () => {
    const prepare = (): Promise<Prepared> => desk.good('create-api-key', { accountIndex: ACCOUNT });
    const submit = (expected: string, body: object) => badPost(expected, 'change-pub-key', body);

    it('a reserved index, an account that there is not, and two names or none', async () => {
      const path = 'create-api-key';
      await badPost('400 VALIDATION_ERROR apiKeyIndex', path, { accountIndex: ACCOUNT, apiKeyIndex: 3 });
      await badPost('400 VALIDATION_ERROR apiKeyIndex', path, { accountIndex: ACCOUNT, apiKeyIndex: 255 });
      await badPost('400 VALIDATION_ERROR accountIndex', path, { accountIndex: 999 });
      await badPost('400 VALIDATION_ERROR walletAddress', path, { walletAddress: PAYEE });
      await badPost('400 VALIDATION_ERROR', path, {});
      await badPost('400 VALIDATION_ERROR', path, {
        ...{ accountIndex: ACCOUNT, walletAddress: desk.wallet.address },
      });
    });

    it('the signature of another wallet, of another text, and what is no signature of anybody', async () => {
      const { txInfo, messageToSign } = await prepare();
      const wallets = {
        stranger: await desk.stranger.signMessage({ message: messageToSign }),
        otherText: await desk.sign(`${messageToSign} `),
        nobody: `0x${'f'.repeat(130)}`,
      };
      for (const signature of Object.values(wallets))
        await submit('400 VALIDATION_ERROR signature', { txInfo, signature });
      await submit('400 VALIDATION_ERROR signature', { txInfo, signature: '0x12' });
    });

    it('another key than the one that the wallet has seen', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const PubKey = Buffer.from(makeKey('thief').publicKey, 'hex').toString('base64');
      await submit('400 VALIDATION_ERROR signature', { txInfo: altered(txInfo, { PubKey }), signature });
    });

    it('a reserved index in what was prepared elsewhere, and what is no registration of a key', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const bad = [
        altered(txInfo, { ApiKeyIndex: 2 }),
        altered(txInfo, { Extra: 1 }),
        altered(txInfo, { Nonce: -1 }),
        'nothing',
      ];
      for (const one of bad) await submit('400 VALIDATION_ERROR txInfo', { txInfo: one, signature });
    });

    it('what has expired; a later end than the one that was signed by the key is refused by the venue', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const sent = desk.emulator.script.traffic().counts['sendTx changePubKey'] ?? 0;
      const { details } = await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo: altered(txInfo, { ExpiredAt: desk.gateway.clock.now() - 1_000 }), signature },
      });
      expect(details[0].message).to.match(/expired/);
      expect(desk.emulator.script.traffic().counts['sendTx changePubKey'] ?? 0).to.equal(sent);
      await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo: altered(txInfo, { ExpiredAt: desk.gateway.clock.now() + 86_400_000 }), signature },
      });
    });

    it('what was submitted already, and what another key of the same index has overtaken', async () => {
      const [first, second] = [await prepare(), await prepare()];
      const body = { txInfo: first.txInfo, signature: await desk.sign(first.messageToSign) };
      await desk.good('change-pub-key', body);
      await submit('409 NOOP_ERROR', body);
      const late = { txInfo: second.txInfo, signature: await desk.sign(second.messageToSign) };
      const { details } = await submit('400 VALIDATION_ERROR txInfo', late);
      expect(details[0].message).to.match(/came in between/);
    });

    it('what the sequencer refuses after the venue has taken it', async () => {
      const { txInfo, messageToSign } = await prepare();
      const refused = { kind: 'changePubKey', code: 21_511, message: 'invalid tx type for account' };
      desk.emulator.script.refuseInSequencer(refused);
      const { details } = await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo, signature: await desk.sign(messageToSign) },
      });
      expect(details[0].message).to.contain('invalid tx type for account');
    });
  });

  describe('of an integrator', () => {
    it('an approval that ends in the past, a key that nobody has, and one that is not of the account', async () => {
      const path = 'prepare-approve-integrator';
      const approvalExpiry = '2020-01-01T00:00:00Z';
      await badPost('400 VALIDATION_ERROR approvalExpiry', path, { ...signer, approvalExpiry });
      await badPost('400 VALIDATION_ERROR apiPrivateKey', path, { accountIndex: ACCOUNT, apiKeyIndex: 9 });
      await badPost('400 VALIDATION_ERROR apiKeyIndex', path, { ...signer, apiKeyIndex: 2 });
      await badPost('400 VALIDATION_ERROR', path, { ...signer, walletAddress: desk.wallet.address });
    });

    it('another integrator and higher fees than those of the settings, although the wallet has signed them', async () => {
      const made = await desk.good('prepare-approve-integrator', signer);
      const changes: readonly (readonly [object, string, string])[] = [
        [{ IntegratorAccountIndex: 78 }, `index: ${HEX16(INTEGRATOR)}`, `index: ${HEX16(78)}`],
        [{ MaxPerpsTakerFee: 900 }, `taker fee: ${HEX16(100)}`, `taker fee: ${HEX16(900)}`],
      ];
      for (const [change, was, is] of changes) {
        const message = made.messageToSign.replace(was, is);
        expect(message).to.not.equal(made.messageToSign);
        const body = { txInfo: altered(made.txInfo, change), signature: await desk.sign(message) };
        const { details } = await badPost('400 VALIDATION_ERROR txInfo', 'submit-approve-integrator', body);
        expect(details[0].message).to.match(/another integrator, or other fees/);
      }
      const body = { txInfo: made.txInfo, signature: await desk.sign(made.messageToSign) };
      await desk.good('submit-approve-integrator', body);
      await badPost('409 NOOP_ERROR', 'submit-approve-integrator', body);
    });
  });

  describe('of a token', () => {
    it('an end in more than 8 hours or in the past, and a key that the venue does not have', async () => {
      const path = 'create-auth-token';
      const deadline = new Date(desk.gateway.clock.now() + 8.1 * 3_600_000).toISOString();
      await badPost('400 VALIDATION_ERROR deadline', path, { ...signer, deadline });
      await badPost('400 VALIDATION_ERROR deadline', path, { ...signer, deadline: '2020-01-01T00:00:00Z' });
      const apiPrivateKey = makeKey('not registered').privateKey;
      await badPost('400 VALIDATION_ERROR apiPrivateKey', path, { ...signer, apiPrivateKey });
      await badPost('400 VALIDATION_ERROR apiPrivateKey', path, { ...signer, apiPrivateKey: '12' });
    });
  });

  describe('of a fast withdrawal', () => {
    const prepare = (over: object = {}): Promise<Prepared> =>
      desk.good('prepare-fast-withdraw', { ...signer, amount: '100', toAddress: PAYEE, ...over });
    const submit = (expected: string, body: object) =>
      badPost(expected, 'submit-fast-withdraw', { toAddress: PAYEE, ...body });

    it('more than there is, parts of a cent that USDC does not have, and an address of nobody', async () => {
      const path = 'prepare-fast-withdraw';
      await badPost('400 VALIDATION_ERROR amount', path, { ...signer, amount: '10000.000001' });
      await badPost('400 VALIDATION_ERROR amount', path, { ...signer, amount: '1.0000001' });
      await badPost('400 VALIDATION_ERROR amount', path, { ...signer, amount: '0' });
      const toAddress = `0x${'0'.repeat(40)}`;
      await badPost('400 VALIDATION_ERROR toAddress', path, { ...signer, amount: '1', toAddress });
    });

    it('another address and another amount than those in the signed message', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const toAddress = desk.stranger.address;
      await submit('400 VALIDATION_ERROR toAddress', { txInfo, signature, toAddress });
      await submit('400 VALIDATION_ERROR amount', { txInfo, signature, amount: '100.000001' });
      const { Memo } = JSON.parse(txInfo);
      const thief = [...Buffer.from(toAddress.slice(2), 'hex'), ...Memo.slice(20)];
      const forged = altered(txInfo, { Memo: thief });
      await submit('400 VALIDATION_ERROR signature', { txInfo: forged, signature, toAddress });
      await submit('400 VALIDATION_ERROR signature', {
        ...{ txInfo: altered(txInfo, { Amount: 9_000_000_000 }), signature },
      });
    });

    it('a transfer to anybody but the pool, although the wallet has signed it', async () => {
      const made: Prepared = await prepare();
      const { ToAccountIndex } = JSON.parse(made.txInfo);
      const message = made.messageToSign.replace(
        `to: ${HEX16(ToAccountIndex)}`,
        `to: ${HEX16(OTHER_ACCOUNT)}`,
      );
      expect(message).to.not.equal(made.messageToSign);
      const signature = await desk.sign(message);
      const txInfo = altered(made.txInfo, { ToAccountIndex: OTHER_ACCOUNT });
      const { apiPrivateKey } = signer;
      const told = await submit('400 VALIDATION_ERROR txInfo', { txInfo, signature, apiPrivateKey });
      expect(told.details[0].message).to.match(/another account than the venue's pool/);
      expect(desk.emulator.script.state(OTHER_ACCOUNT).collateral).to.equal('500');
    });

    it('another wallet, what has expired, what is something else, and what was submitted already', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const strange = await desk.stranger.signMessage({ message: messageToSign });
      await submit('400 VALIDATION_ERROR signature', { txInfo, signature: strange });
      const late = altered(txInfo, { ExpiredAt: desk.gateway.clock.now() - 1 });
      await submit('400 VALIDATION_ERROR txInfo', { txInfo: late, signature });
      const key = await desk.good('create-api-key', { accountIndex: ACCOUNT });
      await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo: key.txInfo, signature: await desk.sign(key.messageToSign) },
      });
      await badPost('400 VALIDATION_ERROR txInfo', 'submit-approve-integrator', { txInfo, signature });
      await desk.good('submit-fast-withdraw', { txInfo, signature, toAddress: PAYEE });
      await submit('409 NOOP_ERROR', { txInfo, signature });
    });

    it('one that another transaction of the key has overtaken', async () => {
      const [first, second] = [await prepare(), await prepare({ amount: '200' })];
      const of = async ({ txInfo, messageToSign }: Prepared) => ({
        ...{ txInfo, signature: await desk.sign(messageToSign), toAddress: PAYEE },
      });
      await desk.good('submit-fast-withdraw', await of(first));
      const { details } = await submit('400 VALIDATION_ERROR txInfo', await of(second));
      expect(details[0].message).to.match(/came in between/);
    });

    it('finds out what became of one whose answer was lost, and pays it once', async () => {
      const { txInfo, messageToSign } = await prepare();
      const body = { txInfo, signature: await desk.sign(messageToSign), toAddress: PAYEE };
      const before = Number(desk.emulator.script.state(ACCOUNT).collateral);
      desk.emulator.script.fault({ on: 'fastwithdraw', do: 'lose_answer' });
      expect((await desk.good('submit-fast-withdraw', body)).status).to.equal('executed');
      await submit('409 NOOP_ERROR', body);
      expect(before - Number(desk.emulator.script.state(ACCOUNT).collateral)).to.be.closeTo(103, 1e-6);
    });
  });

  describe('of a change of tier', () => {
    const asked = () => desk.emulator.script.traffic().counts['changeAccountTier'] ?? 0;
    const change = (expected: string, tier: string) =>
      badPost(expected, 'change-account-tier', { ...signer, tier });

    it('an unknown tier, and the one that it has', async () => {
      await change('400 VALIDATION_ERROR tier', 'gold');
      await change('409 NOOP_ERROR', 'standard');
    });

    it('with open positions or orders, and says so before the venue is asked', async () => {
      desk.emulator.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '0.1', '3000');
      const held = await change('409 RESOURCE_BUSY OPEN_POSITIONS', 'plus');
      expect(Date.parse(held.details.retryAt)).to.be.closeTo(desk.gateway.clock.now(), 60_000);
      desk.emulator.script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '0.1', '3000');
      const trader = new Trader(desk.emulator.url, {
        ...{ account: ACCOUNT, apiKey: signer.apiKeyIndex },
        key: { privateKey: signer.apiPrivateKey, publicKey: '' },
        clock: desk.gateway.clock,
      });
      const { nonce } = await trader.get('nextNonce', {
        ...{ account_index: ACCOUNT, api_key_index: signer.apiKeyIndex },
      });
      const price = Math.floor(Number(desk.emulator.script.markOf('ETH')) * 0.9 * 100);
      await trader.order({ base: 1_000, price, timeInForce: 1, client: 4_711 }, { nonce: Number(nonce) });
      await change('409 RESOURCE_BUSY OPEN_ORDERS', 'plus');
      await trader.cancel(4_711);
      expect(asked()).to.equal(0);
    });

    it('within 24 hours of the last one, and says when they are over', async () => {
      const changedAt = desk.gateway.clock.now() - 3_600_000;
      desk.emulator.script.setTier(ACCOUNT, 'plus', changedAt);
      const { details } = await change('409 RESOURCE_BUSY TIER_CHANGED_RECENTLY', 'premium');
      expect(Date.parse(details.retryAt)).to.equal(changedAt + 86_400_000);
      expect(asked()).to.equal(0);
      desk.emulator.script.setTier(ACCOUNT, 'plus', desk.gateway.clock.now() - 86_500_000);
      expect((await desk.good('change-account-tier', { ...signer, tier: 'premium' })).tier).to.equal(
        'premium',
      );
      expect(asked()).to.equal(1);
    });
  });

  describe('of deposits', () => {
    it('other assets and markets than those that the venue credits, and wallets that are none', async () => {
      const walletAddress = desk.wallet.address;
      await badPost('400 VALIDATION_ERROR asset', 'uda', { walletAddress, asset: 'ETH' });
      await badPost('400 VALIDATION_ERROR market', 'uda', { walletAddress, market: 'spot' });
      await badPost('400 VALIDATION_ERROR walletAddress', 'uda', { walletAddress: '0x1' });
      await refuses('400 VALIDATION_ERROR walletAddress', () =>
        desk.as(desk.program, 'GET', '/misc/exchange/uda/0x1'),
      );
    });

    it('says why where the venue gives no address', async () => {
      const json = { code: 20_001, message: 'invalid param : chain_id' };
      desk.emulator.script.fault({ on: 'createIntentAddress', do: 'answer', json, code: 400, times: 2 });
      const told = await badPost('501 NOT_IMPLEMENTED_ERROR', 'uda', { walletAddress: desk.wallet.address });
      expect(told.message)
        .to.match(/gives no deposit address/)
        .and.contain('chain_id');
    });
  });
});
