/**
 * Mounts an endpoint for agents (`/mcp`), which answers by itself: body, credential and method are checked here. A 401
 * comes before any other method-dependent answer, because clients use a `GET` to find the authorization server.
 */
import type { IncomingHttpHeaders } from 'node:http';
import compose from 'koa-compose';
import type { AgentEndpoint } from '../call/agent-endpoint.ts';
import type { AnonymousTurns } from '../call/anonymous-turns.ts';
import type { Authenticator } from '../call/authenticator.ts';
import { BusinessError, FrameworkError } from '../call/errors.ts';
import { trustSocket } from '../call/trusted-sockets.ts';
import { AUTH_MESSAGES } from '../contract/errors.ts';
import { compileRoute } from './compiled-route.ts';
import { readJsonBody } from './middleware/body.ts';
import type { Authenticate } from './middleware/credentials.ts';
import type { Check } from './request-state.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const METHODS = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Cookies are the pages' and are not looked at. */
function withoutCookie(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers.cookie === undefined ? headers : { ...headers, cookie: undefined };
}

/** Refuses with 401 who shows no valid credential, with 403 a session: its tokens must not end up in an agent's settings. */
function requireAgent(endpoint: AgentEndpoint, authenticate: Authenticate): Check {
  return async (ctx, next) => {
    const { headers, state } = ctx;
    const found = state.authentication ?? (await authenticate(ctx));
    if (!found.ok) {
      if (headers['x-api-key'] !== undefined) throw new FrameworkError(401, found.message);
      throw new FrameworkError(401, found.message, {
        'www-authenticate': endpoint.challenge(headers.host ?? '', headers.authorization !== undefined),
      });
    }
    trustSocket(ctx.req.socket);
    if (found.principal.kind === 'session')
      throw new FrameworkError(403, AUTH_MESSAGES.methodNotPermitted('session'));
    state.principal = found.principal;
    return next();
  };
}

const requirePost: Check = (ctx, next) => {
  if (ctx.method === 'POST') return next();
  throw new FrameworkError(405, `Cannot ${ctx.method} ${ctx.path}`, { allow: 'POST' });
};

/** JSON-RPC has its own way to say that a body is not JSON. */
function asJsonRpc(read: Check): Check {
  return async (ctx, next) => {
    let isRead = false;
    try {
      await read(ctx, async () => {
        isRead = true;
      });
    } catch (error) {
      if (isRead || !(error instanceof BusinessError)) throw error;
      ctx.state.body = NOT_JSON;
    }
    return next();
  };
}
const NOT_JSON = Symbol('not JSON');

export function mountAgentEndpoint(
  endpoint: AgentEndpoint,
  deps: { readonly authenticator: Authenticator; readonly anonymous: AnonymousTurns },
): { readonly path: string; readonly methods: readonly string[]; readonly enter: Check } {
  const { authenticator, anonymous } = deps;
  const authenticate: Authenticate = ({ headers }) => authenticator.authenticate(withoutCookie(headers));
  const route = compileRoute({
    contract: {
      method: 'POST',
      path: endpoint.path,
      auth: 'K',
      tag: 'Agents',
      summary: '',
      success: { 200: null },
    },
    handle: () => ({}),
  });
  const way = compose<Parameters<Check>[0]>([
    asJsonRpc(readJsonBody({ anonymous, authenticator, authenticate })),
    requireAgent(endpoint, authenticate),
    requirePost,
    (ctx) => answerItself(endpoint, ctx),
  ]);
  return {
    path: endpoint.path,
    methods: METHODS,
    enter: (ctx, next) => {
      const input = { params: undefined, query: undefined, body: undefined };
      const { series } = ctx.state;
      ctx.state = {
        series,
        route,
        body: undefined,
        authentication: null,
        principal: null,
        account: null,
        input,
        reply: {},
      };
      return way(ctx, next);
    },
  };
}

async function answerItself(endpoint: AgentEndpoint, ctx: Parameters<Check>[0]): Promise<void> {
  const { req, res, state } = ctx;
  if (state.principal === null) throw new Error('an agent without a principal');
  ctx.respond = false;
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
  res.setHeader('cache-control', 'no-store');
  const fault = rpcFault(state.body);
  if (fault === null) return endpoint.handle({ principal: state.principal, req, res, body: state.body });
  res.writeHead(400, { 'content-type': 'application/json; charset=utf-8' });
  res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: fault }));
}

/** One call, one decision: a batch (MCP took it out in 2025-06-18) is refused. */
function rpcFault(body: unknown): { readonly code: number; readonly message: string } | null {
  if (body === NOT_JSON || body === undefined) return { code: -32_700, message: 'Parse error: Invalid JSON' };
  if (Array.isArray(body))
    return { code: -32_600, message: 'A batch is not accepted: send one message a request' };
  return null;
}
