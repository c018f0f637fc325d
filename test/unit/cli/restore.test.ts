/** Copies of the data folder that somebody else has made or changed: what `tandem restore` and the next start take of them. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { tandem } from '../../support/command-line.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.ts';

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

describe('restoring', () => {
  afterEach(removeTemporaryFolders);

  /** A start that is interrupted at once where nothing refuses it. */
  const startOn = (dataDir: string) =>
    tandem(['start', '--port', '0', '--vault', 'memory', '--data-dir', dataDir], {
      interrupted: AbortSignal.abort(),
    });

  /** A backup with these files beside the settings, all of which its checksums fit. */
  async function backupWith(names: readonly string[]): Promise<string> {
    const folder = await temporaryFolder();
    const files = [];
    for (const path of ['config.json', ...names]) {
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

  for (const name of OF_A_RUN) {
    it(`takes no ${name} from a backup, and nothing else of it`, async () => {
      const dataDir = await dataFolder();
      const source = await backupWith([name]);
      const { code, err } = await tandem(['restore', source, '--yes', '--data-dir', dataDir]);
      expect([code, err]).to.deep.equal([
        1,
        `tandem: ${join(source, 'backup.json')} names ${name}, which no backup holds: it was changed, and nothing was restored`,
      ]);
      expect(await readdir(dataDir)).to.deep.equal(['config.json']);
      expect(await readFile(join(dataDir, 'config.json'), 'utf8')).to.equal('{"port":7400}');
    });
  }

  it('takes everything that a backup holds, whatever its name, and nothing that it leaves out', async () => {
    const part = fc.oneof(
      fc.constantFrom(...OF_A_RUN.flatMap((name) => name.split('/'))),
      fc.stringMatching(/^[a-z]{1,6}(\.(db|json|tmp))?$/),
    );
    await fc.assert(
      fc.asyncProperty(part, fc.option(part, { nil: null }), async (first, second) => {
        fc.pre(first !== 'backup.json' && first !== 'config.json');
        // A folder in the place of the lock keeps every command out.
        fc.pre(second === null || !/^gateway.lock/i.test(first));
        const dataDir = await dataFolder();
        const path = second === null ? first : `${first}/${second}`;
        // The model: a backup of a folder with that file either holds it or not.
        const origin = await temporaryFolder();
        await mkdir(dirname(join(origin, path)), { recursive: true });
        for (const name of ['kept', path]) await writeFile(join(origin, name), '{}');
        const copy = join(await temporaryFolder(), 'copy');
        // A lock that is only a file with other words keeps nobody out.
        expect((await tandem(['backup', copy, '--data-dir', origin])).code).to.equal(0);
        const { files } = JSON.parse(await readFile(join(copy, 'backup.json'), 'utf8'));
        const isHeld = files.some((file: { path: string }) => file.path.toLowerCase() === path.toLowerCase());
        const { code } = await tandem(['restore', await backupWith([path]), '--yes', '--data-dir', dataDir]);
        expect(code, path).to.equal(isHeld ? 0 : 1);
      }),
      propertyRuns(40),
    );
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
