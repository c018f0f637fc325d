/** secp256k1 as Ethereum wallets use it: deterministic low-s signatures and addresses. */
import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';

/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`;

/** 32 bytes. Bytes can be wiped after use, a text cannot. */
export type PrivateKey = Uint8Array | Hex;

export interface Signature {
  /** 32 bytes. */
  readonly r: Hex;
  /** 32 bytes. */
  readonly s: Hex;
  readonly v: 27 | 28;
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`;
}

/** Throws where `text` is not hexadecimal or not `length` bytes long. */
export function fromHex(text: string, length: number): Uint8Array {
  const bytes = hexToBytes(text.replace(/^0x/i, '').toLowerCase());
  if (bytes.length !== length) throw new TypeError(`${length} bytes expected, got ${bytes.length}`);
  return bytes;
}

/**
 * The address in lower case. The first call of a process builds the curve's table, which takes about 50 ms: after a
 * call at the opening of an account, the first signature is fast.
 */
export function addressOf(privateKey: PrivateKey): Hex {
  return addressOfPublicKey(secp256k1.getPublicKey(scalar(privateKey), false));
}

/** @param digest 32 bytes */
export function signDigest(digest: Uint8Array, privateKey: PrivateKey): Signature {
  const signature = secp256k1.sign(digest, scalar(privateKey));
  const bytes = signature.toCompactRawBytes();
  return {
    r: toHex(bytes.subarray(0, 32)),
    s: toHex(bytes.subarray(32)),
    v: signature.recovery === 0 ? 27 : 28,
  };
}

/**
 * Address, in lower case, of the key that made `signature`; null: the signature is invalid.
 * @param signature r, s and v as a wallet returns them: 65 bytes, v 27/28 or 0/1
 */
export function recoverSigner(digest: Uint8Array, signature: Hex | Signature): Hex | null {
  try {
    const bytes =
      typeof signature === 'string'
        ? fromHex(signature, 65)
        : new Uint8Array([...fromHex(signature.r, 32), ...fromHex(signature.s, 32), signature.v]);
    const v = bytes[64] ?? -1;
    const recovery = v >= 27 ? v - 27 : v;
    if (recovery !== 0 && recovery !== 1) return null;
    const point = secp256k1.Signature.fromCompact(bytes.subarray(0, 64))
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest);
    return addressOfPublicKey(point.toRawBytes(false));
  } catch {
    return null;
  }
}

function scalar(privateKey: PrivateKey): Uint8Array {
  return typeof privateKey === 'string' ? fromHex(privateKey, 32) : privateKey;
}

/** @param publicKey 65 bytes, uncompressed */
function addressOfPublicKey(publicKey: Uint8Array): Hex {
  return toHex(keccak_256(publicKey.subarray(1)).subarray(12));
}
