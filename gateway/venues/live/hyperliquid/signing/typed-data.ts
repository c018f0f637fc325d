/** The pieces of EIP-712 that this venue needs (https://eips.ethereum.org/EIPS/eip-712). Every word is 32 bytes. */
import { keccak_256 } from '@noble/hashes/sha3';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { fromHex } from './keys.ts';

export const NOBODY = '0x0000000000000000000000000000000000000000';

const DOMAIN_TYPE = typeHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const VERSION = textWord('1');
const PREFIX = Uint8Array.of(0x19, 0x01);

export function typeHash(signature: string): Uint8Array {
  return keccak_256(utf8ToBytes(signature));
}

export function textWord(value: string): Uint8Array {
  return keccak_256(utf8ToBytes(value));
}

/** @param value a safe integer >= 0 */
export function integerWord(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${value} is no unsigned integer`);
  const word = new Uint8Array(32);
  new DataView(word.buffer).setBigUint64(24, BigInt(value));
  return word;
}

export function addressWord(address: string): Uint8Array {
  const word = new Uint8Array(32);
  word.set(fromHex(address, 20), 12);
  return word;
}

/** Hash of a domain of version 1 without a contract, which both domains of the venue are. */
export function domainSeparator(name: string, chainId: number): Uint8Array {
  return keccak_256(
    concatBytes(DOMAIN_TYPE, textWord(name), VERSION, integerWord(chainId), addressWord(NOBODY)),
  );
}

/** Digest for a wallet's signature. @param words of the message's fields, in the order of the type */
export function digestOf(domain: Uint8Array, type: Uint8Array, words: readonly Uint8Array[]): Uint8Array {
  return keccak_256(concatBytes(PREFIX, domain, keccak_256(concatBytes(type, ...words))));
}
