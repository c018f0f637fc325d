/**
 * Everything that `app://tandem` answers, as one function from request to response: the dashboard's files, and for all
 * other paths the gateway, with the session attached here. The page itself holds no token and no address.
 */
import { SETUP_CODE_HEADER, SHELL_ORIGIN } from '../../gateway/contract/shell-identity.ts';
import { isRewritten, REFRESH_PATH, rewriteAnswer } from './answer-for-page.ts';
import { pageHeaders } from './content-policy.ts';
import type { Forward, GatewayAnswer } from './forward.ts';
import { createInteractionCookies } from './interaction-cookies.ts';
import { createRenewal, type Renewal } from './renew-session.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { StaticFile, StaticFiles } from './static-files.ts';

export interface GatewayPlace {
  readonly url: string;
  readonly pageOrigin: string;
  /** Code that the gateway's first user needs: the person at the app's window may become that user. */
  readonly setupCode?: string | null;
}

export interface PageHandlerDeps {
  /** Files of the dashboard. */
  readonly files: StaticFiles;
  /** Files of the page in the dashboard's place until there is a gateway. */
  readonly starting: StaticFiles;
  readonly forward: Forward;
  readonly session: SessionKeeper;
  /** The gateway once it accepts orders; null: it did not within a reasonable time. */
  readonly gateway: (signal: AbortSignal) => Promise<GatewayPlace | null>;
  /** The gateway's present place, for the content policy of a page. */
  readonly gatewayNow: () => GatewayPlace | null;
  /** Called after a decision on an agent's request, with the only address that may be opened for the request. */
  readonly decided: (returnTo: string) => void;
  readonly userAgent: string;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const STARTING_FILES = '/starting/';
const MAX_BODY_BYTES = 1024 * 1024;
/** Headers of a page's request that reach the gateway. Cookies, credentials and origins are set here. */
const PASSED_ON = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-trade-account-id',
];
/**
 * Headers of the gateway's answer that do not reach a page; lengths and encodings belong to the connection.
 */
const KEPT_BACK = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
  'upgrade',
]);

export function createPageHandler(deps: PageHandlerDeps): (request: Request) => Promise<Response> {
  const renew = createRenewal(deps.forward, deps.session);
  const interactions = createInteractionCookies();

  return async (request) => {
    const url = new URL(request.url);
    const from = request.headers.get('origin');
    if (`${url.protocol}//${url.host}` !== SHELL_ORIGIN || url.username !== '' || url.password !== '')
      return refusal(404, 'Not Found', 'There is nothing here');
    if (from !== null && from !== SHELL_ORIGIN)
      return refusal(403, 'Forbidden', 'Requests from this origin are not accepted');
    if (!METHODS.has(request.method))
      return refusal(405, 'Method Not Allowed', `Cannot ${request.method} here`);
    const own = isRead(request.method) ? await ownFile(url.pathname) : null;
    return own ?? (await ask(request, url));
  };

  async function ownFile(pathname: string): Promise<Response | null> {
    if (pathname.startsWith(STARTING_FILES)) {
      const file = await deps.starting.read(pathname.slice(STARTING_FILES.length));
      return file === null ? refusal(404, 'Not Found', 'There is no such file') : page(file, null);
    }
    if (pathname !== '/' && pathname !== '/app' && !pathname.startsWith('/app/')) return null;
    // `/app/start` is the dashboard's first request, not a page: the gateway answers it.
    if (pathname === '/app/start') return null;
    const name = fileName(pathname);
    if (name === null) return refusal(404, 'Not Found', 'There is no such file');
    const file = await deps.files.read(name);
    if (file !== null && name !== 'index.html')
      return new Response(file.content, {
        headers: {
          ...pageHeaders(null),
          'content-type': file.type,
          'cache-control': 'public, max-age=31536000, immutable',
        },
      });
    if (name.startsWith('assets/')) return refusal(404, 'Not Found', 'There is no such file');
    const place = deps.gatewayNow();
    const index = await (place === null ? deps.starting : deps.files).read('index.html');
    if (index === null) return refusal(404, 'Not Found', 'The dashboard is not part of this installation');
    return page(index, realtimeOrigin(place));
  }

  async function ask(request: Request, url: URL): Promise<Response> {
    const body = await bodyOf(request);
    if (body === 'too large') return refusal(413, 'Payload Too Large', 'The request is too large');
    const place = await deps.gateway(request.signal);
    // Nothing was sent to the gateway, and the answer says so.
    if (place === null)
      return refusal(503, 'Service Unavailable', 'The gateway is starting; nothing was sent');
    let answer: GatewayAnswer;
    try {
      if (request.method === 'POST' && url.pathname === REFRESH_PATH)
        return presentRenewal(await renew(place.url, ownHeaders(place)));
      answer = await deps.forward(place.url, {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...passedOn(request), ...(await credential(url.pathname, place)), ...ownHeaders(place) },
        body,
        signal: request.signal,
      });
    } catch {
      // The outcome is unknown, as with every lost connection: the page must see a lost connection, not an answer.
      return Response.error();
    }
    return present(answer, request.method, url.pathname, place);
  }

  /**
   * The app's session, renewed where necessary; for an agent's request with a sign-in of its own, that sign-in.
   */
  async function credential(path: string, place: GatewayPlace): Promise<Record<string, string>> {
    const cookie = interactions.of(path);
    if (cookie !== null) return { cookie };
    if (deps.session.accessToken() === null && deps.session.refreshToken() !== null)
      await renew(place.url, ownHeaders(place));
    const token = deps.session.accessToken();
    return token === null ? {} : { authorization: `Bearer ${token}` };
  }

  function ownHeaders(place: GatewayPlace): Record<string, string> {
    return {
      ...(place.setupCode ? { [SETUP_CODE_HEADER]: place.setupCode } : {}),
      host: new URL(place.pageOrigin).host,
      origin: place.pageOrigin,
      'sec-fetch-site': 'same-origin',
      'user-agent': deps.userAgent,
    };
  }

  async function present(
    answer: GatewayAnswer,
    method: string,
    path: string,
    place: GatewayPlace,
  ): Promise<Response> {
    const { status } = answer;
    const cookies = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value);
    interactions.take(path, cookies);
    if (method === 'POST' && path === '/auth/logout' && status === 204) deps.session.end();
    const headers = new Headers();
    for (const [name, value] of answer.headers) if (!KEPT_BACK.has(name)) headers.append(name, value);
    if (status === 204 || status === 304 || method === 'HEAD') {
      await answer.body.cancel();
      return new Response(null, { status, headers });
    }
    if (!isRewritten(method, path)) return new Response(answer.body, { status, headers });
    const text = await new Response(answer.body).text();
    const rewritten = rewriteAnswer(path, text, place.pageOrigin);
    if (rewritten.tokens !== null && status < 300) await deps.session.keep(rewritten.tokens);
    if (rewritten.returnTo !== null) deps.decided(rewritten.returnTo);
    return new Response(rewritten.text, { status, headers });
  }
}

function passedOn(request: Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/**
 * Answer to a page's renewal in the form of the gateway's own, without the tokens, which the page must not have.
 */
function presentRenewal(renewal: Renewal): Response {
  if (renewal === 'ended') return refusal(401, 'Unauthorized', 'Invalid or expired refresh token');
  if (renewal === 'failed') return refusal(500, 'Internal Server Error', 'The session was not renewed');
  return Response.json(
    { accessToken: '', refreshToken: '', expiresIn: 0 },
    { headers: { 'cache-control': 'no-store' } },
  );
}

function page(file: StaticFile, realtime: string | null): Response {
  return new Response(file.content, {
    headers: { ...pageHeaders(realtime), 'content-type': file.type, 'cache-control': 'no-store' },
  });
}

/** `/app/assets/x.js` → `assets/x.js`; null: a path that leads elsewhere or is malformed. */
function fileName(pathname: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const isOdd = [...path].some((character) => character < ' ' || character === '\\');
  if (isOdd || path.split('/').some((part) => part === '..' || part === '.')) return null;
  const name = path.replace(/^\/(app(\/|$))?/, '');
  return name === '' ? 'index.html' : name;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function bodyOf(request: Request): Promise<Uint8Array | null | 'too large'> {
  if (isRead(request.method) || request.body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `ws://127.0.0.1:7391` */
export function realtimeOrigin(place: GatewayPlace | null): string | null {
  return place === null ? null : place.url.replace(/^http/, 'ws');
}

/** Refusal in the framework shape of the gateway's errors, which the dashboard knows. */
function refusal(status: number, error: string, message: string): Response {
  return new Response(JSON.stringify({ message, error, statusCode: status }), {
    status,
    headers: {
      ...pageHeaders(null),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}
