import { expect } from 'chai';
import fc from 'fast-check';
import { hashOf, TX_TYPE } from '../../../../../../gateway/venues/live/lighter/signing/encoding.ts';
import {
  CHAIN_ID,
  createPrivateKey,
  LighterKey,
  type LighterTx,
  parseTxInfo,
  signTransaction,
  transactionHash,
} from '../../../../../../gateway/venues/live/lighter/signing/signing.ts';
import {
  digitsOf,
  elementOf,
  isSignature,
  lighterVectors,
  type TxVector,
  type WasmVector,
} from '../../../../../support/lighter-signing.ts';
import { forAll, propertyRuns } from '../../../../../support/property-runs.ts';
import { EACH_KIND, SENDER, txOf } from './transaction-samples.ts';

const oracles = lighterVectors<TxVector[]>('tx_oracle');
const wasm = ['wasm', 'wasm-limits']
  .flatMap((name) => lighterVectors<WasmVector[]>(name))
  .filter((vector) => 'tx_info' in vector);

/** The members of a `tx_info` in order, without the signature, which has another nonce every time. */
function unsigned(txInfo: string): string {
  return txInfo.replace(/"Sig":"[^"]*"/, '"Sig":""');
}

function signatureOf(txInfo: string): Buffer {
  return Buffer.from(/"Sig":"([^"]*)"/.exec(txInfo)?.[1] ?? '', 'base64');
}

describe('Lighter: transactions', () => {
  for (const [index, vector] of oracles.entries()) {
    const { kind, chain_id, sk, tx_type, tx_info, tx_hash } = vector;
    it(`are those of the venue's signer: ${kind}, the recorded one with nonce ${index}`, () => {
      const key = new LighterKey(sk);
      const signed = signTransaction(key, chain_id, txOf(tx_type, tx_info));
      expect(signed.txType).to.equal(tx_type);
      expect(unsigned(signed.txInfo)).to.equal(unsigned(tx_info));
      expect(signed.txHash).to.equal(tx_hash);
      for (const signature of [signatureOf(tx_info), signatureOf(signed.txInfo)]) {
        expect(isSignature(signature, elementOf(tx_hash), key.publicKey)).to.equal(true);
      }
    });
  }

  for (const vector of wasm) {
    const { kind, chain_id, sk, pk, tx_type, tx_info, tx_hash } = vector;
    it(`are those of its program for browsers: ${kind} of account ${vector.account_index}, hash ${tx_hash.slice(0, 8)}`, () => {
      const key = new LighterKey(sk);
      expect(key.publicKey).to.equal(pk);
      const signed = signTransaction(key, chain_id, txOf(tx_type, tx_info));
      // The vector's version knew no attributes yet.
      expect(unsigned(signed.txInfo)).to.equal(unsigned(tx_info.replace(/}$/, ',"L2TxAttributes":null}')));
      expect(signed.txHash).to.equal(tx_hash);
      expect(isSignature(signatureOf(tx_info), elementOf(tx_hash), pk)).to.equal(true);
      expect(isSignature(signatureOf(signed.txInfo), elementOf(tx_hash), pk)).to.equal(true);
    });
  }

  it('are all recorded: every kind that there is', () => {
    expect(oracles).to.have.lengthOf(9);
    expect(wasm).to.have.lengthOf(15 + 28);
    const types = new Set([...oracles, ...wasm].map(({ tx_type }) => tx_type));
    const kinds = new Set(EACH_KIND.map(({ kind }) => TX_TYPE[kind]));
    expect([...types].sort()).to.deep.equal([...kinds].sort());
    expect([...kinds].sort()).to.deep.equal(Object.values(TX_TYPE).sort());
  });

  it('have another hash for every other attribute', () => {
    const attributes = [
      { skipNonce: true },
      { selfTradeBehavior: 'reduce' },
      { selfTradeBehavior: 'cancelBoth', selfTradeEquality: 'masterAccount' },
      { selfTradeBehavior: 'cancelBoth' },
      { integratorAccountIndex: 1, integratorTakerFee: 2, integratorMakerFee: 3 },
      { integratorAccountIndex: 1, integratorTakerFee: 3, integratorMakerFee: 2 },
      { cancelAllMarketIndex: 3 },
      {},
    ] as const;
    const hashes = attributes.map((one) =>
      transactionHash(CHAIN_ID.mainnet, { ...SENDER.order, attributes: one }),
    );
    expect(new Set(hashes).size).to.equal(attributes.length);
  });

  for (const tx of EACH_KIND) {
    it(`verify under their hash, whoever signs: ${tx.kind}`, () => {
      const key = new LighterKey(createPrivateKey());
      const signed = signTransaction(key, CHAIN_ID.mainnet, tx);
      const hash = hashOf(CHAIN_ID.mainnet, tx);
      expect(digitsOf(hash)).to.equal(signed.txHash);
      expect(isSignature(signatureOf(signed.txInfo), hash, key.publicKey)).to.equal(true);
      expect(isSignature(signatureOf(signed.txInfo), hashOf(CHAIN_ID.testnet, tx), key.publicKey)).to.equal(
        false,
      );
    });
  }

  it('never have one signature twice, which would tell the key', () => {
    const key = new LighterKey(createPrivateKey());
    const [first, second] = [0, 1].map(() => signTransaction(key, CHAIN_ID.mainnet, SENDER.cancel));
    expect(first?.txHash).to.equal(second?.txHash);
    expect(first?.txInfo).not.to.equal(second?.txInfo);
  });

  it('keep amounts above 2^53 exact', () => {
    const amount = 2n ** 60n - 1n;
    const key = new LighterKey(createPrivateKey());
    const { txInfo } = signTransaction(key, CHAIN_ID.mainnet, {
      ...SENDER.transfer,
      amount,
      usdcFee: amount - 1n,
    });
    expect(txInfo).to.contain(`"Amount":${amount},"USDCFee":${amount - 1n},`);
    const { tx } = parseTxInfo(txInfo);
    expect(tx).to.deep.equal({ ...SENDER.transfer, amount, usdcFee: amount - 1n });
  });

  describe('are refused', () => {
    const { order, cancel, transfer, leverage, register } = SENDER;
    const wrong: readonly (readonly [string, LighterTx])[] = [
      ['a fraction', { ...order, price: 1.5 }],
      ['no number', { ...order, price: Number.NaN }],
      ['a price of 0', { ...order, price: 0 }],
      ['a price above 32 bits', { ...order, price: 2 ** 32 }],
      ['a size of 0 that opens', { ...order, baseAmount: 0 }],
      ['a size above 48 bits', { ...order, baseAmount: 2 ** 48 }],
      ['a negative client order index', { ...order, clientOrderIndex: -1 }],
      ['a client order index above 48 bits', { ...order, clientOrderIndex: 2 ** 48 }],
      ['an inexact number', { ...order, orderExpiry: 2 ** 53 }],
      ['a market that cannot be', { ...order, marketIndex: 4095 }],
      ['the key index of all keys', { ...order, apiKeyIndex: 255 }],
      ['a negative nonce', { ...order, nonce: -1 }],
      ['an expiry above 48 bits', { ...order, expiredAt: 2 ** 48 }],
      ['an account above 48 bits', { ...order, accountIndex: 2 ** 48 - 1 }],
      ['a cancel of nothing', { ...cancel, index: 0 }],
      ['a cancel above 60 bits', { ...cancel, index: 2n ** 60n }],
      ['a leverage of infinity', { ...leverage, initialMarginFraction: 0 }],
      ['a leverage below one', { ...leverage, initialMarginFraction: 10_001 }],
      ['a transfer of nothing', { ...transfer, amount: 0n }],
      ['a short memo', { ...transfer, memo: '11'.repeat(31) }],
      ['a memo of other letters', { ...transfer, memo: 'xy'.repeat(32) }],
      ['a public key of 39 bytes', { ...register, publicKey: '01'.repeat(39) }],
      ['a public key that is no point', { ...register, publicKey: '03'.padEnd(80, '0') }],
      ['the public key of nobody', { ...register, publicKey: '0'.repeat(80) }],
      ['a public key that is not reduced', { ...register, publicKey: 'f'.repeat(80) }],
      [
        'five attributes',
        {
          ...order,
          attributes: {
            skipNonce: true,
            integratorAccountIndex: 1,
            integratorTakerFee: 1,
            integratorMakerFee: 1,
            selfTradeBehavior: 'reduce',
          },
        },
      ],
    ];
    for (const [what, tx] of wrong) {
      it(what, () => {
        expect(() => signTransaction(new LighterKey(createPrivateKey()), CHAIN_ID.mainnet, tx)).to.throw(
          TypeError,
        );
      });
    }
  });

  it('say nothing of an attribute that says nothing, in their hash', () => {
    const hash = transactionHash(CHAIN_ID.mainnet, SENDER.order);
    const same = (tx: LighterTx) => expect(transactionHash(CHAIN_ID.mainnet, tx)).to.equal(hash);
    same({ ...SENDER.order, attributes: {} });
    same({ ...SENDER.order, attributes: { skipNonce: false } });
    same({ ...SENDER.order, attributes: { integratorAccountIndex: 0, integratorTakerFee: 0 } });
    same({ ...SENDER.order, attributes: { selfTradeBehavior: 'expireMaker', selfTradeEquality: 'account' } });
    same({ ...SENDER.order, attributes: { cancelAllMarketIndex: 255 } });
    // Market 0 is a market.
    const only = transactionHash(CHAIN_ID.mainnet, {
      ...SENDER.order,
      attributes: { cancelAllMarketIndex: 0 },
    });
    expect(only).not.to.equal(hash);
  });

  it('carry no attribute that was not asked for', () => {
    const key = new LighterKey(createPrivateKey());
    for (const tx of EACH_KIND) {
      const { attributes: _, ...bare } = tx;
      const { txInfo } = signTransaction(key, CHAIN_ID.mainnet, bare);
      expect(txInfo.endsWith(',"L2TxAttributes":null}')).to.equal(true);
    }
  });

  it('are the same for client order indexes and the venue’s own', () =>
    forAll([fc.integer({ min: 1, max: 2 ** 48 - 1 })], propertyRuns(20), (index) => {
      const hash = transactionHash(CHAIN_ID.mainnet, { ...SENDER.cancel, index });
      expect(transactionHash(CHAIN_ID.mainnet, { ...SENDER.cancel, index: BigInt(index) })).to.equal(hash);
    }));
});
