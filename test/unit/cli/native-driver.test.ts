/**
 * The binary of the database's driver, which no package script makes: fetched, else compiled, once, whatever was there
 * before. The fetching and the compiling program are stand-ins; the driver loads what they leave if it says `good`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { platform, arch } = process;
const SYSTEM = `${platform}${createRequire(import.meta.url)('detect-libc').isNonGlibcLinuxSync() ? 'musl' : ''}-${arch}`;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const BUILD = fileURLToPath(new URL('../../../build', import.meta.url));
const BINARY = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
const MARKER = 'node_modules/sqlite3/.tandem-making';
const DRIVER = `exports.Database = class { constructor(name, done) {
  const text = require('node:fs').readFileSync(require('node:path').join(__dirname, 'build/Release/node_sqlite3.node'), 'utf8');
  if (text !== 'good') throw new Error('wants a newer C library');
  done(null);
} };`;

/** Notes that it ran, in the folder of the driver, then leaves a binary that says `text`, or fails with it. */
const leaves = (name: string, text: string) => `const fs = require('node:fs');
  fs.appendFileSync(require('node:path').join(__dirname, '${name === 'fetch' ? '../..' : '../../..'}', 'calls'), '${name} ');
  fs.mkdirSync('build/Release/obj.target', { recursive: true });
  fs.writeFileSync('build/Makefile', '');
  fs.writeFileSync('build/Release/node_sqlite3.node', '${text}');`;
const fails = (
  name: string,
  text: string,
) => `require('node:fs').appendFileSync(require('node:path').join(__dirname, '${name === 'fetch' ? '../..' : '../../..'}', 'calls'), '${name} ');
  console.error(${JSON.stringify(text)}); process.exit(1);`;

describe('the binary of the database’s driver', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder();
    await mkdir(join(root, 'build'));
    for (const name of ['fresh.cjs', 'native.cjs'])
      await copyFile(join(BUILD, name), join(root, 'build', name));
    await listed('good');
    await put('package.json', '{}');
    await put('calls', '');
    await put('node_modules/sqlite3/package.json', '{"name":"sqlite3","version":"6.0.1","main":"index.js"}');
    await put('node_modules/sqlite3/index.js', DRIVER);
    await put('node_modules/prebuild-install/bin.js', leaves('fetch', 'good'));
    await put('node_modules/node-gyp/bin/node-gyp.js', leaves('compile', 'good'));
  });

  async function put(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  /** The list of digests has that of this text, for this system. */
  const listed = (text: string, version = '6.0.1') =>
    put('build/sqlite-digests.json', JSON.stringify({ version, sha256: { [SYSTEM]: digestOf(text) } }));
  const make = () => spawnSync(process.execPath, [join(root, 'build', 'native.cjs')], { encoding: 'utf8' });
  const calls = () => readFile(join(root, 'calls'), 'utf8');
  const isLacking = (): boolean => createRequire(join(root, 'x'))('./build/fresh.cjs').lacksSqliteBinary();

  it('is fetched where there is one that works, and then left alone', async () => {
    expect(isLacking()).to.equal(true);
    expect(make().status).to.equal(0);
    expect([isLacking(), await calls()]).to.deep.equal([false, 'fetch ']);
    expect(make().status).to.equal(0);
    expect(await calls()).to.equal('fetch ');
  });

  it('is fetched only as it was recorded: another one is never loaded, and brings no other file along', async () => {
    const another = `${leaves('fetch', 'good, and something else')} fs.writeFileSync('index.js', 'throw 1');`;
    await put('node_modules/prebuild-install/bin.js', another);
    const changed = make();
    expect([changed.status, await calls()]).to.deep.equal([0, 'fetch compile ']);
    expect(changed.stderr).to.contain('is not the one that was recorded');
    expect(await readFile(join(root, BINARY), 'utf8')).to.equal('good');
    expect(await readFile(join(root, 'node_modules/sqlite3/index.js'), 'utf8')).to.equal(DRIVER);
  });

  it('is compiled, and nothing is fetched, for a system or version without a recorded one @long', async () => {
    for (const list of ['{"version":"6.0.1","sha256":{}}', '{"version":"6.0.2","sha256":{}}']) {
      await rm(join(root, 'node_modules/sqlite3/build'), { recursive: true, force: true });
      await put('calls', '');
      await put('build/sqlite-digests.json', list);
      expect(make().status).to.equal(0);
      expect(await calls()).to.equal('compile ');
    }
    await rm(join(root, 'node_modules/sqlite3/build'), { recursive: true });
    await put('calls', '');
    await listed('good', '6.0.2');
    expect(make().status).to.equal(0);
    expect(await calls()).to.equal('compile ');
  });

  it('has a recorded digest for the version of the lock file and each system that it is built for', async () => {
    const { version, sha256 } = JSON.parse(await readFile(join(BUILD, 'sqlite-digests.json'), 'utf8'));
    const lock = JSON.parse(await readFile(join(BUILD, '..', 'package-lock.json'), 'utf8'));
    expect(version).to.equal(lock.packages['node_modules/sqlite3'].version);
    expect(Object.keys(sha256).toSorted()).to.deep.equal([
      ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'],
      ...['linuxmusl-arm64', 'linuxmusl-x64', 'win32-x64'],
    ]);
    for (const digest of Object.values(sha256)) expect(digest).to.match(/^[0-9a-f]{64}$/);
  });

  it('is compiled where the prebuilt one does not load, or there is none; the scraps are removed', async () => {
    await put('node_modules/prebuild-install/bin.js', leaves('fetch', 'of a newer system'));
    await listed('of a newer system');
    expect(make().status).to.equal(0);
    expect([isLacking(), await calls()]).to.deep.equal([false, 'fetch compile ']);
    expect(await readFile(join(root, BINARY), 'utf8')).to.equal('good');
    for (const scrap of ['Makefile', 'Release/obj.target'])
      expect(existsSync(join(root, 'node_modules/sqlite3/build', scrap)), scrap).to.equal(false);
    await put('calls', '');
    await put(BINARY, 'of another machine');
    await put('node_modules/prebuild-install/bin.js', fails('fetch', 'no network'));
    expect(make().status).to.equal(0);
    expect([await calls(), await readFile(join(root, BINARY), 'utf8')]).to.deep.equal([
      'fetch compile ',
      'good',
    ]);
  });

  it('that can be had in no way ends with the system packages that are missing, and nothing half made', async () => {
    await put(
      'node_modules/prebuild-install/bin.js',
      fails('fetch', 'prebuild-install warn install getaddrinfo ENOTFOUND github.com'),
    );
    await put(
      'node_modules/node-gyp/bin/node-gyp.js',
      fails('compile', 'make: g++: No such file or directory\ngyp ERR! not ok'),
    );
    const { status, stderr } = make();
    expect(status).to.equal(1);
    expect(stderr).to.contain('getaddrinfo ENOTFOUND github.com').and.to.contain('make: g++: No such file');
    if (process.platform === 'linux')
      expect(stderr).to.contain('build/setup-system.sh').and.to.contain('apt-get install g++ make python3');
    expect([isLacking(), existsSync(join(root, MARKER))]).to.deep.equal([true, false]);
  });

  it('whose maker was killed is made anew @long', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    await put(BINARY, 'goo');
    await put(MARKER, String(dead.pid));
    expect(isLacking()).to.equal(true);
    expect(make().status).to.equal(0);
    expect([isLacking(), await readFile(join(root, BINARY), 'utf8')]).to.deep.equal([false, 'good']);
  });

  it('that several processes want at once is made by one @long', async () => {
    const gate = createServer();
    gate.listen(join(root, 'gate'));
    await once(gate, 'listening');
    const fetching = once(gate, 'connection');
    // Fetches once it is let through.
    const held = `require('node:net').connect(${JSON.stringify(join(root, 'gate'))}).on('data', () => { ${leaves('fetch', 'good')} process.exit(); });`;
    await put('node_modules/prebuild-install/bin.js', held);
    const program = [
      '-e',
      "require('./build/native.cjs').makeSqlite().catch((error) => { console.error(error); process.exit(1); })",
    ];
    const processes = [1, 2, 3].map(() => spawn(process.execPath, program, { cwd: root }));
    const ended = Promise.all(processes.map(async (one) => (await once(one, 'exit'))[0]));
    let waiting = 0;
    const othersWait = new Promise<void>((resolve) => {
      for (const { stderr } of processes)
        stderr.on('data', (text) => {
          if (String(text).includes('waiting for it')) waiting += 1;
          if (waiting === 2) resolve();
        });
    });
    const [[socket]] = await Promise.all([fetching, othersWait]);
    socket.end('fetch');
    gate.close();
    expect([await ended, await calls()]).to.deep.equal([[0, 0, 0], 'fetch ']);
  });
});
