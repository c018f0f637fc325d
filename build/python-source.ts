/** The OpenAPI document as Python: every schema as a `TypedDict` or an alias, every route as an overload of the client. */
import { Route, routesModule } from './python-routes.ts';
import { HEAD, type OpenApi, Types } from './python-schemas.ts';

/** Name of the file in the package → its text. */
export function pythonFiles(document: OpenApi): ReadonlyMap<string, string> {
  const types = new Types(document.components.schemas);
  for (const name of Object.keys(document.components.schemas)) types.component(name);
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .map(([method, operation]) => new Route(`${method.toUpperCase()} ${path}`, operation, types))
      .filter(({ isCallable }) => isCallable),
  );
  const schemas = [
    HEAD(
      'Every object that the gateway takes and answers with. Money and quantities are texts, never floats.',
    ),
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final\n',
    types.text(),
  ];
  return new Map([
    ['schemas.py', `${schemas.join('\n').trimEnd()}\n`],
    ['_routes.py', routesModule(routes)],
  ]);
}
