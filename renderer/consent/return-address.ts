/** Addresses that this page may go to: the gateway's answer is checked before a code leaves in it. */

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** True: the address after a sign-in is this very page. */
export function isThisPage(
  returnTo: string,
  here: { readonly origin: string; readonly pathname: string },
): boolean {
  const url = parse(returnTo);
  return url !== null && url.origin === here.origin && url.pathname === here.pathname;
}

/**
 * True: the address after a decision is the request's redirect URI, registered by the client, with the answer's
 * parameters added to its own.
 */
export function isRegisteredRedirect(
  returnTo: string,
  redirectUri: string,
  registeredUris: readonly string[],
): boolean {
  const url = parse(returnTo);
  const registered = parse(redirectUri);
  if (url === null || registered === null || !registeredUris.includes(redirectUri)) return false;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return (
    url.origin === registered.origin &&
    url.pathname === registered.pathname &&
    [...registered.searchParams].every(([name, value]) => url.searchParams.getAll(name).includes(value))
  );
}
