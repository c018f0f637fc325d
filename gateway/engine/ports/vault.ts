/** The store of secrets. Adapters live in vault/. */

/** Secrets by name (`signing-key`, `venue:<trade account id>`). Values are never logged or stored elsewhere. */
export interface Vault {
  readonly kind: 'keychain' | 'file' | 'memory';
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** True when the secret existed. */
  delete(name: string): Promise<boolean>;
}
