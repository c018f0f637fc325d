// Bundles the desktop app (main/) into dist/main/: the main process and the preload, as CommonJS, with its icons. Only where
// a window is opened or a package is made; the headless program never needs it.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { drawIcons } from './icons.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = join(ROOT, 'dist', 'main');

export async function bundleShell() {
  const { build } = await import('esbuild');
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
    // The sandbox has no modules but Electron's.
    build({
      ...common,
      entryPoints: { preload: 'main/ipc/preload.ts' },
      platform: 'browser',
      target: 'es2023',
    }),
  ]);
  drawIcons(TARGET);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundleShell();
