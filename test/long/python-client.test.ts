/**
 * The Python library against gateways in processes of their own: the modules of `test/python` are run by the Python of the
 * system, which is Debian's with Debian's packages where this is built.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { refusalOf } from '../../gateway/client/errors.ts';
import { BUSINESS_STATUS } from '../../gateway/contract/error-codes.ts';
import { ROOT, userDocuments } from '../support/documents.ts';
import { buildGateway } from '../support/gateway-process.ts';
import { findPython, PYTHON_PACKAGES } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TESTS = join(ROOT, 'test', 'python');
const MODULES = readdirSync(TESTS)
  .filter((name) => /^test_\w+\.py$/.test(name))
  .map((name) => name.replace('.py', ''))
  .sort();
const PACKAGE = join(ROOT, 'gateway', 'client', 'python');

describe('the client library for Python', () => {
  let python: string;

  before(function () {
    const found = findPython();
    if (found === null) {
      if (process.env['CI'] !== undefined) throw new Error(`no Python with ${PYTHON_PACKAGES} is here`);
      console.warn(
        `    *** THE PYTHON LIBRARY HAS NOT BEEN TESTED: no python3 with ${PYTHON_PACKAGES} here (build/setup-system.sh) ***`,
      );
      return this.skip();
    }
    python = found;
    buildGateway();
  });

  async function run(args: readonly string[], cwd: string) {
    const child = spawn(python, args, {
      cwd,
      env: { ...process.env, NODE: process.execPath, PYTHONPATH: PACKAGE, MYPYPATH: PACKAGE },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { out, complaints, code };
  }

  for (const module of MODULES)
    it(`passes ${module}`, async () => {
      const { code, complaints } = await run(['-m', 'unittest', '-v', module], TESTS);
      expect(code, complaints).to.equal(0);
      // A module whose tests are not found passes too.
      expect(complaints).to.match(/Ran [1-9]\d* tests? in/);
    });

  it('has strict types, and so have its tests and the bots on it', async function () {
    if ((await run(['-m', 'mypy', '--version'], PACKAGE)).code !== 0) {
      if (process.env['CI'] !== undefined) throw new Error('no mypy is here');
      console.warn('    *** THE TYPES OF THE PYTHON LIBRARY HAVE NOT BEEN CHECKED: no mypy here ***');
      return this.skip();
    }
    const own = await run(['-m', 'mypy', '--config-file', 'pyproject.toml'], PACKAGE);
    expect(own.code, own.out).to.equal(0);
    const tests = readdirSync(TESTS).filter((name) => name.endsWith('.py'));
    const bots = join(ROOT, 'docs', 'examples');
    const examples = readdirSync(bots).flatMap((name) => (name.endsWith('.py') ? [join(bots, name)] : []));
    expect(examples).not.to.deep.equal([]);
    const folder = await temporaryFolder();
    for (const { page, line, language, code } of userDocuments().flatMap(({ blocks }) => blocks)) {
      if (language !== 'python' || !code.includes('tandem_client')) continue;
      const file = join(folder, `${page.replaceAll(/\W/g, '_')}_${line}.py`);
      await writeFile(file, `${code}\n`);
      examples.push(file);
    }
    const theirs = await run(
      ['-m', 'mypy', '--config-file', join(PACKAGE, 'pyproject.toml'), ...tests, ...examples],
      TESTS,
    );
    expect(theirs.code, theirs.out).to.equal(0);
  });

  it('names the command that builds it where it was never built', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'tandem_client'));
    await copyFile(
      join(PACKAGE, 'tandem_client', '__init__.py'),
      join(folder, 'tandem_client', '__init__.py'),
    );
    const program = `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import tandem_client`;
    const { code, complaints } = await run(['-c', program], folder);
    expect(code).to.equal(1);
    expect(complaints).to.match(/^ImportError: tandem_client is not built: run `npm ci && npm run build`/m);
  });

  it('has a class for every code of the gateway, the one that the TypeScript library has', async () => {
    const codes = Object.keys(BUSINESS_STATUS);
    const program = `
import json, sys
from tandem_client.errors import refusal_of
print(json.dumps({code: type(refusal_of(400, {"errorCode": code}, None)).__name__ for code in sys.argv[1:]}))`;
    const { out } = await run(['-c', program, ...codes], PACKAGE);
    expect(JSON.parse(out)).to.deep.equal(
      Object.fromEntries(codes.map((code) => [code, refusalOf(400, { errorCode: code }).name])),
    );
  });
});

it('the Python library has the version of the product', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(readFileSync(join(PACKAGE, 'pyproject.toml'), 'utf8')).to.contain(`\nversion = "${version}"\n`);
});
