/**
 * Cookies of sign-ins made for agents' requests, apart from the app's own session: each cookie is sent only for the
 * request that it was given for, and is forgotten with that request.
 */

const PATH = /^\/interaction\/([^/]+)(?:\/|$)/;
/** An open request lives ten minutes at the gateway. */
const LIFETIME_MS = 10 * 60_000;
const MOST = 16;

export interface InteractionCookies {
  /** `name=value` for a request to this path; null: nobody has signed in for it here. */
  of(path: string): string | null;
  /** Keeps the cookie from the `set-cookie` lines of the answer to this path. */
  take(path: string, setCookies: readonly string[]): void;
}

export function createInteractionCookies(): InteractionCookies {
  const cookies = new Map<string, { readonly pair: string; readonly until: number }>();
  return {
    of(path) {
      const kept = cookies.get(PATH.exec(path)?.[1] ?? '');
      return kept !== undefined && performance.now() < kept.until ? kept.pair : null;
    },
    take(path, setCookies) {
      const uid = PATH.exec(path)?.[1];
      const pair = setCookies.map((line) => line.split(';')[0]?.trim() ?? '').find((one) => /=./.test(one));
      if (uid === undefined || pair === undefined) return;
      cookies.delete(uid);
      cookies.set(uid, { pair, until: performance.now() + LIFETIME_MS });
      const [oldest] = cookies.keys();
      if (cookies.size > MOST && oldest !== undefined) cookies.delete(oldest);
    },
  };
}
