import { execFileSync } from 'node:child_process';
import { chmod, chown, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkDataFolder } from '../../../gateway/cli/doctor/check-data-folder.ts';
import { ensureDataFolder } from '../../../gateway/system/data-folder.ts';
import { tandem } from '../../support/command-line.ts';
import { canBeOthers, STRANGER } from '../../support/other-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('data folder', () => {
  it('is made for its owner alone', async () => {
    const path = join(await temporaryFolder(), 'deep', 'tandem');
    expect(ensureDataFolder(path)).to.deep.equal({ ok: true, value: { created: true, warning: null } });
    expect((await stat(path)).mode & 0o777).to.equal(0o700);
    expect(ensureDataFolder(path)).to.deep.equal({ ok: true, value: { created: false, warning: null } });
  });

  it('refuses one into which others can write, and leaves it as it is', async function () {
    if (process.platform === 'win32') this.skip();
    const lines = [
      ['start', '--port', '0', '--vault', 'memory'],
      ['backup', '/nonexistent/copy'],
      ['restore', '/nonexistent/copy', '--yes'],
      ['keys', 'create', '--email', 'ada@example.test', '--port', '7391'],
    ];
    for (const mode of [0o777, 0o770, 0o702, 0o720, 0o1777]) {
      const path = await temporaryFolder();
      await chmod(path, mode);
      for (const line of lines) {
        const { code, err } = await tandem([...line, '--data-dir', path], {
          interrupted: AbortSignal.abort(),
          env: { TANDEM_PASSWORD: 'correct horse battery' },
        });
        expect([code, err], line[0]).to.deep.equal([
          1,
          `tandem: other users can write to the data folder ${path} (mode ${(mode & 0o777).toString(8).padStart(4, '0')}), and so change or replace its files; close it with: chmod 700 '${path}'`,
        ]);
      }
      expect(checkDataFolder(path)).to.include({ level: 'FAIL', mend: `chmod 700 '${path}'` });
      expect((await stat(path)).mode & 0o1777).to.equal(mode);
      expect(await readdir(path)).to.deep.equal([]);
    }
  });

  it('warns of one that others can only read, and leaves it as it is', async () => {
    const path = await temporaryFolder();
    await chmod(path, 0o755);
    const answer = ensureDataFolder(path);
    expect(answer.ok && answer.value.warning).to.contain('chmod 700');
    expect((await stat(path)).mode & 0o777).to.equal(0o755);
  });

  it('refuses one of another user, whatever may be read and written there', async function () {
    if (!canBeOthers()) this.skip();
    const path = await temporaryFolder();
    await chmod(path, 0o777);
    await chown(path, STRANGER, STRANGER);
    const answer = ensureDataFolder(path);
    expect(!answer.ok && answer.error)
      .to.contain('belongs to another user')
      .and.to.contain('--data-dir')
      .and.to.contain(`sudo -u '#${STRANGER}'`);
  });

  it('refuses a file of another user in it, who may still hold it open', async function () {
    if (!canBeOthers()) this.skip();
    const path = await temporaryFolder();
    const file = join(path, 'paper.journal');
    await writeFile(file, '', { mode: 0o600 });
    await chown(file, STRANGER, STRANGER);
    const answer = ensureDataFolder(path);
    expect(!answer.ok && answer.error)
      .to.contain(`${file} belongs to another user`)
      .and.to.contain('put the copy in its place');
  });

  it('refuses a pipe in it, of which a read never ends', async function () {
    if (process.platform === 'win32') this.skip();
    const path = await temporaryFolder();
    execFileSync('mkfifo', [join(path, 'paper.journal')]);
    const { code, err } = await tandem(['start', '--port', '0', '--vault', 'memory', '--data-dir', path], {
      interrupted: AbortSignal.abort(),
    });
    expect([code, err]).to.deep.equal([
      1,
      `tandem: ${join(path, 'paper.journal')} is a pipe or a device, and no file; move it away`,
    ]);
  });

  it('says in one sentence that its lock cannot be read', async function () {
    if (process.platform === 'win32') this.skip();
    const path = await temporaryFolder();
    const lock = join(path, 'gateway.lock');
    await writeFile(lock, '', { mode: 0o000 });
    await chmod(path, 0o755);
    const commands = ['stop', 'status', 'positions'];
    // Every command is loaded before, since its file may be readable by root alone.
    for (const command of commands) await tandem([command, '--help']);
    const isRoot = canBeOthers();
    if (isRoot) process.seteuid?.(STRANGER);
    try {
      for (const command of commands) {
        const { code, err } = await tandem([command, '--data-dir', path]);
        expect([code, err]).to.deep.equal([
          1,
          `tandem: ${lock} cannot be read: EACCES: permission denied, open '${lock}'`,
        ]);
      }
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('refuses a file', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    expect(ensureDataFolder(path).ok).to.equal(false);
    expect(ensureDataFolder(join(path, 'inside')).ok).to.equal(false);
  });
});
