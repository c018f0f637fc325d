/** All routes, for the client's types and its contract check. */
import type { RouteContract } from './route.ts';
import * as MODULES from './route-modules.ts';

type Modules = typeof MODULES;
type RoutesIn<Module> = Extract<Module[keyof Module], RouteContract>;
export type AnyRoute = { [M in keyof Modules]: RoutesIn<Modules[M]> }[keyof Modules];

function isRoute(value: unknown): value is RouteContract {
  return typeof value === 'object' && value !== null && 'success' in value && 'auth' in value;
}

/** `POST /positions/{id}/close` → its contract. */
export const EVERY_ROUTE: ReadonlyMap<string, RouteContract> = new Map(
  Object.values(MODULES)
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isRoute)
    .map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]),
);
