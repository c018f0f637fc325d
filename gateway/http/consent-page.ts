/**
 * The files of the consent page, in `consent/` beside this file (beside the bundle in `dist/`). The files are served
 * unchanged: the page that people sign in on can be read in the repository as the browser runs it.
 */
import type { StaticContent } from './docs.ts';
import { CONSENT_CSP } from './security-headers.ts';
import { sharedFiles } from './shared-files.ts';

const FOLDER = new URL('./consent/', import.meta.url);

/** Served file → content type. No other file of the folder is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'arming.js': 'text/javascript; charset=utf-8',
  'consent.css': 'text/css; charset=utf-8',
  'consent.js': 'text/javascript; charset=utf-8',
  'countdown.js': 'text/javascript; charset=utf-8',
  'decision-screen.js': 'text/javascript; charset=utf-8',
  'interaction-api.js': 'text/javascript; charset=utf-8',
  'key-proof.js': 'text/javascript; charset=utf-8',
  'limits-form.js': 'text/javascript; charset=utf-8',
  'limits.js': 'text/javascript; charset=utf-8',
  'login-screen.js': 'text/javascript; charset=utf-8',
  'plain-words.js': 'text/javascript; charset=utf-8',
  'return-address.js': 'text/javascript; charset=utf-8',
  'screens.js': 'text/javascript; charset=utf-8',
  'tokens.css': 'text/css; charset=utf-8',
  'waiting.js': 'text/javascript; charset=utf-8',
  'wallet.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
};

async function read(name: string): Promise<Buffer> {
  const content = await sharedFiles.read(new URL(name, FOLDER));
  if (content === null) throw new Error(`${name} of the consent page is missing`);
  return content;
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONSENT_CSP,
  'cache-control': 'no-store',
};

/** `waiting.html` tells that the desktop app shows the request. */
export async function consentPage(name: 'consent.html' | 'waiting.html'): Promise<StaticContent> {
  return { headers: PAGE_HEADERS, content: await read(name) };
}

/** null: the page has no asset of that name. */
export async function consentAsset(name: string): Promise<StaticContent | null> {
  if (!Object.hasOwn(ASSETS, name)) return null;
  return {
    headers: { 'content-type': ASSETS[name] ?? '' },
    content: await read(name),
  };
}
