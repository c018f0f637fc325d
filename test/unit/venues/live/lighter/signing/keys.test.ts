import { expect } from 'chai';
import { hashOfText } from '../../../../../../gateway/venues/live/lighter/signing/poseidon2.ts';
import {
  authToken,
  CHAIN_ID,
  createPrivateKey,
  LighterKey,
  signTransaction,
} from '../../../../../../gateway/venues/live/lighter/signing/signing.ts';
import {
  elementOf,
  isSignature,
  lighterVectors,
  type TokenVector,
  type WasmVector,
} from '../../../../../support/lighter-signing.ts';
import { SENDER } from './transaction-samples.ts';

const oracles = lighterVectors<TokenVector[]>('auth_token_oracle');
const wasm = lighterVectors<WasmVector[]>('wasm').filter((vector) => 'token' in vector);

describe('Lighter: keys', () => {
  it('are made anew every time, and sign', () => {
    const made = Array.from({ length: 20 }, createPrivateKey);
    expect(new Set(made).size).to.equal(20);
    for (const privateKey of made) {
      expect(privateKey).to.match(/^[0-9a-f]{80}$/);
      const key = new LighterKey(privateKey);
      const { txInfo, txHash } = signTransaction(key, CHAIN_ID.testnet, SENDER.cancel);
      const signature = Buffer.from(JSON.parse(txInfo).Sig, 'base64');
      expect(isSignature(signature, elementOf(txHash), key.publicKey)).to.equal(true);
    }
  });

  it('are taken as digits, with and without 0x, or as bytes, which are copied', () => {
    const digits = createPrivateKey();
    const { publicKey } = new LighterKey(digits);
    expect(publicKey).to.match(/^[0-9a-f]{80}$/);
    expect(new LighterKey(`0x${digits.toUpperCase()}`).publicKey).to.equal(publicKey);
    const bytes = Buffer.from(digits, 'hex');
    const key = new LighterKey(bytes);
    bytes.fill(1);
    expect(key.publicKey).to.equal(publicKey);
  });

  it('are refused where they are none', () => {
    for (const none of [
      '',
      '12',
      'x'.repeat(80),
      '0'.repeat(80),
      `${'1'.repeat(81)}`,
      `0x${'1'.repeat(64)}`,
    ]) {
      expect(() => new LighterKey(none), none).to.throw(TypeError);
    }
    expect(() => new LighterKey(new Uint8Array(39).fill(1))).to.throw(TypeError);
    expect(() => new LighterKey(new Uint8Array(40))).to.throw(TypeError);
  });

  it('sign no more once they are wiped', () => {
    const key = new LighterKey(createPrivateKey());
    key.wipe();
    expect(() => signTransaction(key, CHAIN_ID.mainnet, SENDER.cancel)).to.throw('wiped');
    expect(() => key.publicKey).to.throw('wiped');
  });

  it('show nothing of themselves where they are printed', () => {
    const privateKey = createPrivateKey();
    const key = new LighterKey(privateKey);
    expect(`${JSON.stringify(key)}${String(key)}`).not.to.contain(privateKey.slice(0, 16));
  });

  it('sign while their table is built, and when it stands', async () => {
    const key = new LighterKey(createPrivateKey());
    const verify = () => {
      const { txInfo, txHash } = signTransaction(key, CHAIN_ID.mainnet, SENDER.order);
      const signature = Buffer.from(JSON.parse(txInfo).Sig, 'base64');
      expect(isSignature(signature, elementOf(txHash), key.publicKey)).to.equal(true);
    };
    const built = key.warmUp();
    verify();
    await built;
    expect(key.isReady).to.equal(true);
    verify();
    expect(new LighterKey(createPrivateKey()).isReady).to.equal(true);
  });
});

describe('Lighter: auth tokens', () => {
  for (const { sk, account_index, api_key_index, deadline, token } of [...oracles, ...wasm]) {
    it(`are signed as those of the venue’s signers: account ${account_index} until ${deadline}`, () => {
      const key = new LighterKey(sk);
      const made = authToken(key, { accountIndex: account_index, apiKeyIndex: api_key_index, deadline });
      for (const each of [token, made]) {
        const [, message = '', signature = ''] = /^(.*):([0-9a-f]{160})$/.exec(each) ?? [];
        expect(message).to.equal(`${deadline}:${account_index}:${api_key_index}`);
        expect(isSignature(Buffer.from(signature, 'hex'), hashOfText(message), key.publicKey)).to.equal(true);
        expect(isSignature(Buffer.from(signature, 'hex'), hashOfText(`${message}0`), key.publicKey)).to.equal(
          false,
        );
      }
    });
  }

  it('are made of nothing but whole numbers', () => {
    const key = new LighterKey(createPrivateKey());
    const token = { accountIndex: 1, apiKeyIndex: 5, deadline: 1_700_000_000 };
    for (const change of [{ accountIndex: -1 }, { apiKeyIndex: 1.5 }, { deadline: Number.NaN }]) {
      expect(() => authToken(key, { ...token, ...change })).to.throw(TypeError);
    }
  });
});
