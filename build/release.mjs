// Makes the archive that is installed without the tools that build it: `npm run release` writes
// dist/release/tandem-gateway-<version>.tgz. It is what `npm pack` packs, with the versions of the lock file pinned in it
// (npm leaves package-lock.json out of an archive, not npm-shrinkwrap.json) and without what only sources need.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Scripts of the archive's package.json: the others build or test. */
const SCRIPTS = ['postinstall', 'start', 'gateway', 'tandem'];

/**
 * Packs what is built.
 * @param {string} target folder, made when it is missing
 * @returns {{ file: string, files: string[], bytes: number }} the archive, what is in it, its size
 */
export function makeArchive(target) {
  const stage = mkdtempSync(join(tmpdir(), 'tandem-release-'));
  try {
    const [packed] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', stage));
    run('tar', ['-xzf', join(stage, packed.filename), '-C', stage]);
    const folder = join(stage, 'package');
    // npm packs the entry of the desktop app whatever `files` says.
    rmSync(join(folder, 'dist', 'main'), { recursive: true, force: true });
    write(join(folder, 'package.json'), manifestOfArchive(read('package.json')));
    write(join(folder, 'npm-shrinkwrap.json'), lockOfArchive(read('package-lock.json')));
    mkdirSync(target, { recursive: true });
    const file = join(target, packed.filename);
    run('tar', ['-czf', file, '-C', stage, 'package']);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    return { file, files, bytes: statSync(file).size };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function manifestOfArchive(manifest) {
  const {
    main: _window,
    devDependencies: _dev,
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    ...kept
  } = manifest;
  const scripts = Object.fromEntries(SCRIPTS.map((name) => [name, manifest.scripts[name]]));
  return { ...kept, files: [...manifest.files, 'npm-shrinkwrap.json'], scripts };
}

/** What the product reaches, found as Node finds packages. npm's own marks keep what only an optional peer names. */
function lockOfArchive({ packages, ...lock }) {
  const root = manifestOfLock(packages['']);
  const reached = { '': root };
  const visit = (path, { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, ...entry }) => {
    const peers = Object.keys(peerDependencies).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = nearest(packages, path, name);
      if (found === null || found in reached) continue;
      const { dev: _dev, devOptional: either, ...kept } = packages[found];
      reached[found] = either === true ? { ...kept, optional: true } : kept;
      visit(found, packages[found]);
    }
  };
  visit('', root);
  const sorted = Object.entries(reached).sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

function nearest(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (found in packages) return found;
    if (folder === '') return null;
  }
}

function manifestOfLock(entry) {
  const { devDependencies: _dev, peerDependencies: _peers, peerDependenciesMeta: _meta, ...kept } = entry;
  return kept;
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** npm says where it is to what it runs; elsewhere the shell finds it. */
function npm(...argv) {
  const file = process.env.npm_execpath;
  if (file?.endsWith('npm-cli.js')) return run(process.execPath, [file, ...argv]);
  return run('npm', argv, process.platform === 'win32');
}

function run(program, argv, shell = false) {
  const { status, stdout, stderr, error } = spawnSync(program, argv, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell,
  });
  if (status !== 0) throw new Error(`${program} ${argv.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  npm('run', '--silent', 'build');
  const { file, files, bytes } = makeArchive(join(ROOT, 'dist', 'release'));
  console.log(`${file}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
}
