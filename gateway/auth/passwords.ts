/**
 * Password hashing: argon2id with OWASP's parameters (Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane).
 * The native module is loaded on first use: the first answer of a starting gateway does not need it.
 */

import { type InLine, PeerAttempts, WaitingLine } from './waiting-line.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** No password has this hash; comparing with it takes as long as comparing with a real one. */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Maximum hashes computed at once. Hashing shares its thread pool with the database, so more would let a flood of
 * sign-ins delay the commits of orders. One place is reserved for known callers.
 */
const MAX_CONCURRENT = 2;
const MAX_CONCURRENT_UNKNOWN = 1;
/** Maximum callers that wait for a hash, because each holds a connection open. */
const MAX_WAITING = 256;

export interface Passwords {
  /** PHC string; null: too many callers wait already, or this caller has gone. */
  hash(password: string, caller?: InLine): Promise<string | null>;
  /**
   * With `stored` null the same work is done and the answer is false, so that timing reveals nothing.
   * @returns null: too many callers wait already, or this caller has gone
   */
  verify(stored: string | null, password: string, caller?: InLine): Promise<boolean | null>;
}

/** Caller of password work that the signed-in user or this program itself asks for. */
function knownCaller(): InLine {
  return { peer: {}, isKnown: true, isGone: () => false };
}

/** Compatibility forms typed on different keyboards are one password (NIST SP 800-63B §5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

export function createPasswords(attempts: PeerAttempts = new PeerAttempts()): Passwords {
  const line = new WaitingLine(attempts, MAX_WAITING);
  let running = 0;
  let unknownRunning = 0;

  const hasRoom = ({ isKnown }: Pick<InLine, 'isKnown'>) =>
    running < MAX_CONCURRENT && (isKnown || unknownRunning < MAX_CONCURRENT_UNKNOWN);

  function start({ isKnown }: InLine): void {
    running += 1;
    if (!isKnown) unknownRunning += 1;
  }

  function end({ isKnown }: InLine): void {
    running -= 1;
    if (!isKnown) unknownRunning -= 1;
    // The freed place is handed to the next waiting caller at once, so that no newcomer takes it.
    const next = line.callNext({ onlyKnown: !hasRoom({ isKnown: false }) });
    if (next !== null) start(next);
  }

  async function limited<T>(caller: InLine, task: () => Promise<T>): Promise<T | null> {
    if (hasRoom(caller)) start(caller);
    else if (!(await line.wait(caller))) return null;
    attempts.count(caller.peer);
    try {
      return await task();
    } finally {
      end(caller);
    }
  }

  return {
    hash: (password, caller = knownCaller()) =>
      limited(caller, async () => {
        const argon2 = await import('@node-rs/argon2');
        return argon2.hash(normalise(password), PARAMETERS);
      }),
    verify: (stored, password, caller = knownCaller()) =>
      limited(caller, async () => {
        const argon2 = await import('@node-rs/argon2');
        const matches = await argon2.verify(stored ?? NOBODY, normalise(password));
        return matches && stored !== null;
      }),
  };
}
