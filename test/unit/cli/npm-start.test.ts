/** `npm start`: a window where Electron and a display are, else the gateway alone; and nothing built twice. */
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BUILD = fileURLToPath(new URL('../../../build', import.meta.url));
const DISPLAY = { DISPLAY: ':7' };
/** Writes down how it was called. */
const RECORDS = (name: string) =>
  `require('node:fs').appendFileSync(require('node:path').join(__dirname, '..', 'calls'), JSON.stringify(['${name}', ...process.argv.slice(2)]) + '\\n');`;

describe('npm start', () => {
  let root: string;
  before(function () {
    // The stand-in of Electron is a shell script.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    root = await temporaryFolder();
    await put('build/tandem.cjs', RECORDS('tandem'));
    await put(
      'build/bundle-shell.mjs',
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;\n${RECORDS('bundle-shell')}`,
    );
    for (const name of ['start.cjs', 'fresh.cjs'])
      await copyFile(join(BUILD, name), join(root, 'build', name));
    await put('package.json', '{}');
  });

  async function put(name: string, text: string, seconds?: number): Promise<void> {
    const file = join(root, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (seconds !== undefined) await utimes(file, seconds, seconds);
  }
  async function putElectron(): Promise<void> {
    await put('node_modules/electron/path.txt', 'electron');
    await put(
      'node_modules/electron/dist/electron',
      `#!/bin/sh\nprintf '["electron","%s",%s]\\n' "$1" "$TANDEM_GATEWAY_FLAGS" >> "$1/calls"\nexit 3\n`,
    );
    await chmod(join(root, 'node_modules/electron/dist/electron'), 0o755);
  }
  async function start(env: Record<string, string>, ...flags: string[]): Promise<unknown[]> {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(DISPLAY|WAYLAND_DISPLAY|SSH_.*)$/.test(name),
    );
    await writeFile(join(root, 'calls'), '');
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'build', 'start.cjs'), ...flags], {
      env: { ...Object.fromEntries(own), ...env },
      encoding: 'utf8',
    });
    expect(stderr).to.equal('');
    const calls = (await readFile(join(root, 'calls'), 'utf8')).split('\n').filter((line) => line !== '');
    return [...calls.map((line) => JSON.parse(line)), status];
  }

  it('is the gateway alone without Electron’s binary, and without a display', async () => {
    expect(await start(DISPLAY, '--port', '7400')).to.deep.equal([['tandem', 'start', '--port', '7400'], 0]);
    // The npm package is there, its binary is not.
    await put('node_modules/electron/path.txt', 'electron');
    expect(await start(DISPLAY)).to.deep.equal([['tandem', 'start'], 0]);
    await putElectron();
    if (process.platform === 'linux') expect(await start({})).to.deep.equal([['tandem', 'start'], 0]);
  });

  it('builds what is older than its sources, then opens the window with the flags for its gateway', async () => {
    await putElectron();
    const opened = ['electron', root, ['--port', '7400']];
    expect(await start(DISPLAY, '--port', '7400')).to.deep.equal([
      ['tandem', '--version'],
      ['bundle-shell'],
      opened,
      3,
    ]);
    const old = 1_000_000_000;
    await put('gateway/client/python/tandem_client/_sync.py', '');
    for (const name of ['gateway.cjs', 'renderer/index.html', 'consent/consent.html', 'build.json'])
      await put(`dist/${name}`, '');
    for (const name of ['main.cjs', 'preload.cjs', 'icon.icns']) await put(`dist/main/${name}`, '');
    expect(await start({ WAYLAND_DISPLAY: 'wayland-0' }, '--port', '7400')).to.deep.equal([opened, 3]);
    await put('dist/main/icon.icns', '', old);
    expect(await start(DISPLAY, '--port', '7400')).to.deep.equal([['bundle-shell'], opened, 3]);
  });
});
