/** A copy of a data folder: it trades nothing beside its original before its user says that it takes over. */
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { acquireDataFolderLock } from '../../gateway/system/data-folder-lock.ts';
import { tandem } from '../support/command-line.ts';
import { startTestGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, trader } from '../support/trader.ts';
import { unwrap } from '../support/unwrap.ts';

describe('a copy of a data folder', () => {
  let original: string;

  before(async () => {
    original = await temporaryFolder();
    const gateway = await startTestGateway({ dataDir: original, clock: null });
    const bot = await trader(gateway);
    await bot.open(PAIR);
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' };
    await bot.expect('POST', '/triggers/open', { legs: PAIR, condition });
    await gateway.close();
  });

  async function copyOf(folder: string): Promise<string> {
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true, filter: (path) => basename(path) !== 'socket' });
    return copy;
  }

  /** A start from the command line, which is interrupted at once where nothing refuses it. */
  const start = (dataDir: string, ...flags: string[]) =>
    tandem(
      ['start', '--port', '0', '--vault', 'file', '--log-level', 'silent', '--data-dir', dataDir, ...flags],
      {
        interrupted: AbortSignal.abort(),
      },
    );
  const isAsked = async (dataDir: string, where: string) => {
    const { code, err } = await start(dataDir);
    expect([code, err]).to.deep.equal([
      1,
      `tandem: the data folder ${dataDir} was used at ${where} before and holds 1 order or plan that waits: from two folders it would trade twice. Once the gateway there is stopped for good, start this one with: tandem start --take-over`,
    ]);
  };

  async function digests(folder: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of (await readdir(folder)).filter(
      (one) => !/^(gateway\.lock|socket|tandem\.db-)/.test(one),
    ))
      found[name] = createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex');
    return found;
  }

  it('asks before it starts, and neither reads nor writes anything but that', async () => {
    const copy = await copyOf(original);
    const before = await digests(copy);
    await isAsked(copy, original);
    await isAsked(copy, original);
    expect(await digests(copy)).to.deep.equal(before);
  });

  it('is refused while the gateway of its original runs, though it shall take over', async () => {
    const copy = await copyOf(original);
    const lock = unwrap(acquireDataFolderLock(original));
    try {
      const { code, err } = await start(copy, '--take-over');
      expect(code).to.equal(1);
      expect(err).to.contain(`still runs at ${original} (pid ${process.pid}); stop it first`);
    } finally {
      lock.release();
    }
  });

  it('takes over when it is told to, once; then its original asks', async () => {
    const first = await copyOf(original);
    const copy = await copyOf(first);
    expect((await start(copy, '--take-over')).code).to.equal(0);
    // The folder between them never started, so only the original learned where it went.
    await isAsked(original, copy);
    expect((await start(original, '--take-over')).code).to.equal(0);
    await isAsked(copy, original);
    expect((await start(original)).code).to.equal(0);
  });

  it('of another machine asks too, at whatever place', async () => {
    const copy = await copyOf(original);
    expect((await start(copy, '--take-over')).code).to.equal(0);
    const file = join(copy, 'folder.json');
    const record = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, home: { ...record.home, machine: 'another' } }));
    if (record.home.machine !== null) await isAsked(copy, `${copy} on another machine`);
  });

  it('without the record of its place asks too, until it is told to take over', async () => {
    const copy = await copyOf(original);
    await rm(join(copy, 'folder.json'));
    const { code, err } = await start(copy);
    expect(code).to.equal(1);
    expect(err).to.match(
      /has no folder\.json .* holds 1 order or plan that waits.*tandem start --take-over$/,
    );
    expect((await start(copy, '--take-over')).code).to.equal(0);
    expect((await start(copy)).code).to.equal(0);
  });

  it('tells nothing to another folder that its record names', async () => {
    const other = await temporaryFolder();
    const gateway = await startTestGateway({ dataDir: other, clock: null });
    await gateway.close();
    const copy = await copyOf(original);
    const file = join(copy, 'folder.json');
    const record = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, home: { ...record.home, path: other } }));
    const before = await digests(other);
    expect((await start(copy, '--take-over')).code).to.equal(0);
    expect(await digests(other)).to.deep.equal(before);
  });

  it('with nothing that waits starts without a question @long', async () => {
    const plain = await temporaryFolder();
    const gateway = await startTestGateway({ dataDir: plain, clock: null });
    await (await trader(gateway)).open(PAIR);
    await gateway.close();
    const copy = await copyOf(plain);
    expect(await start(copy)).to.include({ code: 0 });
    expect((await start(plain)).code).to.equal(0);
  });

  it('is found by the doctor', async () => {
    const copy = await copyOf(original);
    const { code, out } = await tandem([
      'doctor',
      '--json',
      '--port',
      '0',
      '--vault',
      'file',
      '--data-dir',
      copy,
    ]);
    const found = JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'data files');
    expect([code, found.level, found.mend]).to.deep.equal([1, 'FAIL', 'tandem start --take-over']);
  });
});
