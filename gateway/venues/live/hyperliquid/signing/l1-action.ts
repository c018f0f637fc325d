/**
 * Signatures of L1 actions: everything that an agent may do. The signed data is not the action but a "phantom agent"
 * whose connection id is the action's hash; its source tells the networks apart. (Rules: the venue's Python SDK.)
 */
import { keccak_256 } from '@noble/hashes/sha3';
import { concatBytes } from '@noble/hashes/utils';
import { fromHex, type PrivateKey, type Signature, signDigest } from './keys.ts';
import { type Packable, pack } from './msgpack.ts';
import { digestOf, domainSeparator, textWord, typeHash } from './typed-data.ts';

export type Network = 'mainnet' | 'testnet';

/** Its keys must stand in the venue's order: the order is part of the hash. */
export type Action = { readonly type: string; readonly [key: string]: Packable };

export interface L1Action {
  readonly action: Action;
  readonly nonce: number;
  /** The subaccount or vault that the action is about; null: the signer's master. */
  readonly vaultAddress: string | null;
  /** Epoch ms after which the venue refuses the action; null: never. */
  readonly expiresAfter: number | null;
}

const EXCHANGE = domainSeparator('Exchange', 1337);
const AGENT = typeHash('Agent(string source,bytes32 connectionId)');
const SOURCE: Readonly<Record<Network, Uint8Array>> = { mainnet: textWord('a'), testnet: textWord('b') };
const NONE = Uint8Array.of(0);
const SOME = Uint8Array.of(1);

/** The connection id: 32 bytes. */
export function actionHash(
  action: Action,
  nonce: number,
  vaultAddress: string | null,
  expiresAfter: number | null,
): Uint8Array {
  return keccak_256(
    concatBytes(
      pack(action),
      bigEndian(nonce),
      ...(vaultAddress === null ? [NONE] : [SOME, fromHex(vaultAddress, 20)]),
      // An action without an expiry ends here: there is no "none" byte for it, unlike for the vault.
      ...(expiresAfter === null ? [] : [NONE, bigEndian(expiresAfter)]),
    ),
  );
}

export function signL1Action(
  signed: L1Action & { readonly privateKey: PrivateKey; readonly network: Network },
): Signature {
  const hash = actionHash(signed.action, signed.nonce, signed.vaultAddress, signed.expiresAfter);
  return signDigest(digestOf(EXCHANGE, AGENT, [SOURCE[signed.network], hash]), signed.privateKey);
}

/** Body of `POST /exchange`; fields that are null are left out. */
export function exchangeBody(
  { action, nonce, vaultAddress, expiresAfter }: L1Action,
  signature: Signature,
): { readonly [key: string]: Packable } {
  return {
    action,
    nonce,
    signature: { r: signature.r, s: signature.s, v: signature.v },
    ...(vaultAddress === null ? {} : { vaultAddress }),
    ...(expiresAfter === null ? {} : { expiresAfter }),
  };
}

function bigEndian(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${value} is no time in ms`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
