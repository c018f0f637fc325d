/**
 * Venue credentials. They exist in the vault only, under `venue:<trade account id>`; nothing of them reaches the database,
 * a log line or an error text.
 */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Vault } from '../engine/ports/vault.ts';

export type VenueCredentials = Readonly<Record<string, string | number | boolean>>;

export type CredentialRefusal =
  /** The venue says no, or a field is missing; `path` names it within the credentials. */
  | { readonly kind: 'refused'; readonly path: string; readonly message: string }
  /** This connector takes none. */
  | { readonly kind: 'unsupported'; readonly message: string }
  /** The venue did not answer. */
  | { readonly kind: 'unknown'; readonly message: string };

/** Asks the venue whether the credentials work; each live connector brings its own. */
export type CredentialCheck = (
  connector: string,
  credentials: VenueCredentials,
) => Promise<Result<{ readonly exchangeIdentifier: string }, CredentialRefusal>>;

export const noLiveConnectors: CredentialCheck = async (connector) =>
  fail({ kind: 'unsupported', message: `Connector ${connector} takes no credentials` });

export interface CredentialVault {
  read(tradeAccountId: string): Promise<VenueCredentials | null>;
  write(tradeAccountId: string, credentials: VenueCredentials): Promise<void>;
  /** True when there were some. */
  erase(tradeAccountId: string): Promise<boolean>;
  /** Whether the vault is good enough for keys that move real money. */
  admitsLive(): Result<void, { readonly kind: 'vault_refused' }>;
}

const stored = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export function createCredentialVault(vault: Vault, allowFileVault: boolean): CredentialVault {
  const nameOf = (tradeAccountId: string) => `venue:${tradeAccountId}`;
  return {
    async read(tradeAccountId) {
      const text = await vault.get(nameOf(tradeAccountId));
      return text === null ? null : stored.parse(JSON.parse(text));
    },
    write: (tradeAccountId, credentials) => vault.set(nameOf(tradeAccountId), JSON.stringify(credentials)),
    erase: (tradeAccountId) => vault.delete(nameOf(tradeAccountId)),
    admitsLive: () =>
      vault.kind === 'file' && !allowFileVault ? fail({ kind: 'vault_refused' as const }) : ok(undefined),
  };
}
