// The dashboard: renderer/ → dist/renderer, made beside it and swapped in whole, so that a gateway that serves it meanwhile
// never finds half of it. Names carry the hash of their content, so that a browser may keep them for good.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = join(ROOT, 'dist', 'renderer');
const DRAFT = `${TARGET}.${process.pid}`;

const swapWhenDone = {
  name: 'swap-when-done',
  closeBundle() {
    // Also called after a build that failed, or that went elsewhere.
    if (!existsSync(join(DRAFT, 'index.html'))) return;
    const old = `${TARGET}.${process.pid}.old`;
    if (existsSync(TARGET)) renameSync(TARGET, old);
    renameSync(DRAFT, TARGET);
    rmSync(old, { recursive: true, force: true });
  },
};

export default defineConfig({
  root: join(ROOT, 'renderer'),
  base: '/app/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), swapWhenDone],
  build: {
    outDir: DRAFT,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page knows no inline source: small icons and fonts are files too.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
