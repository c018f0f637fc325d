/**
 * Who tries to sign in, as far as it can be told before the password has been checked. It decides whose turn it is where
 * many wait, and nothing else.
 */
export interface SignInCaller {
  /** One connection is one peer: everybody on this machine has the same address. */
  readonly peer: object;
  /** Nobody would read the answer any more. */
  readonly isGone: () => boolean;
  /** This user has signed in from there before. Guesses from elsewhere do not hold up who has. */
  readonly isKnownTo: (userId: string) => boolean;
}

/** A caller inside this program. */
export function callerWithin(): SignInCaller {
  return { peer: {}, isGone: () => false, isKnownTo: () => false };
}
