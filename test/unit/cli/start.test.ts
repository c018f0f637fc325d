/** The program as a user starts it: launcher, bundle, code cache, ready line, signals and exit codes. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../build/tandem.cjs', import.meta.url));

interface Started {
  readonly child: ChildProcess;
  /** First line on standard output. */
  readonly line: string;
  readonly errors: () => string;
}

describe('tandem start', function () {
  this.timeout(60_000);
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  });

  function launch(argv: readonly string[]) {
    const child = spawn(process.execPath, [LAUNCHER, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    return { child, errors: () => errors };
  }

  async function start(dataDir: string, ...argv: string[]): Promise<Started> {
    const common = ['start', '--port', '0', '--vault', 'file', '--log-level', 'warn', '--data-dir', dataDir];
    const { child, errors } = launch([...common, ...argv]);
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`ended with ${code} before it was ready: ${errors()}`);
      }),
    ]);
    return { child, line: String(line), errors };
  }

  async function endOf(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  }

  it('says where it is ready, serves, keeps a second gateway out, and stops as asked with 0', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const first = await start(dataDir);
    const [, url = ''] = /^Tandem is ready at (http:\/\/127\.0\.0\.1:\d+)$/.exec(first.line) ?? [];
    expect(url).not.to.equal('');
    expect((await fetch(`${url}/health`)).status).to.equal(200);
    expect(first.errors()).to.contain('PAPER').and.to.contain(dataDir).and.to.contain('keys create');
    expect((await stat(dataDir)).mode & 0o777).to.equal(0o700);
    for (const name of await readdir(dataDir)) {
      const stats = await stat(join(dataDir, name));
      if (stats.isFile()) expect([name, stats.mode & 0o077]).to.deep.equal([name, 0]);
    }

    const status = await tandem(['status', '--data-dir', dataDir]);
    expect(status.out).to.contain(url);
    const second = launch(['start', '--data-dir', dataDir, '--port', '0', '--vault', 'file']);
    expect(await endOf(second.child)).to.equal(1);
    expect(second.errors()).to.contain('another Tandem').and.to.contain(url);

    first.child.kill('SIGTERM');
    expect(await endOf(first.child)).to.equal(0);
    expect(await readdir(dataDir)).not.to.include('gateway.lock');
  });

  it('ends with 2 and one clear line for bad settings', async () => {
    const { child, errors } = launch(['start', '--prot', '1']);
    expect(await endOf(child)).to.equal(2);
    expect(errors()).to.equal('tandem: unknown flag --prot (did you mean --port?)\n');
  });
});
