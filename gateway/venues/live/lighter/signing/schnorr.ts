/**
 * Schnorr signatures over ECgFp5: with a nonce k and the point k·G encoded as r, e = hash(r, message) and
 * s = k − e·key. (github.com/elliottech/poseidon_crypto, signature/schnorr.)
 */
import { randomBytes } from 'node:crypto';
import { encode } from './curve.ts';
import { multiplyGenerator } from './generator-table.ts';
import { hashToQuintic } from './poseidon2.ts';
import { coefficientsOf, type Quintic, toBytes } from './quintic.ts';

/** Order of the group, a prime of 319 bits. */
export const ORDER =
  1067993516717146951041484916571792702745057740581727230159139685185762082554198619328292418486241n;
export const SCALAR_BYTES = 40;
const BITS_319 = 2n ** 319n - 1n;

/** A scalar from 40 bytes, little-endian, reduced. */
export function toScalar(bytes: Buffer): bigint {
  return littleEndian(bytes) % ORDER;
}

function littleEndian(bytes: Buffer): bigint {
  let value = 0n;
  for (let at = SCALAR_BYTES - 8; at >= 0; at -= 8) value = (value << 64n) | bytes.readBigUInt64LE(at);
  return value;
}

/** 40 bytes, little-endian. */
export function scalarBytes(scalar: bigint): Buffer {
  const bytes = Buffer.alloc(SCALAR_BYTES);
  for (let at = 0; at < SCALAR_BYTES; at += 8) {
    bytes.writeBigUInt64LE(BigInt.asUintN(64, scalar >> BigInt(8 * at)), at);
  }
  return bytes;
}

/** Any scalar but 0, each as likely as the other. */
export function randomScalar(): bigint {
  for (;;) {
    const bytes = randomBytes(SCALAR_BYTES);
    const value = littleEndian(bytes) & BITS_319;
    bytes.fill(0);
    if (value > 0n && value < ORDER) return value;
  }
}

/** 40 bytes. */
export function publicKeyOf(privateKey: bigint): Buffer {
  return Buffer.from(toBytes(encode(multiplyGenerator(privateKey))));
}

/**
 * 80 bytes: s and e, little-endian.
 * @param nonce a scalar never used before: two signatures with one nonce reveal the key
 */
export function sign(message: Quintic, privateKey: bigint, nonce: bigint): Buffer {
  const r = encode(multiplyGenerator(nonce));
  const e = toScalar(Buffer.from(toBytes(hashToQuintic([...coefficientsOf(r), ...coefficientsOf(message)]))));
  const s = (nonce - e * privateKey) % ORDER;
  return Buffer.concat([scalarBytes(s < 0n ? s + ORDER : s), scalarBytes(e)]);
}
