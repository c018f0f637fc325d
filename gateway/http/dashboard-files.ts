/**
 * The files of the dashboard, made by `vite build` into `dist/renderer`: beside the bundle, or two folders up when
 * the gateway runs from its sources. Files are read on request, so an update is served at once and start-up reads
 * none.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { StaticContent } from './docs.ts';
import { dashboardCsp } from './security-headers.ts';
import { sharedFiles } from './shared-files.ts';

const FOLDER = new URL(
  import.meta.url.endsWith('.cjs') ? './renderer/' : '../../dist/renderer/',
  import.meta.url,
);

/** Extension → content type. Files with other extensions are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** File names as the bundler makes them: words, then the hash of the content. */
const ASSET_NAME = /^[\w-]+(\.[\w-]+)*\.\w+$/;
/** Compressed forms that `build/compressed-files.mjs` puts beside a file, the smallest first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;
/** Assets never expire: the name of a file changes with its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tandem</title></head>
<body><h1>The dashboard is not built</h1><p>Run <code>npm run build</code>, then load this page again.</p></body>
</html>
`;

const read = (name: string) => sharedFiles.read(new URL(name, FOLDER));

export interface DashboardPage {
  /** Strong entity tag over the page and its content security policy. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer | string;
}

/**
 * The page, which browsers revalidate each time and receive only if their copy differs.
 * @param host of the pages, e.g. `tandem.localhost:7391`
 */
export async function dashboardPage(host: string): Promise<DashboardPage> {
  const content = (await read('index.html')) ?? NOT_BUILT;
  const policy = dashboardCsp(host);
  const tag = `"${createHash('sha256').update(policy).update(content).digest('base64url')}"`;
  return {
    tag,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      etag: tag,
    },
    content,
  };
}

/** @param accepted the request's `Accept-Encoding` @returns null: the dashboard has no such asset */
export async function dashboardAsset(
  name: string,
  accepted: string | undefined,
): Promise<StaticContent | null> {
  const type = CONTENT_TYPES[extname(name)];
  if (type === undefined || !ASSET_NAME.test(name)) return null;
  const headers = { 'content-type': type, 'cache-control': FOR_GOOD, vary: 'accept-encoding' };
  for (const encoding of ENCODINGS) {
    if (!accepts(accepted, encoding.name)) continue;
    const content = await read(`assets/${name}${encoding.extension}`);
    if (content !== null) return { headers: { ...headers, 'content-encoding': encoding.name }, content };
  }
  const content = await read(`assets/${name}`);
  return content === null ? null : { headers, content };
}

/** True: `Accept-Encoding` lists the encoding; `br;q=0` excludes it. */
function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((one) => {
    const [name = '', weight = ''] = one.split(';');
    return name.trim().toLowerCase() === encoding && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
  });
}
