/** Tokens that a key signs for questions about its account: `deadline:account:key:signature`, deadline in seconds. */
import { hashToQuintic } from '../curve/poseidon.ts';
import { words } from '../curve/quintic.ts';
import { isSignedBy, sign } from '../curve/schnorr.ts';

export interface AuthToken {
  /** Epoch seconds. */
  readonly deadline: number;
  readonly account: number;
  readonly apiKey: number;
  isSignedBy(publicKey: Uint8Array): boolean;
}

const FORM = /^(\d+):(\d+):(\d+):([0-9a-fA-F]{160})$/;

export function messageOf(deadline: number, account: number, apiKey: number) {
  return hashToQuintic(words(Buffer.from(`${deadline}:${account}:${apiKey}`, 'ascii')));
}

/** null: it is no token. */
export function readToken(text: string): AuthToken | null {
  const [, deadline, account, apiKey, signature] = FORM.exec(text) ?? [];
  if (signature === undefined) return null;
  const named = { deadline: Number(deadline), account: Number(account), apiKey: Number(apiKey) };
  const message = messageOf(named.deadline, named.account, named.apiKey);
  return {
    ...named,
    isSignedBy: (publicKey) => isSignedBy(publicKey, message, Buffer.from(signature, 'hex')),
  };
}

export function signToken(privateKey: Uint8Array, deadline: number, account: number, apiKey: number): string {
  const signature = sign(privateKey, messageOf(deadline, account, apiKey));
  return `${deadline}:${account}:${apiKey}:${signature.toString('hex')}`;
}
