/** Addresses that this page may go to: the gateway's answer is checked before a code leaves in it. */

/** @param {string} text */
function parse(text) {
  return URL.canParse(text) ? new URL(text) : null;
}

/**
 * True: the address after a sign-in is this very page.
 * @param {string} returnTo
 * @param {{ origin: string, pathname: string }} here
 */
export function isThisPage(returnTo, here) {
  const url = parse(returnTo);
  return url !== null && url.origin === here.origin && url.pathname === here.pathname;
}

/**
 * True: the address after a decision is the request's redirect URI, registered by the client, with the answer's
 * parameters added to its own.
 * @param {string} returnTo
 * @param {{ params: { redirect_uri: string }, client: { redirectUris: readonly string[] } }} interaction
 */
export function isRegisteredRedirect(returnTo, { params, client }) {
  const url = parse(returnTo);
  const registered = parse(params.redirect_uri);
  if (url === null || registered === null || !client.redirectUris.includes(params.redirect_uri)) return false;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return (
    url.origin === registered.origin &&
    url.pathname === registered.pathname &&
    [...registered.searchParams].every(([name, value]) => url.searchParams.getAll(name).includes(value))
  );
}
