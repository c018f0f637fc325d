/**
 * Rows S1 to S7 of the authority table: what a file can make Tandem do. Folders, locks and installers are reached by no tool of
 * an agent; a full disk is met over HTTP and MCP. S4 runs the script that fetches SQLite's binary, with stand-ins.
 */
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { processIdentity } from '../../../gateway/system/process-identity.ts';
import { PASSWORD } from '../../support/gateway-client.ts';
import {
  buildGateway,
  errorRecords,
  type GatewayProcess,
  launchGateway,
} from '../../support/gateway-process.ts';
import type { Json } from '../../support/json.ts';
import { runTandem } from '../../support/tandem-process.ts';
import { TANDEM_PROGRAM } from '../../support/tandem-program.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.ts';
import { PAIR, trader, usd } from '../../support/trader.ts';
import { AuthorityGateway, SURFACES } from '../support/authority-desk.ts';
import { processClient } from '../support/process-client.ts';
import { fill, mount, unmount } from '../support/small-file-system.ts';
import { until } from '../support/until.ts';

const START_MS = 20_000;
/** Space is set aside some seconds after the start, by versions that do so. */
const RESERVE_MS = 10_000;

describe('authority: files', function () {
  this.timeout(180_000);
  const running = new Set<GatewayProcess>();
  /** A folder with a TWAP that has slices left, whose gateway stopped in order. */
  let original: string;

  function launch(dataDir: string, ...flags: string[]): GatewayProcess {
    const process = launchGateway({ dataDir, flags });
    running.add(process);
    void process.ended.then(() => running.delete(process));
    return process;
  }

  /** Starts a gateway and waits for the outcome: an address, an exit code, or neither. */
  async function start(dataDir: string, ...flags: string[]): Promise<'serves' | 'hangs' | number | null> {
    const process = launch(dataDir, ...flags);
    const end = await Promise.race([
      process.ready.then(() => 'serves' as const).catch(async () => (await process.ended).code),
      sleep(START_MS, 'hangs' as const, { ref: false }),
    ]);
    await process.stop(end === 'serves' ? 'SIGTERM' : 'SIGKILL');
    return end;
  }

  async function copyOf(folder: string): Promise<string> {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true, filter: (path) => basename(path) !== 'socket' });
    return copy;
  }

  before(async () => {
    buildGateway();
    original = await temporaryFolder();
    const process = launch(original);
    const bot = await trader(processClient((await process.ready).url));
    const legs = [usd('BTC', 'BUY', '1000')];
    await bot.expect('POST', '/schedules', { legs, durationSeconds: 3_600, intervalSeconds: 600 });
    await process.stop('SIGTERM');
  });
  afterEach(() => Promise.all([...running].map((process) => process.stop('SIGKILL'))));
  after(removeTemporaryFolders);

  /** A backup of the folder, to which somebody has added a file. */
  async function changedBackup(path: string, text: string): Promise<string> {
    const backup = join(await temporaryFolder(), 'backup');
    const { code, err } = await runTandem(['backup', backup, '--data-dir', original]);
    expect(code, err).to.equal(0);
    await mkdir(dirname(join(backup, path)), { recursive: true });
    await writeFile(join(backup, path), text);
    const manifest = join(backup, 'backup.json');
    const about = JSON.parse(await readFile(manifest, 'utf8'));
    const sha256 = createHash('sha256').update(text).digest('hex');
    about.files.push({ path, bytes: Buffer.byteLength(text), sha256 });
    await writeFile(manifest, JSON.stringify(about));
    return backup;
  }

  for (const path of ['gateway.lock', 'setup-code', 'socket/gateway.sock', 'restore.json'])
    it(`S1: a restore takes no ${path} from a backup`, async () => {
      const dataDir = await temporaryFolder();
      const backup = await changedBackup(path, '{}');
      const { code, err } = await runTandem(['restore', backup, '--yes', '--data-dir', dataDir]);
      expect(existsSync(join(dataDir, path)), err).to.equal(false);
      expect([code, await readdir(dataDir)], err).to.deep.equal([1, []]);
    });

  it('S1: a lock in a backup names nobody who gets the password', async () => {
    const token = 'a token that the stranger knows';
    const heard: string[] = [];
    const stranger = createServer((request, response) => {
      const { port } = stranger.address() as AddressInfo;
      const proven = `${request.headers['x-tandem-challenge']}:${port}`;
      request.on('data', (chunk) => heard.push(String(chunk)));
      request.on('end', () => {
        const proof = createHmac('sha256', token).update(proven).digest('hex');
        const body = '{"status":"ok"}';
        const about = { 'content-type': 'application/json', 'content-length': body.length };
        response.writeHead(200, { ...about, 'x-tandem-proof': proof }).end(body);
      });
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const { port } = stranger.address() as AddressInfo;
    const { pid } = process;
    const lock = {
      pid,
      identity: processIdentity(pid),
      token,
      url: `http://127.0.0.1:${port}`,
      socketPath: null,
    };
    const dataDir = await temporaryFolder();
    const backup = await changedBackup('gateway.lock', JSON.stringify(lock));
    await runTandem(['restore', backup, '--yes', '--data-dir', dataDir]);
    const { err } = await runTandem(
      ['keys', 'create', '--email', 'ada@example.test', '--data-dir', dataDir],
      {
        env: { TANDEM_PASSWORD: PASSWORD },
      },
    );
    stranger.close();
    expect(heard.join(' '), err).not.to.include(PASSWORD);
    expect(heard.join(' '), err).not.to.include('ada@example.test');
  });

  it('S2: a restore.json with ../ moves nothing outside the data folder', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'outside'));
    await writeFile(join(folder, 'outside', 'diary'), 'mine');
    const dataDir = join(folder, 'data');
    await cp(await copyOf(original), dataDir, { recursive: true });
    await chmod(dataDir, 0o700);
    const steps = { replaced: 'before-restore-1', out: ['../outside'], in: [] };
    await writeFile(join(dataDir, 'restore.json'), JSON.stringify(steps));
    const end = await start(dataDir);
    expect(existsSync(join(folder, 'outside', 'diary')), `the start: ${end}`).to.equal(true);
    expect(end).to.equal(1);
  });

  it('S3: a copy trades nothing beside its original, until its user says that it takes over', async () => {
    const copy = await copyOf(original);
    const first = launch(original);
    await first.ready;
    expect(await start(copy), 'beside the original').to.equal(1);
    await first.stop('SIGTERM');
    expect(await start(copy), 'once the original has stopped').to.equal(1);
    expect(await start(copy, '--take-over')).to.equal('serves');
  });

  it('S4: a prebuilt SQLite is not used unless its digest is the recorded one', async () => {
    const root = await temporaryFolder();
    const put = async (name: string, text: string) => {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    };
    const digest = createHash('sha256').update('recorded').digest('hex');
    const systems = ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64'];
    const sha256 = Object.fromEntries(systems.map((system) => [system, digest]));
    await put('package.json', '{}');
    await put('build/sqlite-digests.json', JSON.stringify({ version: '6.0.1', sha256 }));
    for (const name of ['native.cjs', 'fresh.cjs'])
      await copyFile(join(dirname(TANDEM_PROGRAM), name), join(root, 'build', name));
    const leaves = (text: string) =>
      `const fs = require('node:fs'); fs.mkdirSync('build/Release', { recursive: true });
      fs.writeFileSync('build/Release/node_sqlite3.node', '${text}');`;
    // Whatever binary is there loads.
    const driver = 'exports.Database = class { constructor(name, done) { done(null); } };';
    await put('node_modules/sqlite3/package.json', '{"name":"sqlite3","version":"6.0.1","main":"index.js"}');
    await put('node_modules/sqlite3/index.js', driver);
    await put('node_modules/prebuild-install/bin.js', leaves('somebody else’s'));
    await put('node_modules/node-gyp/bin/node-gyp.js', leaves('compiled here'));
    const script = join(root, 'build', 'native.cjs');
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    const binary = join(root, 'node_modules/sqlite3/build/Release/node_sqlite3.node');
    expect([status, await readFile(binary, 'utf8')], stderr).to.deep.equal([0, 'compiled here']);
  });

  for (const mode of [0o777, 0o770])
    it(`S5: a data folder of mode ${mode.toString(8)} is refused`, async () => {
      const dataDir = await temporaryFolder();
      await chmod(dataDir, mode);
      expect(await start(dataDir)).to.equal(1);
      await chmod(dataDir, 0o700);
      expect(await start(dataDir)).to.equal('serves');
    });

  for (const [surface, act] of [
    ...SURFACES.map((one) => [one, 'a close'] as const),
    ['REST', 'a panic'] as const,
  ])
    it(`S6 over ${surface}: ${act} goes to the venue while the disk is full, and the user is told once`, async function () {
      const folder = await temporaryFolder();
      if (!mount(folder)) this.skip();
      const dataDir = join(folder, 'data');
      await mkdir(dataDir, { mode: 0o700 });
      const gateway = await AuthorityGateway.open({ dataDir });
      try {
        const desk = await gateway.desk();
        const id = await desk.opened(desk.user(), [usd('SOL', 'BUY', '500')]);
        const reserve = () => existsSync(join(dataDir, 'disk-reserve'));
        await until('space is set aside', reserve, RESERVE_MS).catch(() => null);
        const ballast = join(folder, 'ballast');
        await fill(ballast);
        const opening = { type: 'MARKET', legs: [usd('BTC', 'BUY', '500')] };
        expect((await desk.bot.call('POST', '/trade/open', opening)).status).to.equal(500);
        const asked =
          act === 'a panic'
            ? (await desk.user().call('POST', '/safety/panic', { confirm: 'CLOSE ALL' })).text
            : (
                await desk.ask(
                  surface,
                  ['POST', `/positions/${id}/close`, { type: 'MARKET' }],
                  ['preview_change', { position_id: id, action: 'close' }],
                )
              ).text;
        const isClosed = async () => (await desk.position(id)).status === 'CLOSED';
        expect(await until('it is closed', isClosed, 10_000).catch(() => false), asked).to.equal(true);
        await rm(ballast);
        const told = await until(
          'the user is told',
          async () => {
            const { notifications } = await desk.user().expect('GET', '/notifications');
            const those = notifications.filter(
              ({ parameters }: Json) => parameters.reason?.includes('Closing went on') === true,
            );
            return those.length === 0 ? null : those;
          },
          90_000,
        );
        expect(told).to.have.length(1);
        expect(told[0].parameters.reason).to.match(/from \S+ to \S+,/);
      } finally {
        await gateway.close();
        unmount(folder);
      }
    });

  it('S7: --paper-replay of a device or a pipe ends the start', async () => {
    const pipe = join(await temporaryFolder(), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).to.equal(0);
    for (const file of ['/dev/zero', pipe])
      expect(await start(await temporaryFolder(), '--paper-replay', file), file).to.equal(1);
  });

  it('S7: a request that a caller repeats though it fails is one line of the log', () =>
    AuthorityGateway.during({}, async (gateway) => {
      const desk = await gateway.desk();
      const id = await desk.opened(desk.user(), PAIR);
      // The gateway has no candles for a beta yet.
      const plan = () => desk.agent().call('POST', `/positions/${id}/rebalance/plan`, { mode: 'LIVE_BETA' });
      for (let nth = 0; nth < 20; nth += 1) expect((await plan()).status).to.be.oneOf([409, 500]);
      await sleep(500);
      expect(errorRecords(gateway.errorLines)).to.have.length.at.most(1);
    }));
});
