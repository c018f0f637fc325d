/**
 * Password hashing: argon2id with OWASP's parameters (Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane).
 * The native module is loaded on first use: the first answer of a starting gateway does not need it.
 */

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** No password has this hash; comparing with it takes as long as comparing with a real one. */
const NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Hashing runs on the thread pool that the database uses too. More than this many at once would let a flood of
 * sign-ins delay the commits of orders.
 */
const MAX_CONCURRENT = 2;

export interface Passwords {
  /** PHC string. */
  hash(password: string): Promise<string>;
  /** `stored` null: the same work is done and the answer is false. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** Compatibility forms typed on different keyboards are one password (NIST SP 800-63B §5.1.1.2). */
function normalise(password: string): string {
  return password.normalize('NFKC');
}

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function limited<T>(task: () => Promise<T>): Promise<T> {
    if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash: (password) =>
      limited(async () => {
        const argon2 = await import('@node-rs/argon2');
        return argon2.hash(normalise(password), PARAMETERS);
      }),
    verify: (stored, password) =>
      limited(async () => {
        const argon2 = await import('@node-rs/argon2');
        const matches = await argon2.verify(stored ?? NOBODY, normalise(password));
        return matches && stored !== null;
      }),
  };
}
