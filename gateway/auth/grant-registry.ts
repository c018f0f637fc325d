/** State of the OAuth grants behind tokens. The authorization server keeps the grants and implements it. */
export interface GrantRegistry {
  /** Synchronous, from memory: asked on every request of a grant token. */
  status(grantId: string): 'active' | 'revoked' | 'unavailable';
}

/** Used by a gateway without an authorization server: every grant counts as revoked. */
export const noGrants: GrantRegistry = { status: () => 'revoked' };
