import type { VaultFailure } from '../engine/ports/vault.ts';

/** A vault that cannot be used, with a sentence that says why and what to do. Never holds a secret. */
export class VaultError extends Error implements VaultFailure {
  readonly reason: VaultProblem;
  readonly remedy: string;
  /** @param options `remedy`: the message without words of the system; default: the message */
  constructor(reason: VaultProblem, message: string, options?: ErrorOptions & { readonly remedy?: string }) {
    super(message, options);
    this.name = 'VaultError';
    this.reason = reason;
    this.remedy = options?.remedy ?? message;
  }
}

/** Message of the VaultError with which `opening` rejects; null: it resolves. */
export async function problemOf(opening: Promise<unknown>): Promise<string | null> {
  try {
    await opening;
    return null;
  } catch (error) {
    if (error instanceof VaultError) return error.message;
    throw error;
  }
}

export type VaultProblem =
  | 'keychain_unusable'
  | 'passphrase_missing'
  | 'passphrase_wrong'
  | 'key_missing'
  | 'corrupted'
  | 'unreadable';
