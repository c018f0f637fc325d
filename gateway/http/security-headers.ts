/** Headers of every answer. */
export const SECURITY_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // For answers that are not pages: if a browser opens one as a page, it loads nothing and cannot be framed. Pages
  // set their own policy.
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * Policy of pages that need nothing from elsewhere: own scripts and style sheets only, nothing inline, not framed.
 * `data:` images are the icons inside style sheets.
 */
export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

/**
 * Policy of the consent page, where a password is typed in, and so stricter: style sheets and modules of its own, calls
 * to this origin, no string ever becomes script or markup (Trusted Types), and no form is submitted by the browser.
 */
export const CONSENT_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * Policy of the dashboard: its own scripts and styles, calls and the WebSocket to its own origin, no string ever
 * becomes script or markup. Chromium counts `ws:` of the same host into 'self', other browsers want it named.
 * @param host of the pages, e.g. `tandem.localhost:7391`
 */
export function dashboardCsp(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
