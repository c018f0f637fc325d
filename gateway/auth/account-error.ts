import type { StoreError } from '../engine/ports/unit-of-work.ts';
import type { CredentialRefusal, VenueError } from '../engine/ports/venue.ts';
import type { CredentialsNotStored } from './account-credentials.ts';
import type { MissingAccount } from './account-registry.ts';

/** Why an account was not made, changed or removed. */
export type AccountError =
  | MissingAccount
  | { readonly kind: 'unknown_connector' }
  /** A paper account was given credentials. */
  | { readonly kind: 'no_credentials_wanted' }
  | { readonly kind: 'no_credentials' }
  | CredentialsNotStored
  | { readonly kind: 'busy' }
  /** Another trade account here is the same account at the venue. */
  | { readonly kind: 'connected_already'; readonly alias: string }
  | { readonly kind: 'credentials'; readonly refusal: CredentialRefusal }
  | { readonly kind: 'venue'; readonly error: VenueError }
  | { readonly kind: 'store'; readonly error: StoreError };
