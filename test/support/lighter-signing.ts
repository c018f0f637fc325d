/** Recorded values of Lighter's signer (test/data/live/lighter/signing), and a check of its signatures. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fromBytes, type Quintic, toBytes } from '../../gateway/venues/live/lighter/signing/quintic.ts';
import { fromBytes as readElement } from './venues/lighter/curve/quintic.ts';
import { isSignedBy } from './venues/lighter/curve/schnorr.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

export interface CurveVectors {
  readonly decode: readonly (Texts<'w'> & { readonly decodes: boolean })[];
  readonly scalar_mul: readonly Texts<'base_w' | 'scalar_le' | 'out_w'>[];
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

/** True: `signature` is that of `publicKey`, by the emulator's arithmetic: the gateway's signer is not its own judge. */
export function isSignature(signature: Uint8Array, message: Quintic, publicKey: string): boolean {
  const hashed = readElement(toBytes(message));
  return hashed !== null && isSignedBy(Buffer.from(publicKey, 'hex'), hashed, signature);
}
