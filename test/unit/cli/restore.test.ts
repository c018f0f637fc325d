/** Copies of the data folder that somebody else has made or changed: what `tandem restore` and the next start take of them. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { restoreBackup } from '../../../gateway/folder/backup.ts';
import { copyTo, withFile } from '../../../gateway/folder/backup-files.ts';
import { tandem } from '../../support/command-line.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Names of one run of the gateway or of a restore, which `tandem backup` leaves out. */
const OF_A_RUN = [
  'gateway.lock',
  'Gateway.LOCK',
  'gateway.lock.takeover',
  'setup-code',
  'socket/gateway.sock',
  'restore.json',
  'restore-incoming/config.json',
  'before-restore-1/config.json',
  'config.json.1.tmp',
  'copy.partial/config.json',
];

/** Logs that SQLite would play into the database. */
const LOGS = ['tandem.db-wal', 'tandem.db-shm', 'Tandem.db-journal'];

const FAR_TOO_LARGE_BYTES = 8 * 1024 ** 4;

describe('restoring', () => {
  /** A start that is interrupted at once where nothing refuses it. */
  const startOn = (dataDir: string) =>
    tandem(['start', '--port', '0', '--vault', 'memory', '--data-dir', dataDir], {
      interrupted: AbortSignal.abort(),
    });

  /** A backup with these files beside settings and database, all of which its checksums fit. */
  async function backupWith(names: readonly string[], usual = ['config.json', 'tandem.db']): Promise<string> {
    const folder = await temporaryFolder();
    const files = [];
    for (const path of [...usual, ...names]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), '{}');
      files.push({ path, bytes: 2, sha256: createHash('sha256').update('{}').digest('hex') });
    }
    const about = { tandem: 'backup', version: '0.1.0', createdAt: '2026-01-01T00:00:00.000Z', files };
    await writeFile(join(folder, 'backup.json'), JSON.stringify(about));
    return folder;
  }

  async function dataFolder(): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'config.json'), '{"port":7400}');
    return folder;
  }

  /** The reason why the backup is refused, once nothing in the data folder has changed. */
  async function refusal(source: string): Promise<string> {
    const dataDir = await dataFolder();
    const { code, out, err } = await tandem(['restore', source, '--yes', '--data-dir', dataDir]);
    expect([code, out]).to.deep.equal([1, '']);
    expect(await readdir(dataDir)).to.deep.equal(['config.json']);
    expect(await readFile(join(dataDir, 'config.json'), 'utf8')).to.equal('{"port":7400}');
    return err;
  }

  for (const name of [...OF_A_RUN, ...LOGS]) {
    it(`takes no ${name} from a backup, and nothing else of it`, async () => {
      const source = await backupWith([name]);
      expect(await refusal(source)).to.equal(
        `tandem: ${join(source, 'backup.json')} names ${name}, which no backup holds: it was changed, and nothing was restored`,
      );
    });
  }

  it('takes no backup without the database, and none is made of a folder without one', async () => {
    const source = await backupWith([], ['config.json', 'TANDEM.DB', 'paper/tandem.db']);
    expect(await refusal(source)).to.equal(
      `tandem: the backup ${source} lacks tandem.db, and nothing was restored`,
    );
    const copy = join(await temporaryFolder(), 'copy');
    const { code, err } = await tandem(['backup', copy, '--data-dir', await dataFolder()]);
    expect([code, err.includes('has no tandem.db')]).to.deep.equal([1, true]);
  });

  it('takes no backup of a database with a log, and none is made', async () => {
    const dataDir = await dataFolder();
    for (const name of ['tandem.db', 'tandem.db-wal', 'tandem.db-shm'])
      await writeFile(join(dataDir, name), '{}');
    const copy = join(await temporaryFolder(), 'copy');
    const { code, err } = await tandem(['backup', copy, '--data-dir', dataDir]);
    expect([code, err]).to.deep.equal([
      1,
      'tandem: the gateway did not stop in order the last time: start it and stop it once (tandem stop), then make the backup',
    ]);
    // An empty log holds nothing, and is left out.
    await writeFile(join(dataDir, 'tandem.db-wal'), '');
    expect((await tandem(['backup', copy, '--data-dir', dataDir])).code).to.equal(0);
    expect((await readdir(copy)).toSorted()).to.deep.equal(['backup.json', 'config.json', 'tandem.db']);
  });

  it('leaves no log of the replaced database beside the new one', async () => {
    const dataDir = await dataFolder();
    for (const name of ['tandem.db', 'tandem.db-wal']) await writeFile(join(dataDir, name), 'old');
    const { out } = await tandem([
      ...['restore', await backupWith([]), '--yes', '--json'],
      ...['--data-dir', dataDir],
    ]);
    const { replaced } = JSON.parse(out);
    const files = (await readdir(dataDir)).toSorted();
    expect(files).to.deep.equal([basename(replaced), 'config.json', 'tandem.db']);
    expect((await readdir(replaced)).toSorted()).to.deep.equal(['config.json', 'tandem.db', 'tandem.db-wal']);
  });

  it('takes nothing that comes twice, or under two spellings', async () => {
    for (const names of [['config.json'], ['TANDEM.DB'], ['tandem.db.'], ['Paper/a', 'paper/b']]) {
      expect(await refusal(await backupWith(names)), names[0]).to.contain(
        `names ${names.at(-1)}, which no backup holds`,
      );
    }
  });

  it('compares sizes with the files and with the free space before it reads one', async () => {
    const source = await backupWith(['large']);
    await truncate(join(source, 'large'), FAR_TOO_LARGE_BYTES);
    expect(await refusal(source)).to.contain('is damaged: large is not what was copied');
    const manifest = join(source, 'backup.json');
    const about = JSON.parse(await readFile(manifest, 'utf8'));
    about.files.at(-1).bytes = FAR_TOO_LARGE_BYTES;
    await writeFile(manifest, JSON.stringify(about));
    expect(await refusal(source)).to.contain(`needs ${FAR_TOO_LARGE_BYTES + 4} bytes, and `);
  });

  it('writes nothing before every file has been compared with its checksum', async () => {
    const source = await backupWith(['last']);
    await writeFile(join(source, 'last'), '[]');
    const dataDir = await dataFolder();
    const { mtimeMs } = await stat(dataDir);
    const error = await restoreBackup(dataDir, source, 0).catch((reason: Error) => reason);
    expect(error).to.have.property('message', `the backup ${source} is damaged: last is not what was copied`);
    expect((await stat(dataDir)).mtimeMs).to.equal(mtimeMs);
  });

  it('copies no byte beyond the size of a file that grew since', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'grown'), Buffer.alloc(3 * 1024 * 1024));
    const to = join(folder, 'copy');
    const most = 2 * 1024 * 1024;
    const digest = await withFile(join(folder, 'grown'), (from) => copyTo(to, from, most));
    expect(digest.bytes).to.be.greaterThan(most);
    expect((await stat(to)).size).to.be.at.most(most);
  });

  it('removes the copies of a restore that was killed before anything moved', async () => {
    const dataDir = await dataFolder();
    const leave = async () => {
      await mkdir(join(dataDir, 'restore-incoming'));
      await writeFile(join(dataDir, 'restore-incoming', 'tandem.db'), 'half');
    };
    await leave();
    const { code, err } = await startOn(dataDir);
    expect(code, err).to.equal(0);
    expect(err).not.to.contain('restore');
    expect(await readdir(dataDir)).not.to.include('restore-incoming');
    await leave();
    expect((await tandem(['restore', '/nonexistent', '--yes', '--data-dir', dataDir])).code).to.equal(1);
    expect(await readdir(dataDir)).not.to.include('restore-incoming');
  });

  for (const name of ['backup.json', 'tandem.db', 'paper/a']) {
    it(`waits for no pipe and follows no link in the place of ${name}`, async function () {
      if (process.platform === 'win32') this.skip();
      const source = await backupWith(['paper/a']);
      const file = join(source, name);
      const original = join(await temporaryFolder(), 'original');
      await rename(file, original);
      await symlink(original, file);
      const reason = `tandem: ${file} is no plain file, and nothing was restored: the backup was changed`;
      expect(await refusal(source)).to.equal(reason);
      await rm(file);
      execFileSync('mkfifo', [file]);
      expect(await refusal(source)).to.equal(reason);
    });
  }

  it('follows no link in the place of a folder of the backup', async () => {
    const source = await backupWith(['paper/deep/a']);
    const outside = join(await temporaryFolder(), 'paper');
    await rename(join(source, 'paper'), outside);
    await symlink(outside, join(source, 'paper'));
    expect(await refusal(source)).to.equal(
      `tandem: ${join(source, 'paper')} is no plain folder, and nothing was restored: the backup was changed`,
    );
  });

  it('takes everything that a backup holds, whatever its name, and nothing that it leaves out', async () => {
    const part = fc.oneof(
      fc.constantFrom(...OF_A_RUN.flatMap((name) => name.split('/'))),
      fc.stringMatching(/^[a-z]{1,6}(\.(db|json|tmp))?$/),
    );
    await forAllAsync([part, fc.option(part, { nil: null })], propertyRuns(40), async (first, second) => {
      fc.pre(!['backup.json', 'config.json', 'tandem.db'].includes(first));
      // A folder in the place of the lock keeps every command out.
      fc.pre(second === null || !/^gateway.lock/i.test(first));
      const dataDir = await dataFolder();
      const path = second === null ? first : `${first}/${second}`;
      // The model: a backup of a folder with that file either holds it or not.
      const origin = await temporaryFolder();
      await mkdir(dirname(join(origin, path)), { recursive: true });
      for (const name of ['tandem.db', path]) await writeFile(join(origin, name), '{}');
      const copy = join(await temporaryFolder(), 'copy');
      // A lock that is only a file with other words keeps nobody out.
      expect((await tandem(['backup', copy, '--data-dir', origin])).code).to.equal(0);
      const { files } = JSON.parse(await readFile(join(copy, 'backup.json'), 'utf8'));
      const isHeld = files.some((file: { path: string }) => file.path.toLowerCase() === path.toLowerCase());
      const { code } = await tandem(['restore', await backupWith([path]), '--yes', '--data-dir', dataDir]);
      expect(code, path).to.equal(isHeld ? 0 : 1);
    });
  });

  /** A folder beside another one, with the file of a restore that was cut off. */
  async function cutOff(steps: object): Promise<{ dataDir: string; outside: string }> {
    const folder = await temporaryFolder();
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'diary'), 'mine');
    const dataDir = join(folder, 'data');
    await mkdir(join(dataDir, 'restore-incoming'), { recursive: true, mode: 0o700 });
    await chmod(dataDir, 0o700);
    await writeFile(join(dataDir, 'config.json'), '{"port":0}');
    await writeFile(join(dataDir, 'restore.json'), JSON.stringify(steps));
    return { dataDir, outside };
  }
  const CUT_OFF: readonly (readonly [string, object])[] = [
    [
      'that moves out what lies beside it',
      { replaced: 'before-restore-1', out: ['config.json', '../outside'], in: [] },
    ],
    ['that takes in what lies beside it', { replaced: 'before-restore-1', out: [], in: ['../../outside'] }],
    [
      'whose old files go elsewhere',
      { replaced: 'before-restore-/../../elsewhere', out: ['config.json'], in: [] },
    ],
    ['that names the folder itself', { replaced: 'before-restore-1', out: ['.'], in: [] }],
    ['that names a Windows path', { replaced: 'before-restore-1', out: ['..\\outside'], in: [] }],
    ['that takes in a lock', { replaced: 'before-restore-1', out: [], in: ['gateway.lock'] }],
    ['that takes in a log of the database', { replaced: 'before-restore-1', out: [], in: ['tandem.db-wal'] }],
    ['without names', { replaced: 'before-restore-1' }],
  ];
  for (const [name, steps] of CUT_OFF) {
    it(`finishes no restore ${name}: nothing moves, and the start says what to do`, async () => {
      const { dataDir, outside } = await cutOff(steps);
      const { code, err } = await startOn(dataDir);
      expect([code, err]).to.deep.equal([
        1,
        `tandem: ${join(dataDir, 'restore.json')} is not of a restore that Tandem began, and nothing was moved: remove it and restore-incoming, then restore your backup again`,
      ]);
      expect((await readdir(dataDir)).toSorted()).to.deep.equal([
        'config.json',
        'restore-incoming',
        'restore.json',
      ]);
      expect(await readFile(join(outside, 'diary'), 'utf8')).to.equal('mine');
      const backup = await backupWith([]);
      expect((await tandem(['restore', backup, '--yes', '--data-dir', dataDir])).err).to.equal(err);
    });
  }

  it('finishes no restore through a link that leads out of the folder', async () => {
    const { dataDir, outside } = await cutOff({ replaced: 'before-restore-1', out: ['config.json'], in: [] });
    await symlink(outside, join(dataDir, 'before-restore-1'));
    expect((await startOn(dataDir)).code).to.equal(1);
    expect(await readdir(outside)).to.deep.equal(['diary']);
  });
});
