/** State of the OAuth grants behind tokens. The authorization server keeps the grants and implements it. */
export interface GrantRegistry {
  /** Synchronous, from memory: asked on every request of a grant token. */
  status(grantId: string): 'active' | 'revoked' | 'unavailable';
  /** A request of the grant was let in. */
  seen(grantId: string): void;
}

/** Used by a gateway without an authorization server: every grant counts as revoked. */
export const noGrants: GrantRegistry = { status: () => 'revoked', seen: () => {} };
