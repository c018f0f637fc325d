/**
 * Venue credentials. They exist in the vault only, under `venue:<trade account id>`; nothing of them reaches the database,
 * a log line or an error text.
 */
import { z } from 'zod';
import { fail, ok, type Result } from '../domain/result.ts';
import { isVaultFailure, type Vault } from '../engine/ports/vault.ts';
import type {
  CredentialField,
  CredentialRefusal,
  CredentialReport,
  Venue,
  VenueCredentials,
  VenueNetwork,
  Venues,
} from '../engine/ports/venue.ts';

/** Asks the venue of the connector whether the credentials work. */
export type CredentialCheck = (
  connector: string,
  credentials: VenueCredentials,
) => Promise<Result<CredentialReport, CredentialRefusal>>;

/** The network that accounts of a connector are on. */
export function networkOf({ info }: Pick<Venue, 'info'>): VenueNetwork {
  return info.networks?.[0] ?? 'mainnet';
}

/** Checks the credentials' fields first, then asks the venue. */
export function checkAtVenue(venues: Pick<Venues, 'get'>): CredentialCheck {
  return async (connector, credentials) => {
    const venue = venues.get(connector);
    if (venue?.checkCredentials === undefined)
      return fail({ kind: 'unsupported', message: `Connector ${connector} takes no credentials` });
    const unfit = unfitField(venue.info.credentials ?? [], credentials);
    if (unfit !== null) return fail({ kind: 'refused', ...unfit });
    return venue.checkCredentials({ credentials, network: networkOf(venue) });
  };
}

const KINDS: Readonly<Record<CredentialField['kind'], readonly [type: string, asked: string]>> = {
  text: ['string', 'a text'],
  number: ['number', 'a whole number'],
  'yes-no': ['boolean', 'true or false'],
};

/** The first credential field that is missing, unknown or of another kind; null: every field fits. */
function unfitField(
  fields: readonly CredentialField[],
  credentials: VenueCredentials,
): { readonly path: string; readonly message: string } | null {
  for (const { name, label, kind, required } of fields) {
    const value = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
    const [type, asked] = KINDS[kind];
    if (value === undefined && required) return { path: name, message: `${label} is needed` };
    if (value !== undefined && typeof value !== type)
      return { path: name, message: `${label} has to be ${asked}` };
  }
  const unknown = Object.keys(credentials).find((name) => fields.every((field) => field.name !== name));
  return unknown === undefined ? null : { path: unknown, message: 'The venue has no such field' };
}

/** Puts back the former secret. Never rejects: a vault that fails at it keeps its present one. */
export type PutBack = () => Promise<void>;

export interface CredentialVault {
  read(tradeAccountId: string): Promise<VenueCredentials | null>;
  write(
    tradeAccountId: string,
    credentials: VenueCredentials,
  ): Promise<Result<PutBack, CredentialsNotStored>>;
  /** @returns true when the account had credentials */
  erase(tradeAccountId: string): Promise<boolean>;
  readonly kind: Vault['kind'];
  /** Why credentials of a live venue are not stored, with the remedy; null: they are. */
  readonly refusal: string | null;
  /** Checks that the vault is safe enough for keys that move real money. */
  admitsLive(): Result<void, CredentialsNotStored>;
}

export interface CredentialsNotStored {
  readonly kind: 'vault_refused';
  readonly refusal: string;
}

/** Stores a secret. If the vault fails, the former one is put back: the new one may be stored all the same. */
export async function storeSecret(
  vault: Vault,
  name: string,
  secret: string,
): Promise<Result<PutBack, CredentialsNotStored>> {
  let putBack: PutBack = async () => {};
  try {
    const before = await vault.get(name);
    putBack = async () => {
      const done = before === null ? vault.delete(name) : vault.set(name, before);
      await Promise.resolve(done).catch(() => undefined);
    };
    await vault.set(name, secret);
    return ok(putBack);
  } catch (error) {
    await putBack();
    const why = isVaultFailure(error) ? error.remedy : 'the vault cannot be written; see: tandem doctor';
    return fail({ kind: 'vault_refused', refusal: `The key was not stored: ${why}. Then connect again` });
  }
}

/** For a file vault whose key lies beside it; that key opens it for every reader of the folder. */
const PASSPHRASE_NEEDED =
  'Exchange keys are not stored in a file vault without a passphrase. Start the gateway with TANDEM_PASSPHRASE, or where the keychain works, then connect';

const stored = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export function createCredentialVault(vault: Vault, allowFileVault: boolean): CredentialVault {
  const nameOf = (tradeAccountId: string) => `venue:${tradeAccountId}`;
  const refusal = vault.kind === 'file' && !allowFileVault ? PASSPHRASE_NEEDED : null;
  return {
    kind: vault.kind,
    refusal,
    async read(tradeAccountId) {
      const text = await vault.get(nameOf(tradeAccountId));
      return text === null ? null : stored.parse(JSON.parse(text));
    },
    write: (tradeAccountId, credentials) =>
      storeSecret(vault, nameOf(tradeAccountId), JSON.stringify(credentials)),
    erase: (tradeAccountId) => vault.delete(nameOf(tradeAccountId)),
    admitsLive: () => (refusal === null ? ok(undefined) : fail({ kind: 'vault_refused' as const, refusal })),
  };
}
