/** Addresses that the app opens in the system's browser when a page asks for it. All others are refused. */

/** Sites of documentation and of the components of the app; the gateway's own pages are added at run time. */
const HOSTS: ReadonlySet<string> = new Set([
  'github.com',
  'www.electronjs.org',
  'app.hyperliquid.xyz',
  'app.lighter.xyz',
  'tradingview.com',
  'www.tradingview.com',
]);

/**
 * @param pageOrigin origin of the gateway's own pages (`http://tandem.localhost:7391`), where `/docs` is
 * @returns the address to open, normalised; null: the address is refused
 */
export function outsideLink(text: string, pageOrigin: string | null): string | null {
  // URL parsing strips blanks and control characters: the checked address would not be the written one.
  if (text.length > 2_048 || text !== text.trim() || [...text].some((character) => character <= ' '))
    return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  if (pageOrigin !== null && url.origin === pageOrigin) return url.pathname === '/docs' ? url.href : null;
  if (url.protocol !== 'https:' || url.port !== '' || !HOSTS.has(url.hostname)) return null;
  return url.href;
}

/** Address where an agent's user goes on after a decision, normalised; null: not a web address. */
export function returnAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.username === '' && url.password === '' ? url.href : null;
}
