/** Who calls: an API key, the tokens of a session, or the session cookie of a browser. A page's own: bound-session.ts. */
import { Refusal } from './errors.ts';
import type { Answer } from './route-types.ts';

export type SessionTokens = Answer<'POST /auth/session/refresh'>;

export interface Credentials {
  headers(): Readonly<Record<string, string>>;
  /** Whether cookies travel. */
  readonly withCookies: boolean;
  /**
   * After a 401 for a request that had `used` as its headers. False: it was the last word.
   * Requests that fail together renew once.
   */
  renew(used: Readonly<Record<string, string>>): Promise<boolean>;
  /** Before each request to a route that needs somebody. */
  prepare?(): Promise<void>;
  /** Each answer of success. */
  answered?(route: string, body: unknown): void;
  /** What the `auth` message of the WebSocket carries; null: none is sent. */
  realtime(): RealtimeProof | Promise<RealtimeProof>;
}

type RealtimeProof = Readonly<Record<string, string>> | null;

/** No credential: public routes only. */
export const anonymous: Credentials = {
  headers: () => ({}),
  withCookies: false,
  renew: async () => false,
  realtime: () => null,
};

/** A key is never renewed: it is revoked, or it has ended. */
export function apiKeyCredentials(key: string): Credentials {
  const headers = { 'x-api-key': key };
  return {
    headers: () => headers,
    withCookies: false,
    renew: async () => false,
    realtime: () => ({ apiKey: key }),
  };
}

/** Exchanges a refresh token (absent: the cookie's session) for a new pair. */
export type Refresh = (refreshToken?: string) => Promise<SessionTokens>;

/**
 * @param keep called with each new pair before it is used. A refresh token works once, and presenting it again ends the
 *   session, so a bot that keeps its tokens over a restart writes them down here.
 */
export function sessionCredentials(
  tokens: Pick<SessionTokens, 'accessToken' | 'refreshToken'>,
  refresh: Refresh,
  keep: (tokens: SessionTokens) => void | Promise<void>,
): Credentials {
  let current = tokens;
  const headers = () => ({ authorization: `Bearer ${current.accessToken}` });
  const renewOnce = oneAtATime(async () => {
    const next = await refresh(current.refreshToken);
    try {
      await keep(next);
    } finally {
      // The old pair works no more, kept or not.
      current = next;
    }
  });
  return {
    headers,
    withCookies: false,
    renew: (used) =>
      used['authorization'] === headers().authorization ? renewOnce() : Promise.resolve(true),
    realtime: () => ({ token: current.accessToken }),
  };
}

/**
 * In a browser: the cookie is sent by it and renewed by the answer to the refresh.
 * @param ticket buys a ticket for a WebSocket to another origin, where the cookie does not go; null: it goes by itself
 */
export function cookieCredentials(refresh: Refresh, ticket: (() => Promise<string>) | null): Credentials {
  return {
    headers: () => ({}),
    withCookies: true,
    renew: oneAtATime(() => refresh()),
    realtime: ticket === null ? () => null : async () => ({ ticket: await ticket() }),
  };
}

/** Callers that come while it runs get the same outcome. A refused refresh is `false`; no answer is the caller's error. */
export function oneAtATime(renew: () => Promise<unknown>, refused = () => {}): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    running ??= renew()
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Refusal) || (error.status !== 401 && error.status !== 403)) throw error;
          refused();
          return false;
        },
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
}
