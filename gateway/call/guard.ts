/**
 * Check of Host and Origin, before the routing of HTTP and before the WebSocket upgrade. Any page in a browser can
 * reach a loopback port; the exact Host defeats DNS rebinding, the exact Origin defeats cross-site requests.
 * `X-Forwarded-*` is never looked at: there is no proxy in front of a local gateway.
 */
import type { IncomingMessage } from 'node:http';
import { FrameworkError } from './errors.ts';
import { targetAuthority } from './request-target.ts';

/**
 * Exact strings. A list, a set or a function; its content may change later (the port is known only after listening).
 */
export type AllowList =
  | readonly string[]
  | ReadonlySet<string>
  | (() => readonly string[] | ReadonlySet<string>);

export interface Guard {
  /** Check of every HTTP request. null: the request may pass. */
  check(req: IncomingMessage): FrameworkError | null;
  /**
   * Check of a WebSocket upgrade: like `check`. In addition a given Origin must be the gateway's own, although the
   * request is a GET.
   */
  checkUpgrade(req: IncomingMessage): FrameworkError | null;
  /**
   * Check of a state-changing request that is authenticated by a cookie: only the gateway's own pages may send it.
   */
  checkCookieMutation(req: IncomingMessage): FrameworkError | null;
}

function contains(list: readonly string[] | ReadonlySet<string>, value: string): boolean {
  return 'has' in list ? list.has(value) : list.includes(value);
}

function membership(list: AllowList): (value: string) => boolean {
  return typeof list === 'function' ? (value) => contains(list(), value) : (value) => contains(list, value);
}

/** Number of Host headers, counted in the raw list because Node silently keeps the first of several. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

function isMutation(method: string | undefined): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** True: a page of another origin sent the request. `Sec-Fetch-Site` tells even without an Origin. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** `hosts` with their port (`127.0.0.1:7391`), `origins` as browsers send them (`http://tandem.localhost:7391`). */
export function createGuard(options: { readonly hosts: AllowList; readonly origins: AllowList }): Guard {
  const isHost = membership(options.hosts);
  const isOrigin = membership(options.origins);

  function checkHost(req: IncomingMessage): FrameworkError | null {
    const host = req.headers.host;
    const count = hostCount(req.rawHeaders);
    if (count > 1) return new FrameworkError(400, 'More than one Host header');
    if (host === undefined || host === '') return new FrameworkError(400, 'Missing Host header');
    if (!isHost(host)) return new FrameworkError(421, 'This host is not served here');
    const authority = targetAuthority(req.url ?? '/');
    if (authority !== null && authority !== host)
      return new FrameworkError(421, 'This host is not served here');
    return null;
  }

  function checkOrigin(req: IncomingMessage): FrameworkError | null {
    const { origin } = req.headers;
    if (origin === undefined ? !isFromElsewhere(req) : isOrigin(origin)) return null;
    return new FrameworkError(403, 'Requests from this origin are not accepted');
  }

  return {
    check(req) {
      return checkHost(req) ?? (isMutation(req.method) ? checkOrigin(req) : null);
    },
    checkUpgrade(req) {
      return checkHost(req) ?? checkOrigin(req);
    },
    checkCookieMutation(req) {
      const { origin } = req.headers;
      if (origin !== undefined && isOrigin(origin) && req.headers['sec-fetch-site'] === 'same-origin')
        return null;
      return new FrameworkError(403, 'A session cookie is accepted from pages of this gateway only');
    },
  };
}
