// Builds the consent page: renderer/consent/ → dist/consent. It is made of components of the dashboard, and is a build of
// its own, so that it loads nothing of the dashboard that it does not use. File names are fixed: the gateway has a list
// of them (gateway/http/consent-page.ts).
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { draftOf, swapWhenDone } from './swap-when-done.mjs';

// React for development is half as large again.
process.env.NODE_ENV = 'production';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(ROOT, 'renderer', 'consent');
const TARGET = join(ROOT, 'dist', 'consent');

export default defineConfig({
  root: PAGE,
  base: '/consent/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), swapWhenDone(TARGET, 'consent.html')],
  build: {
    outDir: draftOf(TARGET),
    emptyOutDir: true,
    target: 'es2023',
    // The content policy of the page allows no inline source.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['consent.html', 'waiting.html'].map((name) => join(PAGE, name)),
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.css') ? 'assets/consent.css' : `assets/${name}`,
        codeSplitting: { groups: [{ name: 'parts', minShareCount: 2 }] },
      },
    },
  },
});
