/** Recorded values of Lighter's signer (test/data/live/lighter/signing), and a check of its signatures. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  addPoint,
  encode,
  GENERATOR,
  multiplyPoint,
} from '../../gateway/venues/live/lighter/signing/curve.ts';
import { decode } from '../../gateway/venues/live/lighter/signing/decode.ts';
import { hashToQuintic } from '../../gateway/venues/live/lighter/signing/poseidon2.ts';
import {
  coefficientsOf,
  fromBytes,
  type Quintic,
  toBytes,
} from '../../gateway/venues/live/lighter/signing/quintic.ts';
import { toScalar } from '../../gateway/venues/live/lighter/signing/schnorr.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

export type FieldVector = Texts<'a' | 'b' | 'e' | 'add' | 'sub' | 'mul' | 'neg_a' | 'inv_a' | 'pow_a_e'>;

export interface CurveVectors {
  readonly decode: readonly (Texts<'w' | 'encoded_back'> & { readonly decodes: boolean })[];
  readonly add: readonly Texts<'a_w' | 'b_w' | 'sum_w' | 'a_double_w'>[];
  readonly scalar_mul: readonly Texts<'base_w' | 'scalar_le' | 'out_w'>[];
  readonly scalar_ops: readonly Texts<'a' | 'b' | 'add' | 'sub' | 'mul' | 'neg_a'>[];
}

export interface HashVectors {
  readonly permute: readonly Texts<'input' | 'output'>[];
  readonly sponge: readonly (Texts<'input' | 'output'> & { readonly num_outputs: number })[];
  readonly hash_to_quintic: readonly Texts<'input' | 'output'>[];
}

export interface SchnorrVectors {
  readonly keygen: readonly Texts<'sk' | 'pk'>[];
  readonly sign: readonly Texts<'sk' | 'hashed_msg' | 'k' | 'sig'>[];
}

interface Account {
  readonly sk: string;
  readonly account_index: number;
  readonly api_key_index: number;
}

export interface TxVector extends Account {
  readonly kind: string;
  readonly chain_id: number;
  readonly tx_type: number;
  readonly tx_info: string;
  readonly tx_hash: string;
}

export interface TokenVector extends Account {
  readonly deadline: number;
  readonly token: string;
}

export type WasmVector =
  | (TxVector & { readonly pk: string; readonly message_to_sign: string | null })
  | (TokenVector & { readonly kind: 'auth_token'; readonly pk: string });

/** The `vectors` of a file. */
export function lighterVectors<T>(name: string): T {
  const file = resolve(import.meta.dirname, `../data/live/lighter/signing/${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')).vectors;
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const elementOf = (digits: string): Quintic => fromBytes(Buffer.from(digits, 'hex'));
export const digitsOf = (element: Quintic): string => hexOf(toBytes(element));

/** True: `signature`, 80 bytes, is that of `publicKey`: hash(s·G + e·key, message) is e. */
export function isSignature(signature: Uint8Array, message: Quintic, publicKey: string): boolean {
  const key = decode(elementOf(publicKey));
  if (key === null || signature.length !== 80) return false;
  const bytes = Buffer.from(signature);
  const point = multiplyPoint(key, toScalar(bytes.subarray(40)));
  addPoint(point, multiplyPoint(GENERATOR, toScalar(bytes.subarray(0, 40))));
  const hash = hashToQuintic([...coefficientsOf(encode(point)), ...coefficientsOf(message)]);
  return toScalar(Buffer.from(toBytes(hash))) === toScalar(bytes.subarray(40));
}
