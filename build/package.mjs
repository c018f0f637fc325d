// Makes the installers of this system: builds all parts, then runs electron-builder with `electron-builder.yml`. Needs
// the packages of the desktop app: npm ci --prefix main.
//   npm run package                      all targets of this system
//   npm run package -- --linux deb       one target
// TANDEM_UPDATE_FEED=https://… names the address of new versions; without it the app never looks for one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { bundle } from './bundle.mjs';
import { bundleShell } from './bundle-shell.mjs';
import { desktopFile, electronVersion } from './desktop-packages.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * @param {readonly string[]} argv further arguments of electron-builder
 * @param {{ feed: string | null, env: Readonly<Record<string, string>> }} options `env`: variables beside those of this
 *   process
 */
export async function makePackages(argv, { feed, env }) {
  const updates = updateArguments(feed);
  const program = desktopFile('electron-builder/cli.js');
  // The builder looks for Electron among the packages of the gateway only.
  const electron = `-c.electronVersion=${electronVersion()}`;
  await bundle();
  await bundleShell();
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(
    join(ROOT, 'dist', 'sbom.cdx.json'),
    `${JSON.stringify(billOfMaterials({ desktop: true }), null, 2)}\n`,
  );
  const { status } = spawnSync(
    process.execPath,
    [program, electron, ...updates, '--publish', 'never', ...argv],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    },
  );
  if (status !== 0) throw new Error(`electron-builder ended with ${status}`);
}

/**
 * Arguments that give the feed to electron-builder, which writes the release's description beside the packages, and to
 * the app.
 * @param {string | null} feed folder of the releases
 * @throws when the feed is not an `https:` address: the app would not ask it
 */
export function updateArguments(feed) {
  if (feed === null) return [];
  if (!URL.canParse(feed) || new URL(feed).protocol !== 'https:')
    throw new Error(`TANDEM_UPDATE_FEED is not an https address: ${feed}`);
  return [
    '-c.publish.provider=generic',
    `-c.publish.url=${feed}`,
    `-c.extraMetadata.tandem.updateFeed=${feed}`,
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await makePackages(process.argv.slice(2), { feed: process.env.TANDEM_UPDATE_FEED || null, env: {} });
