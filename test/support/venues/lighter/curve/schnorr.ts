/** Schnorr signatures over ECgFp5: s·G + e·key must be the point that was hashed into e. */
import { randomBytes } from 'node:crypto';
import { add, decode, doublesOf, encode, GENERATOR, ORDER, type Point, times } from './point.ts';
import { hashToQuintic } from './poseidon.ts';
import { BYTES, fromBytes, type Quintic, toBytes } from './quintic.ts';

export const SIGNATURE_BYTES = 2 * BYTES;

const OF_GENERATOR = doublesOf(GENERATOR);
/** Precomputed doubles of public keys, by their bytes; undefined: the bytes are no key. */
const known = new Map<string, readonly Point[] | undefined>();

/** Little-endian. */
export function scalarOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`);
}

export function scalarBytes(scalar: bigint): Buffer {
  return Buffer.from(scalar.toString(16).padStart(2 * BYTES, '0'), 'hex').reverse();
}

function challenge(point: Point, message: Quintic): bigint {
  return scalarOf(toBytes(hashToQuintic([...encode(point), ...message]))) % ORDER;
}

/** A token is shown with every question: what was worked out of the last ones. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1_000;

/** @param publicKey 40 bytes. @param message what was hashed. @param signature s and e, 40 bytes each */
export function isSignedBy(publicKey: Uint8Array, message: Quintic, signature: Uint8Array): boolean {
  const name = [publicKey, toBytes(message), signature]
    .map((part) => Buffer.from(part).toString('hex'))
    .join();
  const isSigned = judged.get(name) ?? holds(publicKey, message, signature);
  if (judged.size >= MOST_JUDGED) judged.clear();
  judged.set(name, isSigned);
  return isSigned;
}

function holds(publicKey: Uint8Array, message: Quintic, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const s = scalarOf(signature.subarray(0, BYTES));
  const e = scalarOf(signature.subarray(BYTES));
  const doubles = doublesOfKey(publicKey);
  if (s >= ORDER || e >= ORDER || doubles === undefined) return false;
  return challenge(add(times(s, OF_GENERATOR), times(e, doubles)), message) === e;
}

/** undefined: the bytes are no key. */
function doublesOfKey(publicKey: Uint8Array): readonly Point[] | undefined {
  const name = Buffer.from(publicKey).toString('hex');
  if (!known.has(name)) {
    const w = fromBytes(publicKey);
    const point = w === null ? undefined : decode(w);
    known.set(name, point === undefined ? undefined : doublesOf(point));
  }
  return known.get(name);
}

export function publicKeyOf(privateKey: Uint8Array): Buffer {
  return toBytes(encode(times(scalarOf(privateKey) % ORDER, OF_GENERATOR)));
}

/** @param k the secret of this one signature; missing: random */
export function sign(
  privateKey: Uint8Array,
  message: Quintic,
  k = scalarOf(randomBytes(BYTES)) % ORDER,
): Buffer {
  const e = challenge(times(k, OF_GENERATOR), message);
  const s = (((k - e * scalarOf(privateKey)) % ORDER) + ORDER) % ORDER;
  return Buffer.concat([scalarBytes(s), scalarBytes(e)]);
}
