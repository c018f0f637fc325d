/**
 * Everything that a key of Lighter signs, and nothing else: transactions, with the message that the owner's wallet may
 * have to sign too, and tokens for readings.
 */
import { timingSafeEqual } from 'node:crypto';
import { hashOf, hexBytes, TX_TYPE, txInfoOf } from './encoding.ts';
import { buildTable, isTableReady } from './generator-table.ts';
import { hashOfText } from './poseidon2.ts';
import { type Quintic, toBytes } from './quintic.ts';
import { publicKeyOf, randomScalar, SCALAR_BYTES, scalarBytes, sign, toScalar } from './schnorr.ts';
import type { LighterTx, WalletSignedTx } from './transactions.ts';
import { readTxInfo, walletMessage } from './wallet-messages.ts';

export type * from './transactions.ts';

/** Chain ids of the venue's networks; the id is part of every hash, so that nothing is valid on the other network. */
export const CHAIN_ID = { mainnet: 304, testnet: 300 } as const;

export interface SignedTx {
  /** `tx_type` of the venue's `sendTx`. */
  readonly txType: number;
  /** `tx_info` of the venue's `sendTx`. */
  readonly txInfo: string;
  /** 80 hex digits; the venue answers and finds the transaction by it. */
  readonly txHash: string;
  /** Message for the owner's wallet to sign (`personal_sign`), null: none. */
  readonly messageToSign: string | null;
}

/** A transaction that the owner's wallet signs, as it was read from a `txInfo`. */
export interface ReadTxInfo {
  readonly tx: WalletSignedTx;
  readonly txType: number;
  /** null: not signed by the wallet yet. */
  readonly l1Signature: string | null;
}

/** A new private key: 80 hex digits. */
export function createPrivateKey(): string {
  return scalarBytes(randomScalar()).toString('hex');
}

/** A private key in memory. */
export class LighterKey {
  readonly #bytes: Buffer;
  #publicKey: string | null = null;
  #wiped = false;

  /** @param privateKey 40 bytes, or 80 hex digits with or without `0x`; TypeError: it is none. Bytes are copied. */
  constructor(privateKey: string | Uint8Array) {
    const bytes =
      typeof privateKey === 'string'
        ? hexBytes('private key', privateKey, SCALAR_BYTES)
        : Buffer.from(privateKey);
    if (bytes.length !== SCALAR_BYTES) throw new TypeError(`private key: ${SCALAR_BYTES} bytes expected`);
    if (toScalar(bytes) === 0n) throw new TypeError('private key: zero');
    this.#bytes = bytes;
  }

  /** 80 hex digits. */
  get publicKey(): string {
    this.#publicKey ??= publicKeyOf(this.#scalar()).toString('hex');
    return this.#publicKey;
  }

  /** True: both are the same key, neither of them wiped. */
  equals(other: LighterKey): boolean {
    return !this.#wiped && !other.#wiped && timingSafeEqual(this.#bytes, other.#bytes);
  }

  /** True: the table that makes signatures fast is built; without it each takes about a millisecond longer. */
  get isReady(): boolean {
    return isTableReady();
  }

  /** Builds the table, which all keys share, in pieces short enough not to block other work. */
  async warmUp(): Promise<void> {
    await buildTable();
  }

  /** 80 bytes. Throws where the key was wiped. */
  sign(message: Quintic): Buffer {
    return sign(message, this.#scalar(), randomScalar());
  }

  /** Overwrites the key, which cannot sign any more. */
  wipe(): void {
    this.#bytes.fill(0);
    this.#wiped = true;
  }

  #scalar(): bigint {
    if (this.#wiped) throw new Error('the key was wiped');
    return toScalar(this.#bytes);
  }
}

/** Signs at once. TypeError if a field is outside the venue's format. */
export function signTransaction(key: LighterKey, chainId: number, tx: LighterTx): SignedTx {
  const hash = hashOf(chainId, tx);
  return {
    txType: TX_TYPE[tx.kind],
    txInfo: txInfoOf(tx, key.sign(hash), ''),
    txHash: hexOf(toBytes(hash)),
    messageToSign: isWalletSigned(tx) ? walletMessage(chainId, tx) : null,
  };
}

function isWalletSigned(tx: LighterTx): tx is WalletSignedTx {
  return tx.kind === 'changePubKey' || tx.kind === 'approveIntegrator' || tx.kind === 'transfer';
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The hash under which the venue knows `tx`: 80 hex digits. TypeError as `signTransaction`. */
export function transactionHash(chainId: number, tx: LighterTx): string {
  return hexOf(toBytes(hashOf(chainId, tx)));
}

/** Reads a `txInfo` of a transaction that the owner's wallet signs; TypeError: it is none, or has a field too many. */
export function parseTxInfo(txInfo: string): ReadTxInfo {
  const { tx, l1Signature } = readTxInfo(txInfo);
  return { tx, txType: TX_TYPE[tx.kind], l1Signature: l1Signature === '' ? null : l1Signature };
}

/** The message that the owner's wallet signs for a `txInfo`; TypeError as above. */
export function l1Message(chainId: number, txInfo: string): string {
  return walletMessage(chainId, readTxInfo(txInfo).tx);
}

/** The `txInfo` with the wallet's signature (65 bytes as `0x` and 130 hex digits); TypeError as above. */
export function withL1Signature(txInfo: string, signature: string): string {
  const { tx, signature: own } = readTxInfo(txInfo);
  return txInfoOf(tx, own, `0x${hexBytes('L1Sig', signature, 65).toString('hex')}`);
}

/** Memo of a fast withdrawal to an address of 20 bytes (`0x` and 40 hex digits); TypeError: it is none. */
export function memoOfAddress(address: string): string {
  return hexBytes('address', address, 20).toString('hex').padEnd(64, '0');
}

/** The address in a fast withdrawal's memo, `0x` and lower case; null: it has none. */
export function addressOfMemo(memo: string): string | null {
  const match = /^([0-9a-f]{40})0{24}$/.exec(memo.toLowerCase());
  return match?.[1] === undefined || /^0*$/.test(match[1]) ? null : `0x${match[1]}`;
}

/** Token for readings of an account. @param deadline epoch seconds, at most 8 hours from now */
export function authToken(
  key: LighterKey,
  token: { readonly accountIndex: number; readonly apiKeyIndex: number; readonly deadline: number },
): string {
  const { deadline, accountIndex, apiKeyIndex } = token;
  const message = `${deadline}:${accountIndex}:${apiKeyIndex}`;
  if (![deadline, accountIndex, apiKeyIndex].every((value) => Number.isSafeInteger(value) && value >= 0)) {
    throw new TypeError(`${message} is no token's beginning`);
  }
  return `${message}:${key.sign(hashOfText(message)).toString('hex')}`;
}
