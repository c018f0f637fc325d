/**
 * The files of the consent page, made by `vite build` out of `renderer/consent/` into `dist/consent`: beside the bundle,
 * or two folders up when the gateway runs from its sources.
 */
import type { StaticContent } from './docs.ts';
import { CONSENT_CSP } from './security-headers.ts';
import { sharedFiles } from './shared-files.ts';

const FOLDER = new URL(
  import.meta.url.endsWith('.cjs') ? './consent/' : '../../dist/consent/',
  import.meta.url,
);

/** Served file → content type. No other file of the folder is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'consent.css': 'text/css; charset=utf-8',
  'consent.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
  'parts.js': 'text/javascript; charset=utf-8',
  'rolldown-runtime.js': 'text/javascript; charset=utf-8',
  'waiting.js': 'text/javascript; charset=utf-8',
};

async function read(name: string): Promise<Buffer> {
  const content = await sharedFiles.read(new URL(name, FOLDER));
  if (content === null) throw new Error(`${name} of the consent page is missing: npm run build`);
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
    content: await read(`assets/${name}`),
  };
}
