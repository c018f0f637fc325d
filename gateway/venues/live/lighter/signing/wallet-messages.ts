/**
 * Messages that the owner's wallet signs besides the key (`personal_sign`), word for word as the venue rebuilds them,
 * and transactions read back from the `tx_info` that went to the wallet and came back.
 */
import { z } from 'zod';
import { idField, integerField, read } from '../../kit/wire.ts';
import { hexBytes, ROUTES } from './encoding.ts';
import type { TxAttributes, WalletSignedTx } from './transactions.ts';

const LAST_LINE = 'Only sign this message for a trusted client!';

export function walletMessage(chainId: number, tx: WalletSignedTx): string {
  return [...linesOf(chainId, tx), LAST_LINE].join('\n');
}

/** `0x` and 16 digits. */
const word = (value: number | bigint) => `0x${value.toString(16).padStart(16, '0')}`;

function linesOf(chainId: number, tx: WalletSignedTx): readonly string[] {
  switch (tx.kind) {
    case 'changePubKey':
      // Without the chain: this one message is valid on both networks.
      return [
        'Register Lighter Account',
        '',
        `pubkey: 0x${hexBytes('PubKey', tx.publicKey, 40).toString('hex')}`,
        `nonce: ${word(tx.nonce)}`,
        `account index: ${word(tx.accountIndex)}`,
        `api key index: ${word(tx.apiKeyIndex)}`,
      ];
    case 'approveIntegrator':
      return [
        'Approve Integrator',
        '',
        `nonce: ${word(tx.nonce)}`,
        `account index: ${word(tx.accountIndex)}`,
        `api key index: ${word(tx.apiKeyIndex)}`,
        `integrator account index: ${word(tx.integratorAccountIndex)}`,
        `max perps taker fee: ${word(tx.maxPerpsTakerFee)}`,
        `max perps maker fee: ${word(tx.maxPerpsMakerFee)}`,
        `max spot taker fee: ${word(tx.maxSpotTakerFee)}`,
        `max spot maker fee: ${word(tx.maxSpotMakerFee)}`,
        `approval expiry: ${word(tx.approvalExpiry)}`,
        `chainId: ${word(chainId)}`,
      ];
    case 'transfer':
      return [
        'Transfer',
        '',
        `nonce: ${word(tx.nonce)}`,
        `from: ${word(tx.accountIndex)} (route ${word(ROUTES.indexOf(tx.fromRoute))})`,
        `api key: ${word(tx.apiKeyIndex)}`,
        `to: ${word(tx.toAccountIndex)} (route ${word(ROUTES.indexOf(tx.toRoute))})`,
        `asset: ${word(tx.assetIndex)}`,
        `amount: ${word(tx.amount)}`,
        `fee: ${word(tx.usdcFee)}`,
        `chainId: ${word(chainId)}`,
        `memo: ${hexBytes('Memo', tx.memo, 32).toString('hex')}`,
      ];
  }
}

/** A transaction read from a `tx_info`, with both signatures as they stand there. */
export interface Carried {
  readonly tx: WalletSignedTx;
  /** 80 bytes. */
  readonly signature: Buffer;
  /** '' where the wallet has not signed. */
  readonly l1Signature: string;
}

const count = integerField.refine((value) => value >= 0);
const amount = idField.refine((text) => /^[0-9]{1,19}$/.test(text)).transform(BigInt);
const route = z.enum(['0', '1']).transform((code) => (code === '0' ? ROUTES[0] : ROUTES[1]));
const base64 = (length: number) =>
  z
    .string()
    .transform((text) => ({ text, bytes: Buffer.from(text, 'base64') }))
    .refine(({ text, bytes }) => bytes.length === length && bytes.toString('base64') === text)
    .transform(({ bytes }) => bytes);
const memo = z
  .array(count.refine((byte) => byte <= 255))
  .length(32)
  .transform((bytes) => Buffer.from(bytes).toString('hex'));

/** None of these transactions is ever made with another attribute than the fourth. */
const attributes = z
  .strictObject({ '4': z.literal('1').optional() })
  .nullish()
  .transform((given): TxAttributes => (given?.['4'] === undefined ? {} : { skipNonce: true }));
const shared = {
  ApiKeyIndex: count,
  ExpiredAt: count,
  Nonce: count,
  Sig: base64(80),
  L1Sig: z.string().regex(/^(0x[0-9a-fA-F]{130})?$/),
  L2TxAttributes: attributes,
};

interface Shared {
  readonly ApiKeyIndex: number;
  readonly ExpiredAt: number;
  readonly Nonce: number;
  readonly L2TxAttributes: TxAttributes;
}

const common = (accountIndex: number, info: Shared) => ({
  accountIndex,
  apiKeyIndex: info.ApiKeyIndex,
  nonce: info.Nonce,
  expiredAt: info.ExpiredAt,
  ...(info.L2TxAttributes.skipNonce ? { attributes: info.L2TxAttributes } : {}),
});

const carried = (tx: WalletSignedTx, info: { readonly Sig: Buffer; readonly L1Sig: string }): Carried => ({
  tx,
  signature: info.Sig,
  l1Signature: info.L1Sig,
});

const changePubKey = z
  .strictObject({ AccountIndex: count, PubKey: base64(40), ...shared })
  .transform((info) =>
    carried(
      {
        kind: 'changePubKey',
        ...common(info.AccountIndex, info),
        publicKey: info.PubKey.toString('hex'),
      },
      info,
    ),
  );
const approveIntegrator = z
  .strictObject({
    AccountIndex: count,
    IntegratorAccountIndex: count,
    MaxPerpsTakerFee: count,
    MaxPerpsMakerFee: count,
    MaxSpotTakerFee: count,
    MaxSpotMakerFee: count,
    ApprovalExpiry: count,
    ...shared,
  })
  .transform((info) =>
    carried(
      {
        kind: 'approveIntegrator',
        ...common(info.AccountIndex, info),
        integratorAccountIndex: info.IntegratorAccountIndex,
        maxPerpsTakerFee: info.MaxPerpsTakerFee,
        maxPerpsMakerFee: info.MaxPerpsMakerFee,
        maxSpotTakerFee: info.MaxSpotTakerFee,
        maxSpotMakerFee: info.MaxSpotMakerFee,
        approvalExpiry: info.ApprovalExpiry,
      },
      info,
    ),
  );
const transfer = z
  .strictObject({
    FromAccountIndex: count,
    ToAccountIndex: count,
    AssetIndex: count,
    FromRouteType: route,
    ToRouteType: route,
    Amount: amount,
    USDCFee: amount,
    Memo: memo,
    ...shared,
  })
  .transform((info) =>
    carried(
      {
        kind: 'transfer',
        ...common(info.FromAccountIndex, info),
        toAccountIndex: info.ToAccountIndex,
        assetIndex: info.AssetIndex,
        fromRoute: info.FromRouteType,
        toRoute: info.ToRouteType,
        amount: info.Amount,
        usdcFee: info.USDCFee,
        memo: info.Memo,
      },
      info,
    ),
  );
const txInfo = z.union([changePubKey, approveIntegrator, transfer]);

/** TypeError: no `tx_info` of a transaction that the owner's wallet signs, or with anything in it that is not part of one. */
export function readTxInfo(text: string): Carried {
  const result = read(txInfo, text);
  if (!result.ok) throw new TypeError('no tx_info of a transaction that a wallet signs');
  return result.value;
}
