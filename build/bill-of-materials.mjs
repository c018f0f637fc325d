// Bill of materials of the packages that people install, as CycloneDX: the packages that the gateway runs with, the
// packages bundled into the dashboard (which the archive does not list as dependencies), and in the desktop app
// Electron.
//   node build/bill-of-materials.mjs [--desktop]     writes it to standard output
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { npm } from './npm.mjs';
import { reachedLock } from './reached-lock.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * Imports of packages: `from 'package'`, `import 'package'`, `import('package')`. Project files begin with a dot.
 */
const IMPORT = /(?:from|import)\s*\(?\s*'([^.'][^']*)'/g;

/**
 * Bill of materials, made by npm from the lock file without the network.
 * @param {{ desktop?: boolean }} options `desktop`: the bill of the desktop app
 * @returns {Record<string, any>} a CycloneDX document
 */
export function billOfMaterials({ desktop = false } = {}) {
  const manifest = read('package.json');
  const lock = read('package-lock.json');
  const dependencies = { ...manifest.dependencies };
  for (const name of dashboardPackages())
    if (name in manifest.devDependencies) dependencies[name] = manifest.devDependencies[name];
  const { name, version, license } = manifest;
  const product = { name, version, license, dependencies };
  const reached = reachedLock(lock, product);
  const stage = mkdtempSync(join(tmpdir(), 'tandem-bill-'));
  try {
    write(join(stage, 'package.json'), { ...product, private: true });
    for (const entry of Object.values(reached.packages)) delete entry.dev;
    write(join(stage, 'package-lock.json'), reached);
    const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
    const bill = JSON.parse(npm(stage, 'sbom', ...flags));
    // npm names the component after the folder.
    bill.metadata.component.name = name;
    if (desktop) {
      const shell = electron();
      bill.components.push(shell);
      bill.dependencies.push({ ref: shell['bom-ref'], dependsOn: [] });
    }
    return bill;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Names of the packages that the sources of the dashboard import, styles and fonts included. */
function dashboardPackages() {
  const folder = join(ROOT, 'renderer');
  const names = new Set();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !/\.(tsx?|css)$/.test(file.name)) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    for (const [, path] of text.matchAll(IMPORT)) {
      const [scope, name] = path.split('/');
      names.add(scope.startsWith('@') ? `${scope}/${name}` : scope);
    }
  }
  return names;
}

/** Electron: the only package of the desktop app's own lock file that is in the app. */
function electron() {
  const { version, integrity } = read('main/package-lock.json').packages['node_modules/electron'];
  const [, algorithm, digest] = /^(sha\d+)-(.+)$/.exec(integrity ?? '') ?? [];
  return {
    'bom-ref': `electron@${version}`,
    type: 'framework',
    name: 'electron',
    version,
    scope: 'required',
    purl: `pkg:npm/electron@${version}`,
    ...(algorithm === undefined
      ? {}
      : {
          hashes: [
            {
              alg: algorithm.replace('sha', 'SHA-').toUpperCase(),
              content: Buffer.from(digest, 'base64').toString('hex'),
            },
          ],
        }),
  };
}

function read(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(billOfMaterials({ desktop: process.argv.includes('--desktop') }), null, 2));
