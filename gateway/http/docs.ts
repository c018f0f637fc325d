/**
 * The documentation page: swagger-ui from its package, nothing from the network, nothing inline. The page runs on the
 * address of programs (`http://127.0.0.1:7391`), never on the host where a person is signed in. Requests tried out
 * there need an API key or a token and use no cookie: a cookie for 127.0.0.1 would go to every other local port.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PAGE_CSP } from './security-headers.ts';
import { sharedFiles } from './shared-files.ts';

export interface StaticContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Buffer;
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tandem Gateway API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** `validatorUrl: null` keeps the page from asking an outside validator about the document. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    request.credentials = 'omit';
    return request;
  },
});
`;

/** File of the swagger-ui package → content type. No other file of the package is served. */
const PACKAGE_ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_CSP,
};

export function docsPage(): StaticContent {
  return { headers: PAGE_HEADERS, content: PAGE };
}

/** null: the documentation has no asset of that name. */
export async function docsAsset(name: string): Promise<StaticContent | null> {
  if (name === 'start.js')
    return { headers: { 'content-type': 'text/javascript; charset=utf-8' }, content: START_SCRIPT };
  if (!Object.hasOwn(PACKAGE_ASSETS, name)) return null;
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const content = await sharedFiles.read(join(folder, name));
  if (content === null) throw new Error(`${name} is missing in ${folder}`);
  return { headers: { 'content-type': PACKAGE_ASSETS[name] ?? '' }, content };
}
