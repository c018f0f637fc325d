import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { inspectFileVault, openFileVault } from '../../../gateway/vault/file-vault.ts';
import { VaultError } from '../../../gateway/vault/vault-error.ts';
import { programFile } from '../../support/program-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = programFile(new URL('../../../gateway/vault/file-vault.ts', import.meta.url));
const PASSPHRASE = 'correct horse battery staple';

async function failure(work: Promise<unknown>): Promise<VaultError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
  throw new Error('expected a VaultError');
}

/** The vault file as data, changed and written back. */
async function rewrite(
  dataDir: string,
  change: (file: Record<string, Record<string, unknown>>) => void,
): Promise<void> {
  const path = join(dataDir, 'vault.json');
  const file = JSON.parse(await readFile(path, 'utf8'));
  change(file);
  await writeFile(path, JSON.stringify(file));
}

describe('file vault', () => {
  for (const passphrase of [null, PASSPHRASE]) {
    const how = passphrase === null ? 'a key file' : 'a passphrase';

    it(`keeps secrets over a reopening with ${how}`, async () => {
      const dataDir = await temporaryFolder();
      const vault = await openFileVault({ dataDir, passphrase });
      await vault.set('signing-key', 'secret one');
      await vault.set('venue:1', 'päss “two”');
      await vault.set('gone', 'x');
      expect(await vault.delete('gone')).to.equal(true);
      expect(await vault.delete('gone')).to.equal(false);

      const again = await openFileVault({ dataDir, passphrase });
      expect(await again.get('signing-key')).to.equal('secret one');
      expect(await again.get('venue:1')).to.equal('päss “two”');
      expect(await again.get('gone')).to.equal(null);
      expect(await inspectFileVault({ dataDir, passphrase })).to.equal(null);
    });

    it(`leaves only files of mode 0600 and no secret in clear text with ${how}`, async () => {
      const dataDir = await temporaryFolder();
      const vault = await openFileVault({ dataDir, passphrase });
      await vault.set('venue:1', 'hunter2-is-not-here');
      const names = await readdir(dataDir);
      expect(names.sort()).to.deep.equal(passphrase === null ? ['vault.json', 'vault.key'] : ['vault.json']);
      for (const name of names) {
        expect((await stat(join(dataDir, name))).mode & 0o777).to.equal(0o600);
        expect(await readFile(join(dataDir, name), 'utf8')).not.to.contain('hunter2');
      }
    });
  }

  it('refuses a wrong passphrase, and a missing one, by name', async () => {
    const dataDir = await temporaryFolder();
    const vault = await openFileVault({ dataDir, passphrase: PASSPHRASE });
    await vault.set('a', 'b');
    const wrong = await failure(openFileVault({ dataDir, passphrase: 'another passphrase' }));
    expect(wrong.reason).to.equal('passphrase_wrong');
    expect(wrong.message).to.contain('TANDEM_PASSPHRASE').and.not.to.contain('another passphrase');
    const missing = await failure(openFileVault({ dataDir, passphrase: null }));
    expect(missing.reason).to.equal('passphrase_missing');
    expect(await (await openFileVault({ dataDir, passphrase: PASSPHRASE })).get('a')).to.equal('b');
  });

  it('seals a vault with a key file anew when a passphrase is given, and drops the key file', async () => {
    const dataDir = await temporaryFolder();
    await (await openFileVault({ dataDir, passphrase: null })).set('a', 'kept');
    const sealed = await openFileVault({ dataDir, passphrase: PASSPHRASE });
    expect(await sealed.get('a')).to.equal('kept');
    expect(await readdir(dataDir)).to.deep.equal(['vault.json']);
    expect((await failure(openFileVault({ dataDir, passphrase: null }))).reason).to.equal(
      'passphrase_missing',
    );
  });

  it('says so when the key file is gone or belongs to another vault', async () => {
    const dataDir = await temporaryFolder();
    const other = await temporaryFolder();
    await openFileVault({ dataDir, passphrase: null });
    await openFileVault({ dataDir: other, passphrase: null });
    await writeFile(join(dataDir, 'vault.key'), await readFile(join(other, 'vault.key')));
    expect((await failure(openFileVault({ dataDir, passphrase: null }))).reason).to.equal('corrupted');
    await rm(join(dataDir, 'vault.key'));
    expect((await failure(openFileVault({ dataDir, passphrase: null }))).reason).to.equal('key_missing');
  });

  it('does not open an entry that was changed or moved under another name', async () => {
    const dataDir = await temporaryFolder();
    const vault = await openFileVault({ dataDir, passphrase: null });
    await vault.set('venue:1', 'first');
    await vault.set('venue:2', 'second');
    await rewrite(dataDir, (file) => {
      const { entries = {} } = file;
      [entries['venue:1'], entries['venue:2']] = [entries['venue:2'], entries['venue:1']];
    });
    const swapped = await openFileVault({ dataDir, passphrase: null });
    const error = await failure(swapped.get('venue:1'));
    expect(error.reason).to.equal('corrupted');
    expect(error.message).to.contain('venue:1');
    expect((await inspectFileVault({ dataDir, passphrase: null }))?.reason).to.equal('corrupted');
  });

  const damages: readonly (readonly [string, (dataDir: string) => Promise<void>])[] = [
    ['cut off', async (dataDir) => writeFile(join(dataDir, 'vault.json'), '{"version":1,"key"')],
    ['empty', async (dataDir) => writeFile(join(dataDir, 'vault.json'), '')],
    ['without its check', (dataDir) => rewrite(dataDir, (file) => delete file['check'])],
    ['of a newer version', (dataDir) => rewrite(dataDir, (file) => Object.assign(file, { version: 2 }))],
    ['with a short key', async (dataDir) => writeFile(join(dataDir, 'vault.key'), 'c2hvcnQ=')],
  ];
  for (const [name, damage] of damages) {
    it(`refuses a vault ${name} and leaves it as it is`, async () => {
      const dataDir = await temporaryFolder();
      await (await openFileVault({ dataDir, passphrase: null })).set('a', 'b');
      await damage(dataDir);
      const before = await readFile(join(dataDir, 'vault.json'), 'utf8');
      expect((await failure(openFileVault({ dataDir, passphrase: null }))).reason).to.equal('corrupted');
      expect(await readFile(join(dataDir, 'vault.json'), 'utf8')).to.equal(before);
    });
  }

  it('keeps every write of many at once', async () => {
    const dataDir = await temporaryFolder();
    const vault = await openFileVault({ dataDir, passphrase: null });
    await Promise.all(Array.from({ length: 20 }, (_, index) => vault.set(`n${index}`, `v${index}`)));
    const again = await openFileVault({ dataDir, passphrase: null });
    for (let index = 0; index < 20; index += 1) expect(await again.get(`n${index}`)).to.equal(`v${index}`);
  });

  it('keeps the old secret, and no draft, when the new one cannot be written', async () => {
    const dataDir = await temporaryFolder();
    const vault = await openFileVault({ dataDir, passphrase: null });
    await vault.set('a', 'old');
    // A folder in the way of the rename stands for a full or read-only disk.
    await rm(join(dataDir, 'vault.json'));
    await mkdir(join(dataDir, 'vault.json', 'in-the-way'), { recursive: true });
    const refused = await vault.set('a', 'new').then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
    expect(await vault.get('a')).to.equal('old');
    expect((await readdir(dataDir)).sort()).to.deep.equal(['vault.json', 'vault.key']);
  });

  it('opens with every acknowledged secret after being killed in the middle of writes @long', async () => {
    const dataDir = await temporaryFolder();
    for (let round = 0; round < 3; round += 1) {
      const acknowledged = await writeUntilKilled(dataDir, 15 + round * 7);
      const vault = await openFileVault({ dataDir, passphrase: null });
      const kept = Number(await vault.get('counter'));
      expect(kept).to.be.oneOf([acknowledged, acknowledged + 1]);
      expect(await inspectFileVault({ dataDir, passphrase: null })).to.equal(null);
    }
  });
});

/** A process of its own writes 1, 2, 3 … and is killed after `count` of them. Returns the last one it said was written. */
async function writeUntilKilled(dataDir: string, count: number): Promise<number> {
  const program = `
    const { openFileVault } = await import(${JSON.stringify(MODULE)});
    const vault = await openFileVault({ dataDir: process.argv[1], passphrase: null });
    for (let n = 1; ; n += 1) { await vault.set('counter', String(n)); process.stdout.write(n + '\\n'); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return Number(text.trimEnd().split('\n').at(-1));
}
