/** A server has the built program and the packages that it runs with, none of those that build it. */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BUILD = fileURLToPath(new URL('../../../build', import.meta.url));
const LONG_AGO = 1_000_000_000;

describe('a folder without the packages that build the program', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder();
    await put('package.json', '{}');
    await put('gateway/cli.ts', 'export {};');
    await put('renderer/main.tsx', 'export {};');
    for (const name of ['fresh.cjs', 'tandem.cjs', 'native.cjs'])
      await copyFile(join(BUILD, name), join(root, 'build', name)).catch(async () => {
        await mkdir(join(root, 'build'));
        await copyFile(join(BUILD, name), join(root, 'build', name));
      });
    await put('node_modules/sqlite3/package.json', '{}');
    await put('node_modules/sqlite3/build/Release/node_sqlite3.node', '');
  });

  async function put(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  async function putBuilt(): Promise<void> {
    const sources = createRequire(join(root, 'x'))('./build/fresh.cjs').fingerprint('gateway');
    await put('dist/gateway.cjs', "console.log('runs', process.argv.slice(2).join(' '));");
    await put('dist/renderer/index.html', '');
    await put('dist/build.json', JSON.stringify({ id: 'one', sources }));
    // A copied folder: what was built looks older than its sources.
    await utimes(join(root, 'dist/build.json'), LONG_AGO, LONG_AGO);
  }
  const start = () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'build', 'tandem.cjs'), 'start', '--port', '0'],
      { encoding: 'utf8' },
    );
    return [status, stdout, stderr];
  };

  it('runs what was built of these sources, whatever the times of the files', async () => {
    await putBuilt();
    expect(start()).to.deep.equal([0, 'runs start --port 0\n', '']);
  });

  it('says that what was built is not of these sources, or that there is nothing built', async () => {
    await putBuilt();
    await put('gateway/cli.ts', 'export const changed = true;');
    const [status, out, error] = start();
    expect([status, out]).to.deep.equal([1, '']);
    expect(error).to.match(/^tandem: the built program \(dist\) is not of these sources, .*npm ci/);
    await rm(join(root, 'dist'), { recursive: true });
    expect(start()[2]).to.match(/^tandem: there is no built program here \(dist\), .*run npm ci instead/);
  });

  it('without any packages says so', async () => {
    await putBuilt();
    await rm(join(root, 'node_modules'), { recursive: true });
    expect(start()).to.deep.equal([1, '', 'tandem: the packages are not installed; run: npm ci\n']);
  });
});
