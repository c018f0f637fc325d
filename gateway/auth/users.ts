/** Users in memory, found by id, e-mail and wallet, and the rule for who may register. */
import type { User } from '../domain/model.ts';
import { fail, ok, type Result } from '../domain/result.ts';

/** Registration rule. `first`: only while there is no user · `open`: every caller · `closed`: nobody. */
export type RegistrationPolicy = 'first' | 'open' | 'closed';

export type Identity =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'wallet'; readonly address: string };

/**
 * The right to create one user. Held while the password is hashed and the row is written, so that two callers cannot
 * both be the first user.
 */
export interface Place {
  readonly isFirst: boolean;
  /** Adds the new user after the commit. */
  take(user: User): void;
  /** Gives the right back if no user was created. Harmless after `take`. */
  release(): void;
}

export type PlaceError = { readonly kind: 'closed' } | { readonly kind: 'taken' };

export interface Users {
  byId(id: string): User | undefined;
  byEmail(email: string): User | undefined;
  byWallet(address: string): User | undefined;
  reserve(identity: Identity): Result<Place, PlaceError>;
  /** Replaces the changed user after the commit. */
  replace(user: User): void;
  count(): number;
  /** The user who registered first, the owner of the gateway. */
  first(): User | undefined;
  /** Registration policy in force; `first`: there is no user yet. */
  registration(): RegistrationPolicy;
}

/**
 * E-mail address in lower case: RFC 5321 lets the part before the `@` be case-sensitive, but no mail service treats it
 * so.
 */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

function keyOf(identity: Identity): string {
  return identity.kind === 'email' ? `email:${normaliseEmail(identity.email)}` : `wallet:${identity.address}`;
}

export function createUsers(policy: RegistrationPolicy, loaded: readonly User[]): Users {
  const byId = new Map<string, User>();
  const byIdentity = new Map<string, User>();
  const reserved = new Set<string>();

  function put(user: User): void {
    byId.set(user.id, user);
    if (user.email !== null) byIdentity.set(keyOf({ kind: 'email', email: user.email }), user);
    if (user.walletAddress !== null) {
      byIdentity.set(keyOf({ kind: 'wallet', address: user.walletAddress }), user);
    }
  }
  for (const user of loaded) put(user);

  return {
    byId: (id) => byId.get(id),
    byEmail: (email) => byIdentity.get(keyOf({ kind: 'email', email })),
    byWallet: (address) => byIdentity.get(keyOf({ kind: 'wallet', address })),
    reserve(identity) {
      const isFirst = byId.size === 0 && reserved.size === 0;
      if (policy === 'closed' || (policy === 'first' && !isFirst)) return fail({ kind: 'closed' });
      const key = keyOf(identity);
      if (byIdentity.has(key) || reserved.has(key)) return fail({ kind: 'taken' });
      reserved.add(key);
      return ok({
        isFirst,
        take(user) {
          put(user);
          reserved.delete(key);
        },
        release: () => {
          reserved.delete(key);
        },
      });
    },
    replace: put,
    count: () => byId.size,
    first: () => byId.values().next().value,
    registration() {
      if (policy === 'closed') return 'closed';
      if (byId.size === 0) return 'first';
      return policy === 'open' ? 'open' : 'closed';
    },
  };
}
