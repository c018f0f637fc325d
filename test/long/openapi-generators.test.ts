/**
 * Programs of other authors read `/openapi.json` of a gateway: each takes it without an error, and what it makes compiles.
 * They are in a package of their own, test/generators, because the product needs none of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { SERVICE_SURFACE } from '../support/service-surface.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PACKAGE = fileURLToPath(new URL('../generators/', import.meta.url));
const MODULES = join(PACKAGE, 'node_modules');
const STRICT = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
/** Flags for types only. Not all clients that generators write around the types compile under them. */
const STRICTEST = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride'];
const BUNDLED = ['--module', 'esnext', '--moduleResolution', 'bundler'];

describe('generators of other authors', () => {
  const load = createRequire(join(PACKAGE, 'package.json'));
  let folder = '';
  let file = '';
  let text = '';

  before(async function () {
    if (!existsSync(MODULES)) {
      console.error('    *** NO GENERATOR HAS READ THE DESCRIPTION: npm ci --prefix test/generators ***');
      this.skip();
    }
    const gateway = await startTestGateway();
    ({ text } = await gateway.request('GET', '/openapi.json'));
    await gateway.close();
    folder = await temporaryFolder();
    file = join(folder, 'openapi.json');
    await writeFile(file, text);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await symlink(MODULES, join(folder, 'node_modules'));
  });

  function run(program: string, ...argv: string[]): string {
    const env = {
      ...process.env,
      CI: '1',
      NO_COLOR: '1',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const end = spawnSync(join(MODULES, '.bin', program), argv, { cwd: folder, encoding: 'utf8', env });
    expect(end.status, `${program}: ${end.stdout}${end.stderr}`).to.equal(0);
    return `${end.stdout}${end.stderr}`;
  }
  const compile = (name: string, ...more: string[]) => run('tsc', ...STRICT, ...BUNDLED, ...more, name);

  it('Redocly finds no error', () => {
    expect(run('redocly', 'lint', '--extends=recommended', file)).to.contain('is valid');
  });

  it('openapi-typescript makes types that compile', async () => {
    run('openapi-typescript', file, '-o', 'types.ts');
    await writeFile(
      join(folder, 'uses-types.ts'),
      `import type { components, operations } from './types.ts';
const code: components['schemas']['BusinessErrorCode'] = 'RESOURCE_BUSY';
const busy: components['schemas']['ResourceBusyError']['errorCode'] = code;
const query: NonNullable<operations['getOrders']['parameters']['query']> = { limit: 5, status: ['FILLED'] };
// @ts-expect-error a number is no text
const wrong: NonNullable<operations['getOrders']['parameters']['query']> = { limit: '5' };
console.log(busy, query, wrong);
`,
    );
    compile('uses-types.ts', '--allowImportingTsExtensions', ...STRICTEST);
  });

  it('@hey-api/openapi-ts makes a client that compiles', () => {
    run('openapi-ts', '-i', file, '-o', 'hey', '--no-log-file');
    compile('hey/index.ts');
    compile('hey/types.gen.ts', ...STRICTEST);
  });

  it('orval makes a client that compiles', () => {
    run('orval', '--input', file, '--output', 'orval/api.ts', '--client', 'fetch');
    compile('orval/api.ts', '--noUncheckedIndexedAccess');
  });

  const routesIn = (items: readonly Json[]): number =>
    items.reduce(
      (sum, item) => sum + (item.request === undefined ? routesIn(item.item ?? item.items ?? []) : 1),
      0,
    );

  it('Postman takes every route', async () => {
    const { convertV2 } = load('openapi-to-postmanv2');
    const result: Json = await new Promise((resolve, reject) =>
      convertV2({ type: 'string', data: text }, {}, (error: unknown, made: Json) =>
        error ? reject(error) : resolve(made),
      ),
    );
    expect([result.result, result.reason]).to.deep.equal([true, undefined]);
    expect(routesIn(result.output[0].data.item)).to.be.at.least(SERVICE_SURFACE.length);
  });

  it('Bruno takes every route', () => {
    const { openApiToBruno } = load('@usebruno/converters');
    const collection: Json = openApiToBruno(JSON.parse(text));
    expect(routesIn(collection.items)).to.be.at.least(SERVICE_SURFACE.length);
  });
});
