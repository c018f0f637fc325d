// Makes the archive that installs without build tools: `npm run release` writes
// dist/release/tandem-gateway-<version>.tgz. It holds the files of `npm pack`, with the versions of the lock file
// pinned (npm leaves package-lock.json out of an archive, not npm-shrinkwrap.json) and without the parts that only
// sources need.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { npm, run } from './npm.mjs';
import { reachedLock } from './reached-lock.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Scripts of the archive's package.json: the others build or test. */
const SCRIPTS = ['postinstall', 'start', 'gateway', 'tandem'];

/**
 * Packs the built program.
 * @param {string} target folder, made when it is missing
 * @returns {{ file: string, files: string[], bytes: number }} the archive, the files in it, its size
 */
export function makeArchive(target) {
  const stage = mkdtempSync(join(tmpdir(), 'tandem-release-'));
  try {
    const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', stage));
    run(ROOT, 'tar', ['-xzf', join(stage, packed.filename), '-C', stage]);
    const folder = join(stage, 'package');
    // npm packs the entry of the desktop app whatever `files` says.
    rmSync(join(folder, 'dist', 'main'), { recursive: true, force: true });
    write(join(folder, 'package.json'), manifestOfArchive(read('package.json')));
    write(join(folder, 'npm-shrinkwrap.json'), lockOfArchive(read('package-lock.json')));
    write(join(folder, 'sbom.cdx.json'), billOfMaterials());
    mkdirSync(target, { recursive: true });
    const file = join(target, packed.filename);
    run(ROOT, 'tar', ['-czf', file, '-C', stage, 'package']);
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
  return { ...kept, files: [...manifest.files, 'npm-shrinkwrap.json', 'sbom.cdx.json'], scripts };
}

/** Lock file of the packages that the product reaches. */
function lockOfArchive(lock) {
  const {
    devDependencies: _dev,
    peerDependencies: _peers,
    peerDependenciesMeta: _meta,
    ...root
  } = lock.packages[''];
  return reachedLock(lock, root);
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  npm(ROOT, 'run', '--silent', 'build');
  const { file, files, bytes } = makeArchive(join(ROOT, 'dist', 'release'));
  console.log(`${file}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
}
