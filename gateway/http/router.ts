/** Finds the route of a request, with @koa/router. */
import Router from '@koa/router';
import compose from 'koa-compose';
import { type CompiledRoute, compileRoute } from './compiled-route.ts';
import type { BoundRoute } from './handler.ts';
import { type ProtocolRoute, protocolHandler } from './protocol.ts';
import type { NoteRefusal } from './refusal-log.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { Check, RouteState } from './request-state.ts';

type Routes = ReturnType<Router<RouteState>['routes']>;

export interface RouterDeps {
  readonly routes: readonly BoundRoute[];
  /** Routes of OAuth; see protocol.ts. */
  readonly protocolRoutes?: readonly ProtocolRoute[];
  readonly metrics: RequestMetrics;
}

/**
 * One router per resource, because a router tries all its routes on every request.
 * @param checks of every contract route, in order; calling the handler and answering are the last of them
 * @throws Error if two routes have the same method and path, which is a bug
 */
export function createRoutes(
  deps: RouterDeps & { readonly noteRefusal: NoteRefusal },
  checks: readonly Check[],
): Routes {
  const resources = new Map<string, ((router: Router<RouteState>) => void)[]>();
  const labels = new Set<string>();
  function register({ method, path }: ProtocolRoute['contract'] | BoundRoute['contract'], ...way: Check[]) {
    const label = `${method} ${path}`;
    if (labels.has(label)) throw new Error(`Route ${label} is declared twice`);
    labels.add(label);
    const series = deps.metrics.route(label);
    const count: Check = (ctx, next) => {
      ctx.state.series = series;
      return next();
    };
    const resource = resources.get(resourceOf(path)) ?? [];
    resources.set(resourceOf(path), resource);
    // The middleware is composed here once: a router would compose a list on every request.
    resource.push((router) => void router.register(path, [method], compose([count, ...way])));
  }
  for (const bound of deps.routes) register(bound.contract, enter(compileRoute(bound)), ...checks);
  for (const route of deps.protocolRoutes ?? [])
    register(route.contract, protocolHandler(route, deps.noteRefusal));

  // A resource's router is made by its first request: patterns of 141 paths would cost every start milliseconds.
  const routers = new Map<string, Routes>();
  function routerOf(resource: string): Routes | undefined {
    const known = routers.get(resource);
    const routes = resources.get(resource);
    if (known !== undefined || routes === undefined) return known;
    const router = new Router<RouteState>({ strict: true, sensitive: true, exclusive: 'specificity' });
    for (const add of routes) add(router);
    const made = router.routes();
    routers.set(resource, made);
    return made;
  }
  return (ctx, next) => routerOf(resourceOf(ctx.path))?.(ctx, next) ?? next();
}

/** First segment of a path: `positions` of `/positions/:id`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

function enter(route: CompiledRoute): Check {
  const { absentBody: body } = route;
  return (ctx, next) => {
    Object.assign(ctx.state, { route, body, authentication: null, principal: null, account: null });
    return next();
  };
}
