/** Allowed addresses of news: https, and http to this machine alone. */
import { fail, ok, type Result } from '../domain/result.ts';

const MAX_CHARS = 2_048;
const LOOPBACK_V4 = /^127(\.\d{1,3}){3}$/;

/** True: the host of a parsed URL is this machine. */
function isLoopback(hostname: string): boolean {
  return (
    LOOPBACK_V4.test(hostname) ||
    hostname === '[::1]' ||
    hostname === 'localhost' ||
    hostname.endsWith('.localhost')
  );
}

/** @returns the address as it is kept, or why it is refused */
export function checkAddress(text: string): Result<URL, string> {
  if (text.length > MAX_CHARS) return fail(`Must be at most ${MAX_CHARS} characters`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return fail('Must be an address such as https://example.com/hook');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return fail('Must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') return fail('Must not hold a user name or a password');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return fail('http is for this machine alone (127.0.0.1, [::1], localhost): anywhere else needs https');
  url.hash = '';
  return ok(url);
}

/** The same for a server whose own paths are appended: nothing may stand behind its host and path. */
export function checkServer(text: string, official: readonly string[]): Result<URL, string> {
  const checked = checkAddress(text);
  if (!checked.ok) return checked;
  const { value: url } = checked;
  if (url.search !== '') return fail('Must not have a query');
  if (official.length > 0 && url.protocol === 'https:' && !official.includes(url.host))
    return fail(`Must be ${official.map((host) => `https://${host}`).join(' or ')}, or http to this machine`);
  return ok(url);
}
