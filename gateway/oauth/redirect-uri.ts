/**
 * Redirect URIs of clients. A registered URI is kept and compared as the exact string; registration accepts only URIs
 * that every parser reads the same way.
 */

const MAX_CHARS = 1_024;
/** Printable ASCII without space; `REWRITTEN` has the characters that browsers rewrite or URIs never use. */
const PLAIN = /^https?:\/\/[\x21-\x7e]+$/i;
const REWRITTEN = /[\\"<>^`{|}]/;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' };

/**
 * True: host and path are written as a browser will use them, letter for letter (but for the case of the host). Refused
 * are `http://2130706433/` for 127.0.0.1, `https:///evil.com` for https://evil.com/, and `/a/../b` for /b.
 */
function saysWhatItMeans(uri: string, { protocol, host, pathname }: URL): boolean {
  const [, authority = '', path = ''] = /^[^:]+:\/\/([^/?]*)([^?]*)/.exec(uri) ?? [];
  const written = authority.toLowerCase();
  const isHost = written === host || written === `${host}${DEFAULT_PORTS[protocol]}`;
  return isHost && (path === pathname || path === '');
}

/**
 * Allowed are `https` anywhere and `http` on this machine only; no fragment, no user name; and never the gateway
 * itself, whose own pages would get the code.
 * @param ownHosts authorities that the gateway answers on, port included: `127.0.0.1:7391`
 */
export function isAllowedRedirectUri(uri: string, ownHosts: readonly string[] = []): boolean {
  if (uri.length > MAX_CHARS || !PLAIN.test(uri) || REWRITTEN.test(uri) || uri.includes('#')) return false;
  if (!URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (!saysWhatItMeans(uri, url)) return false;
  if (ownHosts.some((own) => new URL(`http://${own}`).host === url.host)) return false;
  return url.protocol === 'https:' || LOOPBACK.has(url.hostname);
}

/** The URI with parameters added; its registered part stays unchanged, letter for letter. */
export function callbackUri(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) query.set(name, value);
  }
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
