// Bundles the desktop app (main/) into dist/main/: the main process and the preload, as CommonJS, the page that is
// shown before the dashboard, and the icons. Runs only where a window is opened or a package is made; the headless
// program needs no such bundle.
import { copyFileSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { drawIcons } from './icons.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = join(ROOT, 'dist', 'main');

export async function bundleShell() {
  const { build } = await import('esbuild');
  const startedAt = new Date();
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  const common = {
    absWorkingDir: ROOT,
    outdir: TARGET,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    external: ['electron'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  await Promise.all([
    build({
      ...common,
      entryPoints: { main: 'main/main.ts' },
      platform: 'node',
      target: 'node22',
      define: { 'import.meta.dirname': '__dirname' },
    }),
    // The preload runs in the sandbox, which has no modules but Electron's.
    build({
      ...common,
      entryPoints: { preload: 'main/ipc/preload.ts' },
      platform: 'browser',
      target: 'es2023',
    }),
  ]);
  copyStartingPage();
  drawIcons(TARGET);
  // Sources saved during the bundling may be missing: icon.icns, whose time build/fresh.cjs reads, gets the starting
  // time.
  utimesSync(join(TARGET, 'icon.icns'), startedAt, startedAt);
}

/** The starting page: served as it is written, in the theme of the dashboard. */
function copyStartingPage() {
  const folder = join(TARGET, 'starting');
  mkdirSync(folder, { recursive: true });
  const copy = (from, names) => {
    for (const name of names) copyFileSync(join(ROOT, from, name), join(folder, name));
  };
  copy('main/pages/starting', ['index.html', 'starting.css', 'starting.js']);
  copy('renderer', ['icon.svg']);
  copy('renderer/styles', ['base.css', 'tokens.css']);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundleShell();
