import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { judgeFreeSpace } from '../../../gateway/cli/doctor/check-data-folder.ts';
import { checkClock, checkNativeModules, checkNode } from '../../../gateway/cli/doctor/check-program.ts';
import type { Finding } from '../../../gateway/cli/doctor/finding.ts';
import { databaseFile } from '../../../gateway/config.ts';
import { openHandle } from '../../../gateway/store/file/sqlite-handle.ts';
import { tandem } from '../../support/command-line.ts';
import { listenLocally } from '../../support/local-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startStubGateway } from './stub-gateway.ts';

describe('doctor', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });

  async function examine(argv: readonly string[] = [], env: Record<string, string> = {}) {
    const end = await tandem(
      ['doctor', '--json', '--port', '0', '--vault', 'file', '--data-dir', dataDir, ...argv],
      { env },
    );
    const { healthy, findings }: { healthy: boolean; findings: Finding[] } = JSON.parse(end.out);
    expect(end.code).to.equal(healthy ? 0 : 1);
    return {
      healthy,
      of(check: string): Finding {
        const finding = findings.find((one) => one.check === check);
        if (finding === undefined) throw new Error(`no finding '${check}'`);
        return finding;
      },
    };
  }

  async function database(version: number): Promise<string> {
    const file = databaseFile(dataDir);
    await writeFile(file, '', { mode: 0o600 });
    const handle = await openHandle(file, 'read-write');
    await handle.exec(
      `CREATE TABLE t (x); INSERT INTO t SELECT hex(randomblob(2000)) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8)); PRAGMA user_version = ${version};`,
    );
    await handle.close();
    return file;
  }

  it('finds a new folder healthy and leaves nothing in it', async () => {
    const answer = await examine();
    expect(answer.healthy).to.equal(true);
    expect(answer.of('database').detail).to.contain('none yet');
    expect(answer.of('vault').level).to.equal('WARN');
    expect(await readdir(dataDir)).to.deep.equal([]);
  });

  it('prints one line a check, and what mends it', async () => {
    await chmod(dataDir, 0o755);
    const end = await tandem(['doctor', '--port', '0', '--vault', 'file', '--data-dir', dataDir]);
    expect(end.code).to.equal(0);
    expect(end.out).to.match(/^OK {4}node /m);
    expect(end.out).to.match(/^WARN {2}data folder .*0755\)\n +→ chmod 700 /m);
  });

  it('fails on a data folder that is a file', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    const answer = await tandem(['doctor', '--port', '0', '--vault', 'memory', '--data-dir', file]);
    expect(answer.code).to.equal(1);
    expect(answer.out).to.match(/^FAIL {2}data folder .* is a file$/m);
  });

  it('warns of files that others can read', async () => {
    await writeFile(join(dataDir, 'vault.key'), '', { mode: 0o644 });
    expect((await examine()).of('data folder')).to.include({
      level: 'WARN',
      mend: `chmod 600 '${join(dataDir, 'vault.key')}'`,
    });
  });

  it('opens the database and tells its schema', async () => {
    await database(1);
    expect((await examine()).of('database')).to.include({ level: 'OK' });
  });

  it('fails on a database of a newer program, on a damaged one, and on something else in its place', async () => {
    const file = await database(9_999);
    const newer = (await examine()).of('database');
    expect(newer.level).to.equal('FAIL');
    expect(newer.detail).to.contain('schema 9999');
    const bytes = Buffer.alloc(16_384, 7);
    await writeFile(file, Buffer.concat([Buffer.from('SQLite format 3\0'), bytes]));
    expect((await examine()).of('database').level).to.equal('FAIL');
    await writeFile(file, 'this is a letter, not a database, and long enough to be looked at');
    expect((await examine()).of('database').level).to.equal('FAIL');
  });

  const atPort = (port: string) =>
    tandem(['doctor', '--json', '--vault', 'memory', '--data-dir', dataDir, '--port', port]);

  it('tells a port held by a Tandem from one taken by another program', async () => {
    const stub = await startStubGateway({ 'GET /version': () => [200, { version: '9.9.9' }] });
    const tandemPort = new URL(stub.url).port;
    const held = await atPort(tandemPort);
    await stub.close();
    expect(held.out).to.contain('held by the running Tandem 9.9.9');

    const other = createServer((socket) => socket.end('220 mail\r\n'));
    const taken = await atPort(String(await listenLocally(other)));
    other.close();
    expect(taken.code).to.equal(1);
    expect(taken.out).to.contain('taken by another program on 127.0.0.1');
  });

  it('goes on with settings that are not understood', async () => {
    await writeFile(join(dataDir, 'config.json'), '{"prot": 1}', { mode: 0o600 });
    const answer = await examine();
    expect(answer.of('settings').level).to.equal('FAIL');
    expect(answer.of('settings').detail).to.contain('did you mean port?');
    expect(answer.of('data folder').detail).to.contain(dataDir);
  });

  it('judges Node, native modules, disk and clock', async () => {
    expect(checkNode('20.18.9').level).to.equal('FAIL');
    expect([checkNode('20.19.0').level, checkNode('22.1.0').level]).to.deep.equal(['OK', 'OK']);
    const broken = await checkNativeModules([['lost', () => import(join(dataDir, 'nowhere.mjs'))]]);
    expect(broken).to.include({ level: 'FAIL', mend: 'npm ci' });
    const mib = 1024 * 1024;
    expect([50, 500, 5_000].map((free) => judgeFreeSpace(free * mib, '/').level)).to.deep.equal([
      'FAIL',
      'WARN',
      'OK',
    ]);
    expect((await checkClock(Date.UTC(2001, 0, 1), dataDir)).level).to.equal('FAIL');
    const file = await database(1);
    const now = Date.UTC(2100, 0, 1);
    const future = new Date(now + 86_400_000);
    await utimes(file, future, future);
    expect(await checkClock(now, dataDir)).to.include({ level: 'WARN' });
    await mkdir(join(dataDir, 'empty'));
    expect((await checkClock(now, join(dataDir, 'empty'))).level).not.to.equal('FAIL');
  });
});
