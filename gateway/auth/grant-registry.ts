/**
 * State of the OAuth grant behind a token. The authorization server, which keeps the grants, implements it.
 */
export interface GrantRegistry {
  /** Synchronous, from memory: asked on every request of a grant token. */
  status(grantId: string): 'active' | 'revoked' | 'unavailable';
}

/**
 * Registry of a gateway without an authorization server: every grant that a token names counts as revoked.
 */
export const noGrants: GrantRegistry = { status: () => 'revoked' };
