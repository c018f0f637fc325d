/** Whether the OAuth grant behind a token still stands. The authorization server keeps the grants and answers this. */
export interface GrantRegistry {
  /** Synchronous, from memory: asked on every request of a grant token. */
  status(grantId: string): 'active' | 'revoked' | 'unavailable';
}

/** A gateway without an authorization server has no grants: whatever a token names has been revoked. */
export const noGrants: GrantRegistry = { status: () => 'revoked' };
