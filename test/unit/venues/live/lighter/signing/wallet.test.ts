import { expect } from 'chai';
import fc from 'fast-check';
import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  addressOfMemo,
  CHAIN_ID,
  createPrivateKey,
  LighterKey,
  l1Message,
  memoOfAddress,
  parseTxInfo,
  signTransaction,
  withL1Signature,
} from '../../../../../../gateway/venues/live/lighter/signing/signing.ts';
import { lighterVectors, type TxVector, type WasmVector } from '../../../../../support/lighter-signing.ts';
import { forAll } from '../../../../../support/property-runs.ts';
import { SENDER, txOf } from './transaction-samples.ts';

const wasm = ['wasm', 'wasm-limits']
  .flatMap((name) => lighterVectors<WasmVector[]>(name))
  .filter((vector) => 'tx_info' in vector);
const oracles = lighterVectors<TxVector[]>('tx_oracle');
const key = new LighterKey(createPrivateKey());
const WALLET_SIGNED = [SENDER.register, SENDER.approve, SENDER.transfer] as const;
const SIGNATURE = `0x${'ab'.repeat(65)}`;
const signed = (tx: (typeof WALLET_SIGNED)[number]) => signTransaction(key, CHAIN_ID.mainnet, tx);

describe('Lighter: what the owner’s wallet signs', () => {
  it('is the recorded message where a key is registered', () => {
    const vectors = wasm.filter(({ kind }) => kind === 'change_pub_key');
    expect(vectors).to.have.lengthOf(3);
    for (const { chain_id, tx_info, tx_type, message_to_sign } of vectors) {
      expect(l1Message(chain_id, tx_info)).to.equal(message_to_sign);
      expect(signTransaction(key, chain_id, txOf(tx_type, tx_info)).messageToSign).to.equal(message_to_sign);
    }
  });

  it('is the recorded message of a transfer, but for the chain, which that recording left out', () => {
    const vectors = wasm.filter(({ kind }) => kind === 'transfer');
    expect(vectors).to.have.lengthOf(5);
    for (const { chain_id, tx_info, tx_type, message_to_sign } of vectors) {
      const chain = `chainId: 0x${chain_id.toString(16).padStart(16, '0')}`;
      const message = message_to_sign?.replace(`chainId: 0x${'0'.repeat(16)}`, chain);
      expect(l1Message(chain_id, tx_info)).to.equal(message);
      expect(signTransaction(key, chain_id, txOf(tx_type, tx_info)).messageToSign).to.equal(message);
    }
  });

  it('names every limit of an integrator and the chain', () => {
    expect(signed(SENDER.approve).messageToSign).to.equal(
      [
        'Approve Integrator',
        '',
        'nonce: 0x0000000000000007',
        'account index: 0x0000000000003039',
        'api key index: 0x0000000000000005',
        'integrator account index: 0x00000000000b0b65',
        'max perps taker fee: 0x00000000000001f4',
        'max perps maker fee: 0x00000000000000c8',
        'max spot taker fee: 0x0000000000000258',
        'max spot maker fee: 0x000000000000012c',
        'approval expiry: 0x0000019e70448800',
        'chainId: 0x0000000000000130',
        'Only sign this message for a trusted client!',
      ].join('\n'),
    );
  });

  it('is nothing for an order', () => {
    expect(signTransaction(key, CHAIN_ID.mainnet, SENDER.order).messageToSign).to.equal(null);
  });

  for (const tx of WALLET_SIGNED) {
    it(`is found again in the tx_info, with all that it says: ${tx.kind}`, () => {
      const { txInfo, txType, messageToSign } = signed(tx);
      expect(parseTxInfo(txInfo)).to.deep.equal({ tx, txType, l1Signature: null });
      expect(l1Message(CHAIN_ID.mainnet, txInfo)).to.equal(messageToSign);
      const skipping = { ...tx, attributes: { skipNonce: true } };
      expect(parseTxInfo(signed(skipping).txInfo).tx).to.deep.equal(skipping);
    });

    it(`comes into the tx_info, and nothing else changes there: ${tx.kind}`, () => {
      const { txInfo } = signed(tx);
      const whole = withL1Signature(txInfo, SIGNATURE);
      expect(whole).to.equal(txInfo.replace('"L1Sig":""', `"L1Sig":"${SIGNATURE}"`));
      expect(whole).not.to.equal(txInfo);
      expect(parseTxInfo(whole).l1Signature).to.equal(SIGNATURE);
      expect(withL1Signature(txInfo, SIGNATURE.slice(2).toUpperCase())).to.equal(whole);
    });

    it(`is refused with a field more, less or of another kind: ${tx.kind}`, () => {
      const { txInfo } = signed(tx);
      for (const broken of [
        txInfo.replace('{', '{"More":1,'),
        txInfo.replace(/"Nonce":7,/, ''),
        txInfo.replace(/"Nonce":7,/, '"Nonce":-7,'),
        txInfo.replace(/"Nonce":7,/, '"Nonce":7.5,'),
        txInfo.replace(/"Nonce":7,/, '"Nonce":null,'),
        txInfo.replace(/"Sig":"..../, '"Sig":"'),
        txInfo.replace(/"Sig":"../, '"Sig":"!!'),
        txInfo.replace('=",', '",'),
        txInfo.replace('"L1Sig":""', '"L1Sig":"0x12"'),
        txInfo.replace('"L2TxAttributes":null', '"L2TxAttributes":{"1":5}'),
        txInfo.slice(1),
        '',
        'null',
      ]) {
        expect(broken).not.to.equal(txInfo);
        expect(() => parseTxInfo(broken), broken).to.throw(TypeError);
        expect(() => l1Message(CHAIN_ID.mainnet, broken)).to.throw(TypeError);
        expect(() => withL1Signature(broken, SIGNATURE)).to.throw(TypeError);
      }
    });
  }

  it('is read from recorded tx_infos of either version of the format', () => {
    const infos = [...wasm, ...oracles].filter(({ tx_type }) => [8, 12, 45].includes(tx_type));
    expect(infos).to.have.lengthOf(10);
    for (const { tx_type, tx_info } of infos) {
      const { attributes, ...tx } = txOf(tx_type, tx_info);
      const read = parseTxInfo(tx_info);
      expect(read.tx).to.deep.equal({ ...tx, ...(attributes?.skipNonce ? { attributes } : {}) });
      expect(read.txType).to.equal(tx_type);
    }
  });

  it('is refused where no wallet signs', () => {
    const order = signTransaction(key, CHAIN_ID.mainnet, SENDER.order).txInfo;
    expect(() => parseTxInfo(order)).to.throw(TypeError);
  });

  it('is refused with a signature of another length', () => {
    const { txInfo } = signed(SENDER.transfer);
    for (const signature of [
      '',
      '0x',
      SIGNATURE.slice(0, -2),
      `${SIGNATURE}00`,
      SIGNATURE.replace('ab', 'xy'),
    ]) {
      expect(() => withL1Signature(txInfo, signature)).to.throw(TypeError);
    }
  });

  it('is a message that a wallet signs and whose signer is found', async () => {
    const wallet = privateKeyToAccount(`0x${'17'.repeat(32)}`);
    const { txInfo, messageToSign } = signed(SENDER.register);
    const whole = withL1Signature(txInfo, await wallet.signMessage({ message: messageToSign ?? '' }));
    const signature = parseTxInfo(whole).l1Signature;
    if (!signature?.startsWith('0x')) throw new Error('no signature');
    const message = l1Message(CHAIN_ID.mainnet, whole);
    const signer = await recoverMessageAddress({ message, signature: `0x${signature.slice(2)}` });
    expect(signer).to.equal(wallet.address);
  });
});

describe('Lighter: memos of fast withdrawals', () => {
  it('say the address that is paid', () =>
    forAll([fc.uint8Array({ minLength: 20, maxLength: 20 })], (bytes) => {
      fc.pre(bytes.some((byte) => byte !== 0));
      const address = `0x${Buffer.from(bytes).toString('hex')}`;
      expect(memoOfAddress(address)).to.equal(`${address.slice(2)}${'0'.repeat(24)}`);
      expect(addressOfMemo(memoOfAddress(address))).to.equal(address);
      expect(addressOfMemo(memoOfAddress(address.toUpperCase().replace('0X', '0x')))).to.equal(address);
    }));

  it('are made of nothing but addresses', () => {
    for (const address of ['', '0x12', `0x${'1'.repeat(41)}`, 'x'.repeat(40)]) {
      expect(() => memoOfAddress(address)).to.throw(TypeError);
    }
  });

  it('may have no address in them', () => {
    for (const memo of [
      '',
      '00'.repeat(32),
      '11'.repeat(32),
      '11'.repeat(20),
      `${'11'.repeat(21)}${'00'.repeat(11)}`,
    ]) {
      expect(addressOfMemo(memo)).to.equal(null);
    }
  });
});
