/**
 * Credentials: an API key, the tokens of a session, or the session cookie of a browser. Key-bound sessions of pages:
 * bound-session.ts.
 */
import { Refusal } from './errors.ts';
import type { Answer } from './route-types.ts';

export type SessionTokens = Answer<'POST /auth/session/refresh'>;

export interface Credentials {
  headers(): Readonly<Record<string, string>>;
  /** True: requests carry cookies. */
  readonly withCookies: boolean;
  /**
   * Renews the credential after a 401 on a request with the headers `used`. False: the 401 is final. Requests that
   * fail together share one renewal.
   */
  renew(used: Readonly<Record<string, string>>): Promise<boolean>;
  /** Called before each request that may need a credential. */
  prepare?(): Promise<void>;
  /** Called with each successful answer. */
  answered?(route: string, body: unknown): void;
  /** Content of the `auth` message of the WebSocket; null: none is sent. */
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

/** An API key is never renewed: a 401 means that it is revoked or has ended. */
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
      // The old pair is void, even if `keep` fails.
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
 * In a browser: the browser sends the cookie, and the answer to the refresh renews it.
 * @param ticket buys a ticket for a WebSocket to another origin, where the cookie does not go; null: the cookie goes
 *   along
 */
export function cookieCredentials(refresh: Refresh, ticket: (() => Promise<string>) | null): Credentials {
  return {
    headers: () => ({}),
    withCookies: true,
    renew: oneAtATime(() => refresh()),
    realtime: ticket === null ? () => null : async () => ({ ticket: await ticket() }),
  };
}

/** One renewal at a time: callers during a renewal get its result. False: refused. Rejects if no answer came. */
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
