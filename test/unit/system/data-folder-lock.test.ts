import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { acquireDataFolderLock, dataFolderHolder } from '../../../gateway/system/data-folder-lock.ts';
import { processIdentity } from '../../../gateway/system/process-identity.ts';
import { programFile } from '../../support/program-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilSettled } from '../../support/until.ts';
import { unwrap } from '../../support/unwrap.ts';

const MODULE = programFile(new URL('../../../gateway/system/data-folder-lock.ts', import.meta.url));

/** A process that tries to take the lock, says `held` or `refused`, and waits to be killed. */
function contender(dataDir: string) {
  const program = `
    const { acquireDataFolderLock } = await import(${JSON.stringify(MODULE)});
    const lock = acquireDataFolderLock(process.argv[1]);
    console.log(lock.ok ? 'held' : 'refused: ' + lock.error.message);
    process.stdin.resume();`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ReturnType<typeof contender>): Promise<string> {
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk).trim();
}

async function kill(child: ReturnType<typeof contender>): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

const acquired = (dataDir: string) => unwrap(acquireDataFolderLock(dataDir));

describe('data folder lock', () => {
  it('is held once, tells the address, and is free after release', async () => {
    const dataDir = await temporaryFolder();
    const lock = acquired(dataDir);
    lock.publish('http://127.0.0.1:7391');
    const second = acquireDataFolderLock(dataDir);
    expect(second.ok).to.equal(false);
    if (!second.ok) {
      expect(second.error.message)
        .to.contain(`pid ${process.pid}`)
        .and.to.contain('http://127.0.0.1:7391')
        .and.to.contain('--data-dir');
    }
    expect(dataFolderHolder(dataDir)).to.include({ pid: process.pid, url: 'http://127.0.0.1:7391' });
    expect((await stat(join(dataDir, 'gateway.lock'))).mode & 0o777).to.equal(0o600);
    lock.release();
    lock.release();
    expect(dataFolderHolder(dataDir)).to.equal(null);
    expect(await readdir(dataDir)).to.deep.equal([]);
    acquired(dataDir).release();
  });

  it('keeps a second process out, and lets the next one in when the holder was killed', async () => {
    const dataDir = await temporaryFolder();
    const holder = contender(dataDir);
    expect(await firstLine(holder)).to.equal('held');
    const refused = acquireDataFolderLock(dataDir);
    expect(refused.ok || refused.error.kind).to.equal('held');
    await kill(holder);
    const lock = acquired(dataDir);
    expect(await readdir(dataDir)).to.deep.equal(['gateway.lock']);
    lock.release();
  });

  it('gives a stale lock to exactly one of several that start together', async () => {
    const dataDir = await temporaryFolder();
    const dead = contender(dataDir);
    expect(await firstLine(dead)).to.equal('held');
    await kill(dead);
    const contenders = Array.from({ length: 4 }, () => contender(dataDir));
    const answers = await Promise.all(contenders.map(firstLine));
    expect(answers.filter((answer) => answer === 'held')).to.have.length(1);
    expect(answers.filter((answer) => answer.startsWith('refused: another Tandem'))).to.have.length(3);
    await Promise.all(contenders.map(kill));
  });

  it('is not fooled by a pid that belongs to another process now', async function () {
    if (processIdentity(process.ppid) === null) return this.skip();
    const dataDir = await temporaryFolder();
    const path = join(dataDir, 'gateway.lock');
    const left = { pid: process.ppid, identity: 'another boot:1', token: 'x', url: null };
    await writeFile(path, JSON.stringify(left));
    acquired(dataDir).release();
    await writeFile(path, JSON.stringify({ ...left, identity: processIdentity(process.ppid) }));
    expect(acquireDataFolderLock(dataDir).ok).to.equal(false);
  });

  it('takes over a lock that lost its content, and one of this very process that was abandoned', async () => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, 'gateway.lock');
    await writeFile(path, '');
    acquired(dataDir).release();
    await writeFile(
      path,
      JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid), token: 'old', url: null }),
    );
    const lock = acquired(dataDir);
    expect(JSON.parse(await readFile(path, 'utf8'))).to.include({ pid: process.pid });
    lock.release();
  });

  it('is not kept out by one that died while it took a stale lock over', async () => {
    const dataDir = await temporaryFolder();
    const dead = contender(dataDir);
    expect(await firstLine(dead)).to.equal('held');
    await kill(dead);
    const stale = await readFile(join(dataDir, 'gateway.lock'), 'utf8');
    for (const left of [stale, '']) {
      await writeFile(join(dataDir, 'gateway.lock'), stale);
      await writeFile(join(dataDir, 'gateway.lock.takeover'), left);
      const lock = acquired(dataDir);
      expect(await readdir(dataDir)).to.deep.equal(['gateway.lock']);
      lock.release();
    }
  });

  it('waits for one that is taking it over, and does not push it aside', async () => {
    const dataDir = await temporaryFolder();
    const inside = { pid: process.ppid, identity: processIdentity(process.ppid), token: 'x', url: null };
    await writeFile(join(dataDir, 'gateway.lock'), '');
    await writeFile(join(dataDir, 'gateway.lock.takeover'), JSON.stringify(inside));
    const refused = acquireDataFolderLock(dataDir);
    expect(refused.ok || refused.error.kind).to.equal('unusable');
    expect(JSON.parse(await readFile(join(dataDir, 'gateway.lock.takeover'), 'utf8'))).to.deep.equal(inside);
  });

  it('is a clear error where the folder is not there', async () => {
    const refused = acquireDataFolderLock(join(await temporaryFolder(), 'missing'));
    expect(refused.ok || refused.error.kind).to.equal('unusable');
  });

  it('is free when its holder was killed and its parent has not taken note of it', async function () {
    if (process.platform !== 'linux') this.skip();
    const dataDir = await temporaryFolder();
    const program = `
      const { acquireDataFolderLock } = await import(${JSON.stringify(MODULE)});
      console.log(acquireDataFolderLock(process.argv[1]).ok ? process.pid : 'refused');
      process.stdin.resume();`;
    // The shell becomes a program that never asks after its children.
    const parent = spawn(
      'sh',
      [
        '-c',
        '"$0" --input-type=module -e "$1" "$2" <&3 & exec sleep 600 >&-',
        process.execPath,
        program,
        dataDir,
      ],
      { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
    );
    const { stdout } = parent;
    if (stdout === null) throw new Error('the shell has no pipe');
    try {
      const [chunk] = await once(stdout, 'data');
      const pid = Number(String(chunk).trim());
      expect(acquireDataFolderLock(dataDir).ok, 'while it runs').to.equal(false);
      const outputEnds = once(stdout.resume(), 'end');
      process.kill(pid, 'SIGKILL');
      await outputEnds;
      await untilSettled('the holder is a zombie', async () =>
        (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '),
      );
      expect(dataFolderHolder(dataDir)).to.equal(null);
      acquired(dataDir).release();
    } finally {
      const ended = once(parent, 'close');
      parent.kill('SIGKILL');
      await ended;
    }
  });
});
