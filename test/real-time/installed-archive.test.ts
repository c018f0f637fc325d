/**
 * The program as it is installed without its sources: from the archive that `npm pack` makes, beside the packages that its
 * lock names. They are linked instead of fetched, so that no network and no compiler is needed.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { BillOfMaterials } from '../../build/bill-of-materials.mjs';
import { makeArchive } from '../../build/release.mjs';
import { buildGateway } from '../support/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from './support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The launcher makes a cache three seconds after a start that has none it can take. */
const CACHE_IS_MADE_MS = 4_000;

describe('the archive of npm pack', () => {
  let folder: string;
  let files: readonly string[];
  let gateway: ChildProcess | null = null;
  let env: Record<string, string>;

  before(async () => {
    buildGateway();
    const work = await temporaryFolder();
    const archive = makeArchive(join(work, 'archives'));
    files = archive.files;
    execFileSync('tar', ['-xzf', archive.file, '-C', work]);
    folder = join(work, 'package');
    const { TANDEM_API_KEY: _key, TANDEM_URL: _url, ...own } = process.env;
    env = { ...(own as Record<string, string>), TANDEM_DATA_DIR: join(work, 'data') };
  });
  after(() => gateway?.kill('SIGKILL'));

  function tandem(...argv: string[]) {
    return spawnSync(process.execPath, [join(folder, 'build', 'tandem.cjs'), ...argv], {
      env: { ...env, TANDEM_PASSWORD: 'a long enough password' },
      encoding: 'utf8',
    });
  }

  async function installPackages(): Promise<void> {
    const lock = JSON.parse(await readFile(join(folder, 'npm-shrinkwrap.json'), 'utf8'));
    for (const path of Object.keys(lock.packages)) {
      // Nested packages come with their parent. Packages of other systems are not installed.
      if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await symlink(join(ROOT, path), join(folder, path), 'dir');
    }
  }

  /** The pages are at a name that not every system resolves. */
  async function page(url: string, path: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const asked = get({ hostname, port, path, headers: { host: `tandem.localhost:${port}` } });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of answer) body += String(chunk);
    return body;
  }

  it('holds the product and nothing that makes or tests it', () => {
    const expected = [
      /^(package|npm-shrinkwrap|sbom\.cdx)\.json$/,
      /^(README|docs\/(venues\/)?[\w-]+)\.md$/,
      /^docs\/([\w-]+\.png|grafana-dashboard\.json)$/,
      /^docs\/examples\/([\w-]+\.(ts|py)|README\.md)$/,
      /^build\/((tandem|start|fresh|native)\.cjs|sqlite-digests\.json|setup-system\.sh|service\/[\w.-]+)$/,
      /^dist\/((gateway|late-[\w-]+)\.cjs|build\.json)$/,
      /^dist\/man\/tandem\.1$/,
      /^dist\/consent\/([\w-]+\.html|assets\/[\w-]+\.(css|js|svg))$/,
      /^dist\/client\/([\w-]+\.js|types\/.+\.d\.ts)$/,
      /^gateway\/client\/python\/((tandem_client\/(\w+\.py|py\.typed))|pyproject\.toml|README\.md)$/,
      /^dist\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|svg|woff2|png)(\.(br|gz))?)$/,
    ];
    expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).to.deep.equal([]);
    for (const name of [
      ...['dist/gateway.cjs', 'dist/renderer/index.html', 'build/tandem.cjs'],
      ...['py.typed', '_routes.py', '_sync.py', '_sync_lists.py', 'schemas.py'].map(
        (name) => `gateway/client/python/tandem_client/${name}`,
      ),
    ])
      expect(files).to.include(name);
  });

  it('pins the packages of the gateway without an address, and none that builds, tests or shows a window', async () => {
    const text = await readFile(join(folder, 'npm-shrinkwrap.json'), 'utf8');
    const { packages } = JSON.parse(text);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(text).not.to.contain('"resolved"');
    expect(packages[''].dependencies).to.deep.equal(manifest.dependencies);
    expect([manifest.devDependencies, packages[''].devDependencies]).to.deep.equal([undefined, undefined]);
    for (const name of ['sqlite3', 'keytar', 'koa', 'swagger-ui-dist'])
      expect(packages).to.have.property(`node_modules/${name}`);
    for (const name of ['electron', 'electron-builder', 'esbuild', 'vite', 'typescript', 'mocha'])
      expect(packages).not.to.have.property(`node_modules/${name}`);
  });

  it('has a bill of what is in it: each package that it runs with, and each in the dashboard', async () => {
    const bill: BillOfMaterials = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
    const { packages } = JSON.parse(await readFile(join(folder, 'npm-shrinkwrap.json'), 'utf8'));
    const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    for (const [path, entry] of Object.entries<{ name?: string; version: string }>(packages)) {
      if (path === '') continue;
      const name = entry.name ?? path.split('node_modules/').at(-1);
      expect(
        named.has(`${name}@${entry.version}`) ||
          named.has(`${path.split('node_modules/').at(-1)}@${entry.version}`),
        path,
      ).to.equal(true);
    }
    const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const bundled = ['react', 'wouter', 'zustand', 'lightweight-charts', '@fontsource-variable/inter'];
    for (const name of bundled) {
      expect(manifest.devDependencies, 'still bundled').to.have.property(name);
      expect(
        [...named].some((one) => one.startsWith(`${name}@`)),
        name,
      ).to.equal(true);
    }
    expect([...named].filter((one) => /^(typescript|mocha|vite|esbuild|electron)@/.test(one))).to.deep.equal(
      [],
    );
  });

  it('says what is missing before its packages are installed', () => {
    const { status, stdout, stderr } = tandem('start', '--port', '0');
    expect([status, stdout, stderr]).to.deep.equal([
      1,
      '',
      'tandem: the packages are not installed; run: npm ci --omit=dev\n',
    ]);
  });

  /** Starts it as `gateway`. @returns its address */
  async function start(): Promise<string> {
    const flags = [
      '--port',
      '0',
      '--vault',
      'file',
      '--paper-profile',
      'frictionless',
      '--log-level',
      'warn',
    ];
    const child = spawn(process.execPath, [join(folder, 'build', 'start.cjs'), ...flags, '--json-ready'], {
      // Whoever has Electron beside it would see a window.
      env: { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    gateway = child;
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with ${code}`))),
    ]);
    return JSON.parse(String(line)).url;
  }

  async function stop(): Promise<void> {
    const child = gateway;
    if (child === null) throw new Error('it does not run');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  }

  /** V8's code caches in the folder of the program: name and number of the file. */
  async function codeCaches(): Promise<readonly string[]> {
    const names = (await readdir(join(folder, 'dist'))).filter((name) => name.endsWith('.cache'));
    return Promise.all(names.map(async (name) => `${name} ${(await stat(join(folder, 'dist', name))).ino}`));
  }

  it('starts beside its packages and trades a basket, and its second start takes what the first has compiled @long', async () => {
    await installPackages();
    const url = await start();
    expect((await fetch(`${url}/ready`)).status).to.equal(200);
    expect(await page(url, '/')).to.contain('assets/');
    expect(await (await fetch(`${url}/docs`)).text()).to.contain('swagger-ui');

    const made = tandem('keys', 'create', '--email', 'ada@example.test', '--save');
    expect([made.status, made.stderr.includes('error')]).to.deep.equal([0, false]);
    const opened = tandem('open', '--long', 'BTC=500', '--short', 'ETH=500', '--json');
    expect(opened.status, opened.stderr).to.equal(0);
    const { positions } = JSON.parse(tandem('positions', '--json').stdout);
    expect(positions).to.have.length(1);
    await until('the code is cached', async () => (await codeCaches()).length > 0);
    await stop();

    const compiled = await codeCaches();
    await start();
    await sleep(CACHE_IS_MADE_MS);
    await stop();
    expect(await codeCaches())
      .to.deep.equal(compiled)
      .and.to.have.length(1);
  });
});
