/**
 * Writes the types and the table of routes of the Python library from the OpenAPI document:
 *   npm run python:types             writes them again
 *   npm run python:types -- --check  fails if they differ from the contract
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EVERY_ROUTE } from '../gateway/contract/every-route.ts';
import { createOpenApi } from '../gateway/http/openapi.ts';
import { pythonFiles } from './python-source.ts';

const FOLDER = fileURLToPath(new URL('../gateway/client/python/tandem_client/', import.meta.url));

const written = (name: string) => {
  try {
    return readFileSync(FOLDER + name, 'utf8');
  } catch {
    return null;
  }
};

const document = JSON.parse(await createOpenApi(() => [...EVERY_ROUTE.values()])());
const stale = [...pythonFiles(document)].filter(([name, text]) => written(name) !== text);
const names = stale.map(([name]) => name).join(', ');
if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`${names}: not what the contract says; write them anew with: npm run python:types`);
    process.exitCode = 1;
  }
} else {
  for (const [name, text] of stale) writeFileSync(FOLDER + name, text);
  console.log(stale.length === 0 ? 'nothing has changed' : `written: ${names}`);
}
