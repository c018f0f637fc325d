/** A user's session, as the gateway holds it. Times are epoch milliseconds. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 hex of the current refresh token. A session bound to a key has one too, but nobody was given it. */
  readonly refreshHash: string;
  /**
   * RFC 7638 thumbprint of the key that the session is bound to; null: holding the session's tokens or cookie is
   * enough.
   */
  readonly keyThumbprint: string | null;
  readonly userAgent: string | null;
  readonly ip: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** End of the refresh window; for a session bound to a key, its latest possible end, which is fixed. */
  readonly expiresAt: number;
}
