/** Newer versions of the app: nobody is asked without a feed, and nothing comes or changes without a yes. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { fileFor, type Installation, installationOf } from '../../../main/updates/installation.ts';
import { isNewer, readRelease } from '../../../main/updates/release.ts';
import { updateFeedOf } from '../../../main/updates/update-feed.ts';
import { createUpdater, type Updater } from '../../../main/updates/updater.ts';
import { forAll } from '../../support/property-runs.ts';
import { type RecordingElectron, recordingElectron } from '../../support/recording-electron.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FEED = 'https://updates.example/tandem';
const CONTENT = Buffer.from('the next version of the program');
const SHA512 = createHash('sha512').update(CONTENT).digest('base64');

/** As electron-builder writes it. */
function description(
  names: readonly string[],
  { version = '0.2.0', sha512 = SHA512, size = CONTENT.length } = {},
) {
  const [first = ''] = names;
  return `version: ${version}
files:
${names.map((name) => `  - url: ${name}\n    sha512: ${sha512}\n    size: ${size}\n    blockMapSize: 81`).join('\n')}
path: ${first}
sha512: ${sha512}
releaseDate: '2026-11-21T17:17:49.653Z'
`;
}

const ON_LINUX = ['tandem-0.2.0-linux-x86_64.AppImage', 'tandem-0.2.0-linux-amd64.deb'];

interface Rig {
  readonly updater: Updater;
  readonly electron: RecordingElectron;
  readonly asked: string[];
  readonly timers: { readonly delayMs: number; readonly run: () => void }[];
  readonly launched: unknown[];
  readonly folder: string;
  /** Lets the next timer run to its end. */
  look(): Promise<void>;
  /** Number of times that the menus had to be drawn again. */
  changes(): number;
  isKeptRunning: boolean;
}

async function rig({
  feed = FEED as string | null,
  text = description(ON_LINUX),
  content = CONTENT,
  platform = 'linux' as NodeJS.Platform,
  installation = null as Installation | null,
} = {}): Promise<Rig> {
  const folder = await temporaryFolder();
  const electron = recordingElectron(folder);
  const asked: string[] = [];
  const timers: Rig['timers'] = [];
  const launched: unknown[] = [];
  let changes = 0;
  const made: Omit<Rig, 'updater'> = {
    electron,
    asked,
    timers,
    launched,
    folder,
    async look() {
      timers.shift()?.run();
      const waiting = timers.length;
      while (timers.length === waiting) await new Promise((resolve) => setImmediate(resolve));
    },
    changes: () => changes,
    isKeptRunning: false,
  };
  const updater = createUpdater({
    electron: electron.parts,
    feed,
    version: '0.1.0',
    platform,
    arch: 'x64',
    installation: async () => installation,
    folder: join(folder, 'updates'),
    async open(url) {
      asked.push(url);
      const { body } = new Response(url.endsWith('.yml') ? text : new Uint8Array(content));
      if (body === null) throw new Error('no body');
      return body;
    },
    after(delayMs, run) {
      timers.push({ delayMs, run });
      return () => undefined;
    },
    changed: () => {
      changes += 1;
    },
    async quit(last) {
      if (made.isKeptRunning) return false;
      await last();
      electron.parts.app.exit(0);
      return true;
    },
    launch: (program, args) => launched.push([program, args]),
  });
  return Object.assign(made, { updater });
}

describe('newer versions of the app', () => {
  it('are looked for by nobody without a feed, nor at one that is not https', async () => {
    for (const feed of [null, '', 'http://updates.example/', 'https://a:b@updates.example/', 'file:///tmp']) {
      const { updater, asked, timers } = await rig({ feed });
      await updater.accept();
      expect([updater.offer, asked, timers], String(feed)).to.deep.equal([null, [], []]);
    }
  });

  it('are told of once, and offered in the menus; nothing is downloaded before a yes', async () => {
    const { updater, electron, asked, look, timers, changes } = await rig();
    expect(timers.map(({ delayMs }) => delayMs)).to.deep.equal([60_000]);
    await look();
    await look();
    expect(timers.map(({ delayMs }) => delayMs)).to.deep.equal([86_400_000]);
    expect(asked).to.deep.equal([`${FEED}/latest-linux.yml`, `${FEED}/latest-linux.yml`]);
    expect([updater.offer, changes()]).to.deep.equal(['Update to 0.2.0…', 1]);
    expect(electron.notices.map(({ options }) => options.title)).to.deep.equal(['Tandem 0.2.0 is available']);
    expect([electron.questions, electron.opened, electron.relaunches]).to.deep.equal([[], [], []]);
  });

  it('of other systems are described by their own files', async () => {
    for (const [platform, name] of [
      ['darwin', 'latest-mac.yml'],
      ['win32', 'latest.yml'],
    ] as const) {
      const { asked, look } = await rig({ platform });
      await look();
      expect(asked).to.deep.equal([`${FEED}/${name}`]);
    }
    expect((await rig({ platform: 'freebsd' })).timers).to.deep.equal([]);
  });

  it('are left alone at a no', async () => {
    const { updater, electron, asked, look } = await rig({
      installation: { kind: 'appimage', program: '/nowhere' },
    });
    await look();
    electron.answer = 1;
    electron.notices[0]?.emit('click');
    await updater.accept();
    expect(electron.questions.map(({ message }) => message)).to.deep.equal(['Update Tandem 0.1.0 to 0.2.0?']);
    expect([asked.length, electron.exits, updater.offer]).to.deep.equal([1, [], 'Update to 0.2.0…']);
  });

  it('take the place of an AppImage at a yes, which then starts again', async () => {
    const program = join(await temporaryFolder(), 'Tandem.AppImage');
    await writeFile(program, 'the old one');
    const { updater, electron, asked, look } = await rig({ installation: { kind: 'appimage', program } });
    await look();
    await updater.accept();
    expect(asked.at(-1)).to.equal(`${FEED}/tandem-0.2.0-linux-x86_64.AppImage`);
    expect(readFileSync(program)).to.deep.equal(CONTENT);
    expect([electron.relaunches, electron.exits]).to.deep.equal([[{ execPath: program, args: [] }], [0]]);
  });

  it('wait while the person keeps running what is under way', async () => {
    const program = join(await temporaryFolder(), 'Tandem.AppImage');
    await writeFile(program, 'the old one');
    const desk = await rig({ installation: { kind: 'appimage', program } });
    await desk.look();
    desk.isKeptRunning = true;
    await desk.updater.accept();
    expect(readFileSync(program, 'utf8')).to.equal('the old one');
    expect([desk.electron.exits, desk.updater.offer]).to.deep.equal([[], 'Update to 0.2.0…']);
  });

  it('are installed by their installer on Windows, after the gateway has stopped', async () => {
    const { updater, launched, electron, folder, look } = await rig({
      text: description(['tandem-0.2.0-win-x64.exe']),
      platform: 'win32',
      installation: { kind: 'nsis', program: 'C:\\Tandem\\tandem.exe' },
    });
    await look();
    await updater.accept();
    const installer = join(folder, 'updates', 'tandem-0.2.0-win-x64.exe');
    expect(launched).to.deep.equal([[installer, ['--updated', '--force-run']]]);
    expect([readFileSync(installer), electron.exits]).to.deep.equal([CONTENT, [0]]);
  });

  it('are handed to the system where it installs packages, and the app goes on', async () => {
    for (const [kind, names] of [
      ['deb', ON_LINUX],
      ['dmg', ['tandem-0.2.0-mac-arm64.dmg', 'tandem-0.2.0-mac-x64.zip', 'tandem-0.2.0-mac-x64.dmg']],
    ] as const) {
      const { updater, electron, folder, look } = await rig({
        text: description(names),
        installation: { kind, program: '' },
      });
      await look();
      await updater.accept();
      const name = names.find((one) => one.endsWith(`.${kind}`) && !one.includes('arm64')) ?? '';
      expect([electron.opened, electron.exits]).to.deep.equal([[join(folder, 'updates', name)], []]);
    }
  });

  it('are shown where to get where the app cannot replace itself', async () => {
    const { updater, electron, asked, look } = await rig();
    await look();
    await updater.accept();
    expect(electron.questions[0]?.detail).to.contain('is not replaced by the app');
    expect([asked.length, electron.opened]).to.deep.equal([1, [`${FEED}/`]]);
  });

  it('are refused when they are not what the release names', async () => {
    const program = join(await temporaryFolder(), 'Tandem.AppImage');
    await writeFile(program, 'the old one');
    for (const content of [
      Buffer.from(CONTENT).fill('x'),
      Buffer.concat([CONTENT, Buffer.from('!')]),
      CONTENT.subarray(1),
    ]) {
      const { updater, electron, folder, look } = await rig({
        content,
        installation: { kind: 'appimage', program },
      });
      await look();
      await updater.accept();
      expect(electron.questions.at(-1)?.message).to.equal('The update was not installed');
      expect(existsSync(join(folder, 'updates', ON_LINUX[0] ?? ''))).to.equal(false);
      expect([readFileSync(program, 'utf8'), electron.relaunches]).to.deep.equal(['the old one', []]);
    }
  });
});

describe('the description of a release', () => {
  it('is read as electron-builder writes it', () => {
    expect(readRelease(description(ON_LINUX))).to.deep.equal({
      version: '0.2.0',
      files: ON_LINUX.map((name) => ({ name, sha512: SHA512, bytes: CONTENT.length })),
    });
  });

  it('is nothing when anything in it is odd', () => {
    for (const text of [
      '',
      '<html></html>',
      description(ON_LINUX, { version: '0.2.0-beta' }),
      description(ON_LINUX, { version: '../0.2.0' }),
      description(['../tandem.AppImage']),
      description(['https://evil.example/tandem.AppImage']),
      description(['.hidden']),
      description(ON_LINUX, { sha512: 'abc' }),
      description(ON_LINUX, { size: 0 }),
      description(ON_LINUX, { size: 1e12 }),
      description(ON_LINUX, { size: Number.NaN }),
    ])
      expect(readRelease(text), text).to.equal(null);
    forAll([fc.string()], (text) => {
      const release = readRelease(`version: 1.0.0\nfiles:\n  - url: ${text}\n`);
      return release === null || release.files.length === 0;
    });
  });

  it('is of a newer version by its numbers', () => {
    expect([isNewer('0.1.10', '0.1.9'), isNewer('0.1.0', '0.1.0'), isNewer('0.9.0', '1.0.0')]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});

describe('the installation that is updated', () => {
  it('is known by what started it and what lies in it', async () => {
    const resources = await temporaryFolder();
    const facts = {
      platform: 'linux',
      isPackaged: true,
      env: {},
      program: '/opt/Tandem/tandem',
      resources,
    } as const;
    expect(await installationOf({ ...facts, isPackaged: false })).to.equal(null);
    expect(await installationOf(facts)).to.equal(null);
    expect(await installationOf({ ...facts, env: { APPIMAGE: '/home/ada/T.AppImage' } })).to.deep.equal({
      kind: 'appimage',
      program: '/home/ada/T.AppImage',
    });
    expect((await installationOf({ ...facts, platform: 'win32' }))?.kind).to.equal('nsis');
    expect((await installationOf({ ...facts, platform: 'darwin' }))?.kind).to.equal('dmg');
    await mkdir(resources, { recursive: true });
    await writeFile(join(resources, 'package-type'), 'deb');
    expect((await installationOf(facts))?.kind).to.equal('deb');
  });

  it('takes the file of its own processor', () => {
    const release = {
      version: '0.2.0',
      files: ['t-0.2.0-mac-arm64.dmg', 't-0.2.0-mac-x64.dmg', 't-0.2.0-mac-x64.zip'].map((name) => ({
        name,
        sha512: SHA512,
        bytes: 1,
      })),
    };
    expect(fileFor(release, 'dmg', 'arm64')?.name).to.equal('t-0.2.0-mac-arm64.dmg');
    expect(fileFor(release, 'dmg', 'x64')?.name).to.equal('t-0.2.0-mac-x64.dmg');
    expect([fileFor(release, 'dmg', 'riscv64'), fileFor(release, 'deb', 'x64')]).to.deep.equal([null, null]);
  });

  it('reads its feed from the package that it is in', () => {
    expect(updateFeedOf('{"name":"x","tandem":{"updateFeed":null}}')).to.equal(null);
    expect(updateFeedOf(`{"tandem":{"updateFeed":"${FEED}"}}`)).to.equal(FEED);
  });
});
