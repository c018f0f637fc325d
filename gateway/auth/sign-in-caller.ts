/**
 * Caller of a sign-in, as far as known before the password has been checked. It decides the caller's place among
 * waiting sign-ins, and nothing else.
 */
export interface SignInCaller {
  /** The connection. An address would not distinguish peers: all programs on this machine share one address. */
  readonly peer: object;
  /** True once the connection has closed, so that nobody would read the answer. */
  readonly isGone: () => boolean;
  /** True: the user has signed in from this device before. Such a caller does not wait behind guesses. */
  readonly isKnownTo: (userId: string) => boolean;
}

/** A caller inside this program, which never waits behind strangers. */
export function callerWithin(): SignInCaller {
  return { peer: {}, isGone: () => false, isKnownTo: () => false };
}
