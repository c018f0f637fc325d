/** Texts that the owner's wallet signs (EIP-191) beside the key's own signature. */
import type { TxOf } from './tx-shapes.ts';

const LAST = 'Only sign this message for a trusted client!';

/** 16 hexadecimal digits. */
function hex(value: number): string {
  return `0x${value.toString(16).padStart(16, '0')}`;
}

export function changePubKeyText(tx: TxOf<'changePubKey'>): string {
  return [
    ...['Register Lighter Account', '', `pubkey: 0x${tx.PubKey.toString('hex')}`, `nonce: ${hex(tx.Nonce)}`],
    ...[`account index: ${hex(tx.AccountIndex)}`, `api key index: ${hex(tx.ApiKeyIndex)}`, LAST],
  ].join('\n');
}

export function transferText(tx: TxOf<'transfer'>, chainId: number): string {
  return [
    ...['Transfer', '', `nonce: ${hex(tx.Nonce)}`],
    `from: ${hex(tx.FromAccountIndex)} (route ${hex(tx.FromRouteType)})`,
    `api key: ${hex(tx.ApiKeyIndex)}`,
    `to: ${hex(tx.ToAccountIndex)} (route ${hex(tx.ToRouteType)})`,
    ...[`asset: ${hex(tx.AssetIndex)}`, `amount: ${hex(tx.Amount)}`, `fee: ${hex(tx.USDCFee)}`],
    ...[`chainId: ${hex(chainId)}`, `memo: ${Buffer.from(tx.Memo).toString('hex')}`, LAST],
  ].join('\n');
}

export function approveIntegratorText(tx: TxOf<'approveIntegrator'>, chainId: number): string {
  return [
    ...['Approve Integrator', '', `nonce: ${hex(tx.Nonce)}`, `account index: ${hex(tx.AccountIndex)}`],
    `api key index: ${hex(tx.ApiKeyIndex)}`,
    `integrator account index: ${hex(tx.IntegratorAccountIndex)}`,
    ...[
      `max perps taker fee: ${hex(tx.MaxPerpsTakerFee)}`,
      `max perps maker fee: ${hex(tx.MaxPerpsMakerFee)}`,
    ],
    ...[`max spot taker fee: ${hex(tx.MaxSpotTakerFee)}`, `max spot maker fee: ${hex(tx.MaxSpotMakerFee)}`],
    ...[`approval expiry: ${hex(tx.ApprovalExpiry)}`, `chainId: ${hex(chainId)}`, LAST],
  ].join('\n');
}
