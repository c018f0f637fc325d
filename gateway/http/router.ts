/** Finds the route of a request: static paths by a map, paths with parameters by the general router. */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { CompiledRoute } from './compiled-route.ts';

type PathParams = Readonly<Record<string, string>>;
export const NO_PARAMS: PathParams = Object.freeze({});

export interface RouteTable {
  /** A route without path parameters. HEAD finds the GET route. */
  findStatic(method: string, path: string): CompiledRoute | undefined;
  /** Serves every other route. */
  readonly general: Router;
}

function isStaticPath(path: string): boolean {
  return !path.includes(':');
}

/** @throws Error when two routes claim the same method and path: that is a mistake of the program. */
export function createRouteTable(
  routes: readonly CompiledRoute[],
  serve: (ctx: Context, route: CompiledRoute, params: PathParams) => void,
): RouteTable {
  const byMethod = new Map<string, Map<string, CompiledRoute>>();
  const seen = new Set<string>();
  const general = new Router({ strict: true, sensitive: true });
  for (const route of routes) {
    const { method, path } = route.contract;
    const label = `${method} ${path}`;
    if (seen.has(label)) throw new Error(`Route ${label} is declared twice`);
    seen.add(label);
    if (isStaticPath(path)) {
      const paths = byMethod.get(method) ?? new Map<string, CompiledRoute>();
      byMethod.set(method, paths.set(path, route));
    } else {
      const handle: Middleware = (ctx: Context & { params?: PathParams }) => {
        serve(ctx, route, ctx.params ?? NO_PARAMS);
      };
      general.register(path, method === 'GET' ? ['GET', 'HEAD'] : [method], handle);
    }
  }
  return {
    findStatic: (method, path) => byMethod.get(method === 'HEAD' ? 'GET' : method)?.get(path),
    general,
  };
}
