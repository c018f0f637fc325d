/** Refusals of the set-up routes: the error of each, and no transfer at the venue. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { ACCOUNT, altered, INTEGRATOR, OTHER_ACCOUNT, refusal, SetupDesk } from '../support/setup-desk.ts';
import { Trader } from '../support/venues/lighter/trader.ts';

const PAYEE = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
const HEX16 = (value: number) => `0x${value.toString(16).padStart(16, '0')}`;

interface Prepared {
  readonly txInfo: string;
  readonly messageToSign: string;
}

describe('API: what setting up an account refuses', function () {
  this.timeout(20_000);
  const desk = new SetupDesk();
  let signer = { accountIndex: ACCOUNT, apiKeyIndex: 0, apiPrivateKey: '' };

  before(async () => {
    signer = await desk.openForRefusals();
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

    it('what has expired, before the venue is asked', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const sent = desk.emulator.script.traffic().counts['sendTx changePubKey'] ?? 0;
      const { details } = await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo: altered(txInfo, { ExpiredAt: desk.gateway.clock.now() - 1_000 }), signature },
      });
      expect(details[0].message).to.match(/expired/);
      expect(desk.emulator.script.traffic().counts['sendTx changePubKey'] ?? 0).to.equal(sent);
    });

    it('what another key of the same index has overtaken', async () => {
      const [first, second] = [await prepare(), await prepare()];
      const body = { txInfo: first.txInfo, signature: await desk.sign(first.messageToSign) };
      await desk.good('change-pub-key', body);
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
    });
  });

  describe('of a fast withdrawal', () => {
    const prepare = (over: object = {}): Promise<Prepared> =>
      desk.good('prepare-fast-withdraw', { ...signer, amount: '100', toAddress: PAYEE, ...over });
    const submit = (expected: string, body: object) =>
      badPost(expected, 'submit-fast-withdraw', { toAddress: PAYEE, ...body });

    it('another address in the message of the transfer than the signed one', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const toAddress = desk.stranger.address;
      const { Memo } = JSON.parse(txInfo);
      const thief = [...Buffer.from(toAddress.slice(2), 'hex'), ...Memo.slice(20)];
      const forged = altered(txInfo, { Memo: thief });
      await submit('400 VALIDATION_ERROR signature', { txInfo: forged, signature, toAddress });
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

    it('a transaction of another kind', async () => {
      const { txInfo, messageToSign } = await prepare();
      const signature = await desk.sign(messageToSign);
      const key = await desk.good('create-api-key', { accountIndex: ACCOUNT });
      await submit('400 VALIDATION_ERROR txInfo', {
        ...{ txInfo: key.txInfo, signature: await desk.sign(key.messageToSign) },
      });
      await badPost('400 VALIDATION_ERROR txInfo', 'submit-approve-integrator', { txInfo, signature });
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
