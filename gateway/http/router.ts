/** Finds the route of a request: by its name where the path is fixed, with @koa/router where it has parameters. */
import Router from '@koa/router';
import compose from 'koa-compose';
import type { BoundRoute } from '../call/call.ts';
import { type CompiledRoute, compileRoute, type Input } from './compiled-route.ts';
import { type ProtocolRoute, protocolHandler } from './protocol.ts';
import type { NoteRefusal } from './refusal-log.ts';
import type { RequestMetrics, RouteSeries } from './request-metrics.ts';
import type { Check, RouteState } from './request-state.ts';

const NO_INPUT: Input = { params: undefined, query: undefined, body: undefined };

type Routes = ReturnType<Router<RouteState>['routes']>;

interface Mount {
  readonly path: string;
  readonly methods: readonly string[];
  readonly enter: Check;
}

export interface RouterDeps {
  readonly routes: readonly BoundRoute[];
  /** Routes of OAuth; see protocol.ts. */
  readonly protocolRoutes?: readonly ProtocolRoute[];
  /** Endpoints that answer all methods of a path themselves; see agent-mount.ts. */
  readonly mounts?: readonly Mount[];
  readonly metrics: RequestMetrics;
}

/**
 * A fixed path beats every pattern, so it is looked up by its name: a router would try all its patterns on it, which
 * takes a tenth of an acknowledgement. One router per resource, because a router tries all its routes on every request.
 * @param checks of every contract route, in order; calling the handler and answering are the last of them
 * @throws Error if two routes have the same method and path, which is a bug
 */
export function createRoutes(
  deps: RouterDeps & { readonly noteRefusal: NoteRefusal },
  checks: readonly Check[],
): Routes {
  const fixed = new Map<string, Check>();
  const resources = new Map<string, ((router: Router<RouteState>) => void)[]>();
  const labels = new Set<string>();
  function register({ method, path }: ProtocolRoute['contract'] | BoundRoute['contract'], ...way: Check[]) {
    const label = `${method} ${path}`;
    if (labels.has(label)) throw new Error(`Route ${label} is declared twice`);
    labels.add(label);
    // The middleware is composed here once: a router would compose a list on every request.
    const composed = compose(way);
    if (!path.includes(':')) {
      fixed.set(label, composed);
      if (method === 'GET') fixed.set(`HEAD ${path}`, composed);
      return;
    }
    const resource = resources.get(resourceOf(path)) ?? [];
    resources.set(resourceOf(path), resource);
    resource.push((router) => void router.register(path, [method], composed));
  }
  const seriesOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
    deps.metrics.route(`${method} ${path}`);
  for (const bound of deps.routes)
    register(bound.contract, enter(compileRoute(bound), seriesOf(bound.contract)), ...checks);
  for (const route of deps.protocolRoutes ?? [])
    register(route.contract, count(seriesOf(route.contract)), protocolHandler(route, deps.noteRefusal));

  for (const { path, methods, enter: way } of deps.mounts ?? []) {
    const mounted = compose([count(seriesOf({ method: 'POST', path })), way]);
    for (const method of methods) fixed.set(`${method} ${path}`, mounted);
  }

  // A resource's router is made by its first request: patterns of all paths would cost every start milliseconds.
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
  return (ctx, next) => {
    const { path } = ctx;
    const way = fixed.get(`${ctx.method} ${path}`);
    if (way !== undefined) return way(ctx, next);
    return routerOf(resourceOf(path))?.(ctx, next) ?? next();
  };
}

/** First segment of a path: `positions` of `/positions/:id`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

function count(series: RouteSeries): Check {
  return (ctx, next) => {
    ctx.state.series = series;
    return next();
  };
}

function enter(route: CompiledRoute, series: RouteSeries): Check {
  const { absentBody: body } = route;
  return (ctx, next) => {
    ctx.state = {
      series,
      route,
      body,
      authentication: null,
      principal: null,
      account: null,
      input: NO_INPUT,
      reply: {},
    };
    return next();
  };
}
