/** The HTTP side of the gateway: a Koa application as one request listener. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import { AnonymousTurns } from './anonymous-turns.ts';
import { type CompiledRoute, compileRoute } from './compiled-route.ts';
import type { Guard } from './guard.ts';
import { type AccountDirectory, type Authenticator, type BoundRoute, FrameworkError } from './handler.ts';
import { readJsonBody } from './middleware/body.ts';
import { createAuthenticate, requireCredential, requirePermission } from './middleware/credentials.ts';
import { answerErrors } from './middleware/errors.ts';
import { callHandler, present } from './middleware/handler-call.ts';
import { requireTradeAccount } from './middleware/trade-account.ts';
import { validateInput } from './middleware/validation.ts';
import { type ProtocolRoute, protocolHandler } from './protocol.ts';
import { createRefusalLog } from './refusal-log.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { Check, RouteState } from './request-state.ts';
import { originForm, pathOf } from './request-target.ts';

export interface HttpAppDeps {
  readonly routes: readonly BoundRoute[];
  /** OAuth and the like; see protocol.ts. */
  readonly protocolRoutes?: readonly ProtocolRoute[];
  readonly authenticator: Authenticator;
  /** Default: no session is bound to a key. */
  readonly authenticateProof?: Parameters<typeof createAuthenticate>[1];
  readonly accounts: AccountDirectory;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  /** Shared with the WebSocket. Default: its own. */
  readonly anonymous?: AnonymousTurns;
  /** Value of `WWW-Authenticate` on a 401. Default `Bearer`. */
  readonly bearerChallenge?: () => string;
}

type Routes = ReturnType<Router<RouteState>['routes']>;

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * The order of the checks is that of the two lists: host and origin come before a route is looked for, and a request with
 * two faults is answered for the first.
 */
export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const { guard, metrics, authenticator, logger, anonymous = new AnonymousTurns() } = deps;
  const noteRefusal = createRefusalLog(deps);
  const authenticate = createAuthenticate(
    authenticator,
    deps.authenticateProof ?? (async (headers) => authenticator.authenticate(headers)),
  );
  const checks: readonly Check[] = [
    readJsonBody({ anonymous, authenticator, authenticate }),
    requireCredential({ authenticate, guard, challenge: deps.bearerChallenge ?? (() => 'Bearer') }),
    requirePermission,
    requireTradeAccount(deps.accounts),
    validateInput,
    callHandler(anonymous),
    present,
  ];
  const resources = new Map<string, Router<RouteState>>();
  const labels = new Set<string>();
  function register({ method, path }: BoundRoute['contract'] | ProtocolRoute['contract'], ...way: Check[]) {
    const label = `${method} ${path}`;
    if (labels.has(label)) throw new Error(`Route ${label} is declared twice`);
    labels.add(label);
    const resource = resourceOf(path);
    const router =
      resources.get(resource) ?? new Router({ strict: true, sensitive: true, exclusive: 'specificity' });
    resources.set(resource, router);
    const series = metrics.route(label);
    const count: Check = (ctx, next) => {
      ctx.state.series = series;
      return next();
    };
    router.register(path, [method], [count, ...way]);
  }
  for (const bound of deps.routes) register(bound.contract, enter(compileRoute(bound)), ...checks);
  for (const route of deps.protocolRoutes ?? [])
    register(route.contract, protocolHandler(route, noteRefusal));

  const app = new Koa();
  app.use(answerErrors({ ...deps, noteRefusal }));
  app.use(checkHostAndOrigin(guard));
  app.use(routeByResource(resources));
  app.use(refuseUnknownPath);
  app.on('error', (error: Error & { readonly headerSent?: boolean }) => {
    // Of a connection that its client has cut, nothing is wrong here.
    logger[error.headerSent === true ? 'debug' : 'error'](
      { err: error },
      'A request failed outside its route',
    );
  });
  const handle = app.callback();
  return (req, res) => {
    anonymous.run(
      req.socket,
      () => void handle(req, res),
      () => authenticator.knows?.(req.headers) === true,
    );
  };
}

/** Behind this a target is in origin form. */
function checkHostAndOrigin(guard: Guard): Middleware {
  return (ctx, next) => {
    const refusal = guard.check(ctx.req);
    ctx.url = originForm(ctx.url);
    if (refusal !== null) throw refusal;
    return ctx.url.startsWith('/') ? next() : refuseUnknownPath(ctx);
  };
}

/** `positions` of `/positions/:id`. */
function resourceOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** A router tries every route that it has on every request, so each resource has its own. */
function routeByResource(resources: ReadonlyMap<string, Router<RouteState>>): Routes {
  const routes = new Map([...resources].map(([name, router]) => [name, router.routes()]));
  return (ctx, next) => routes.get(resourceOf(ctx.path))?.(ctx, next) ?? next();
}

function refuseUnknownPath({ method, url }: Pick<Context, 'method' | 'url'>): never {
  throw new FrameworkError(404, `Cannot ${method} ${pathOf(url)}`);
}

function enter(route: CompiledRoute): Check {
  const { absentBody: body } = route;
  return (ctx, next) => {
    Object.assign(ctx.state, { route, body, authentication: null, principal: null, account: null });
    return next();
  };
}
