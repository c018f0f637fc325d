import type { Vault } from '../engine/ports/vault.ts';

/** Vault that keeps secrets for the life of the process, for tests and throw-away gateways. */
export function createMemoryVault(): Vault {
  const secrets = new Map<string, string>();
  return {
    kind: 'memory',
    async get(name) {
      return secrets.get(name) ?? null;
    },
    async set(name, value) {
      secrets.set(name, value);
    },
    async delete(name) {
      return secrets.delete(name);
    },
  };
}
