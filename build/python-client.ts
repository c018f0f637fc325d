/**
 * Writes the modules of the Python library that git leaves out: types and routes from the OpenAPI document, and the
 * blocking client from the asyncio client. build/bundle.mjs runs it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVERY_ROUTE } from '../gateway/contract/every-route.ts';
import { createOpenApi } from '../gateway/http/openapi.ts';
import { Route, routesModule } from './python-routes.ts';
import { MADE_BY, type OpenApi, schemasModule, Types } from './python-schemas.ts';
import { blocking } from './python-sync.ts';

const FOLDER = fileURLToPath(new URL('../gateway/client/python/tandem_client/', import.meta.url));

/** Name of a module → its text. */
function modulesOf(document: OpenApi): Readonly<Record<string, string>> {
  const types = new Types(document.components.schemas);
  for (const name of Object.keys(document.components.schemas)) types.component(name);
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .map(([method, operation]) => new Route(`${method.toUpperCase()} ${path}`, operation, types))
      .filter(({ isCallable }) => isCallable),
  );
  return {
    '_routes.py': routesModule(routes),
    '_sync.py': blockingModule('_async.py'),
    '_sync_lists.py': blockingModule('_async_lists.py'),
    'schemas.py': schemasModule(types),
  };
}

/** The first line of the asyncio module says what is made from it. */
function blockingModule(source: string): string {
  const [, ...lines] = readFileSync(FOLDER + source, 'utf8').split('\n');
  return `${MADE_BY}\n${blocking(lines.join('\n'))}`;
}

const document = JSON.parse(await createOpenApi(() => [...EVERY_ROUTE.values()])());
for (const [name, text] of Object.entries(modulesOf(document))) {
  // A program that imports the module meanwhile reads the old one or the new one.
  const draft = `${FOLDER}${name}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, FOLDER + name);
}
