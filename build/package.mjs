// Makes the installers of this system: builds everything that goes in, then electron-builder with `electron-builder.yml`.
//   npm run package                      all targets of this system
//   npm run package -- --linux deb       one
// TANDEM_UPDATE_FEED=https://… says where new versions will be; without it the app never looks for one.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { bundleShell } from './bundle-shell.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {readonly string[]} argv further arguments of electron-builder */
export async function makePackages(argv) {
  await bundle();
  await bundleShell();
  const feed = process.env.TANDEM_UPDATE_FEED;
  const updates =
    feed === undefined || feed === ''
      ? []
      : [
          '-c.publish.provider=generic',
          `-c.publish.url=${feed}`,
          `-c.extraMetadata.tandem.updateFeed=${feed}`,
        ];
  const program = join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
  const { status } = spawnSync(process.execPath, [program, ...updates, '--publish', 'never', ...argv], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`electron-builder ended with ${status}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await makePackages(process.argv.slice(2));
