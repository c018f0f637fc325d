/**
 * Where a client may be sent back to. A registered URI is kept and compared as the exact string; what is accepted at
 * registration is narrow enough that every parser reads that string the same way.
 */

const MAX_CHARS = 1_024;
/** Printable ASCII without what browsers rewrite or strip (space, control, backslash) or never meant literally. */
const PLAIN = /^https?:\/\/[\x21-\x7e]+$/i;
const REWRITTEN = /[\\"<>^`{|}]/;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `https` anywhere, `http` on this machine only; no fragment, no user name. */
export function isAllowedRedirectUri(uri: string): boolean {
  if (uri.length > MAX_CHARS || !PLAIN.test(uri) || REWRITTEN.test(uri) || uri.includes('#')) return false;
  const authority = uri.slice(uri.indexOf('//') + 2).split(/[/?]/, 1)[0] ?? '';
  if (authority.includes('@') || !URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

/** The URI with parameters added; everything that was registered stays as it is, letter for letter. */
export function callbackUri(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) query.set(name, value);
  }
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}
