/**
 * Devices from which a user has signed in before. A sign-in from one does not wait behind strangers who guess the
 * user's password (`login-throttle.ts`, `passwords.ts`); the password is still asked.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticator } from '../call/authenticator.ts';
import type { SessionCookies } from './session-cookie.ts';

interface DeviceRequest {
  readonly headers: IncomingHttpHeaders;
  /** The connection on which the request came. */
  readonly connection: object;
}

export type KnownDevice = (request: DeviceRequest, userId: string) => boolean;

export interface KnownDevices {
  readonly isKnown: KnownDevice;
  signedIn(connection: object, userId: string): void;
}

export function createKnownDevices(parts: {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly cookies: Pick<SessionCookies, 'read'>;
}): KnownDevices {
  const { authenticator, cookies } = parts;
  const usersOn = new WeakMap<object, Set<string>>();

  /** True: the request has an API key or a session of the user. An agent's grant does not count. */
  function hasCredential(headers: IncomingHttpHeaders, userId: string): boolean {
    if (headers['x-api-key'] === undefined && headers.authorization === undefined) return false;
    const answer = authenticator.authenticate(headers);
    if (answer instanceof Promise || !answer.ok) return false;
    return answer.principal.kind !== 'oauth_grant' && answer.principal.userId === userId;
  }

  return {
    isKnown(request, userId) {
      return (
        usersOn.get(request.connection)?.has(userId) === true ||
        hasCredential(request.headers, userId) ||
        // The cookie of an ended session counts too: users sign in again precisely because their session has ended.
        cookies.read(request.headers)?.kind === 'session'
      );
    },
    signedIn(connection, userId) {
      const users = usersOn.get(connection) ?? new Set();
      usersOn.set(connection, users.add(userId));
    },
  };
}
