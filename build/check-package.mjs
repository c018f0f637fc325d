// Makes the packages of Linux around a stand-in for Electron and checks them: the files of the archive and their
// hashes, the fuses, the size, the files that a tar.gz and a deb install; then starts the gateway out of the installed
// deb under plain Node and trades through it. Exit code 1 when a check fails. Checks that cannot be made here are
// listed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePackages } from './package.mjs';
import { faultsOfArchive, faultsOfHashes, filesOfArchive, sizeOfFolder } from './packaged-app.mjs';
import { makeStandInElectron } from './stand-in-electron.mjs';
import { makeStandInTools } from './stand-in-tools.mjs';
import { tradeThrough } from './trade-through.mjs';

const require = createRequire(import.meta.url);
const { extractAll, extractFile } = require('@electron/asar');
const MAX_BYTES = 60_000_000;
const READY_LIMIT_MS = 1_500;
/** States of the fuses in the order of @electron/fuses: '1' on, '0' off. */
const FUSES = '01001100';
/** Files of the app in both packages, and files that the deb installs outside the folder of the app. */
const APP_FILES = ['tandem', 'resources/app.asar'];
const DESKTOP_ENTRY = 'usr/share/applications/tandem.desktop';
const DEB_FILES = [DESKTOP_ENTRY, 'usr/share/icons/hicolor/512x512/apps/tandem.png'];

const faults = [];
const notDone = [
  'AppImage: its runtime and tools come from electron-builder’s server, at the first `npm run package` with a network',
  'dmg and zip of macOS, nsis of Windows: electron-builder makes them on these systems',
  'whether the app runs: there is no Electron in these packages (npm run test:desktop, where there is one)',
];
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0;
if (!hasDpkg) notDone.unshift('deb: there is no dpkg-deb here');

const work = mkdtempSync(join(tmpdir(), 'tandem-package-'));
try {
  makeStandInElectron(join(work, 'electron'));
  const out = join(work, 'out');
  await makePackages(
    [
      ...['--linux', 'tar.gz', ...(hasDpkg ? ['deb'] : [])],
      `-c.electronDist=${join(work, 'electron')}`,
      `-c.directories.output=${out}`,
    ],
    { feed: null, env: makeStandInTools(join(work, 'tools')) },
  );
  const app = join(out, 'linux-unpacked');
  checkArchive(join(app, 'resources', 'app.asar'));
  checkSize(join(app, 'resources'));
  await checkFuses(join(app, 'tandem'));

  const packages = readdirSync(out);
  const installed = join(work, 'installed');
  mkdirSync(installed);
  const tar = packages.find((name) => name.endsWith('.tar.gz')) ?? '';
  run('tar', ['-xzf', join(out, tar), '-C', installed]);
  const [folder = ''] = readdirSync(installed);
  checkFiles('tar.gz', join(installed, folder), APP_FILES);
  let resources = join(installed, folder, 'resources');
  if (hasDpkg) {
    const deb = packages.find((name) => name.endsWith('.deb')) ?? '';
    resources = checkDeb(join(out, deb), join(work, 'system'));
  }
  extractAll(join(resources, 'app.asar'), join(work, 'app'));
  const { outcome, fastestMs, medianMs } = await tradeThrough(join(work, 'app'), join(work, 'data'));
  console.log(`a basket through the packaged gateway: ${outcome}`);
  console.log(
    `gateway ready after ${medianMs} ms, median of five, the fastest ${fastestMs} ms (at most ${READY_LIMIT_MS})`,
  );
  // The fastest start counts: other work on the machine slows starts down, and nothing speeds them up.
  if (fastestMs > READY_LIMIT_MS) faults.push(`ready only after ${fastestMs} ms at best`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const line of notDone) console.warn(`*** NOT CHECKED HERE *** ${line}`);
for (const fault of faults) console.error(`FAULT  ${fault}`);
console.log(faults.length === 0 ? 'the package is as it should be' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function checkArchive(archive) {
  const files = filesOfArchive(archive);
  faults.push(...faultsOfArchive(files), ...faultsOfHashes(archive, files));
  console.log(
    `${files.length} files in the archive, ${files.filter((file) => file.isUnpacked).length} unpacked, each with its hash`,
  );
  const { tandem, homepage } = JSON.parse(extractFile(archive, 'package.json').toString());
  if (tandem.updateFeed !== null) faults.push(`updates are on: ${tandem.updateFeed}`);
  if (homepage === undefined) faults.push('a deb needs a homepage');
}

function checkSize(folder) {
  const bytes = sizeOfFolder(folder);
  console.log(`size without Electron: ${(bytes / 1e6).toFixed(1)} MB (at most ${MAX_BYTES / 1e6})`);
  if (bytes > MAX_BYTES) faults.push(`too large: ${bytes} bytes`);
}

async function checkFuses(program) {
  const { getCurrentFuseWire } = require('@electron/fuses');
  const { version: _version, ...wire } = await getCurrentFuseWire(program);
  const states = String.fromCharCode(...Object.values(wire));
  console.log(`fuses: ${states}`);
  if (states !== FUSES) faults.push(`fuses are ${states}, not ${FUSES}`);
}

/** @returns folder of the app's resources after the deb was unpacked as dpkg would */
function checkDeb(file, root) {
  const field = (name) => run('dpkg-deb', ['--field', file, name]).trim();
  const named = `${field('Package')} ${field('Version')}`;
  if (named !== `tandem ${require('../package.json').version}`) faults.push(`the deb is of ${named}`);
  if (!field('Depends').includes('libsecret-1-0')) faults.push('the deb asks for no keychain');
  run('dpkg-deb', ['--extract', file, root]);
  checkFiles('deb', root, [...APP_FILES.map((name) => `opt/Tandem/${name}`), ...DEB_FILES]);
  const entry = run('cat', [join(root, DESKTOP_ENTRY)]);
  for (const line of ['Exec=/opt/Tandem/tandem %U', 'MimeType=x-scheme-handler/tandem;'])
    if (!entry.split('\n').includes(line)) faults.push(`${DESKTOP_ENTRY} has no line ${line}:\n${entry}`);
  return join(root, 'opt', 'Tandem', 'resources');
}

function checkFiles(name, folder, files) {
  const there = new Set(readdirSync(folder, { recursive: true }));
  const missing = files.filter((file) => !there.has(file));
  faults.push(...missing.map((file) => `the ${name} has no ${file}`));
  console.log(`${name}: ${there.size} files and folders`);
}

function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}
