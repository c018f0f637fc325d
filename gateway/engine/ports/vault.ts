/** The store of secrets. Adapters live in vault/. */

/** Failure of a vault. `remedy` is advice to the user, without the keychain's own text, which may quote a secret. */
export interface VaultFailure extends Error {
  readonly remedy: string;
}

export function isVaultFailure(error: unknown): error is VaultFailure {
  return error instanceof Error && 'remedy' in error && typeof error.remedy === 'string';
}

/** Secrets by name (`signing-key`, `venue:<trade account id>`). Values are never logged or stored elsewhere. */
export interface Vault {
  readonly kind: 'keychain' | 'file' | 'memory';
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** True when the secret existed. */
  delete(name: string): Promise<boolean>;
}
