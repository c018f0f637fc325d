// Builds the dashboard: renderer/ → dist/renderer. File names carry a hash of the content, so that a browser may keep
// files for good.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './compressed-files.mjs';
import { leanSchemas } from './lean-schemas.mjs';
import { draftOf, swapWhenDone } from './swap-when-done.mjs';

// Whatever the surroundings say: React and its transform for development are half as large again, and slower.
process.env.NODE_ENV = 'production';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TARGET = join(ROOT, 'dist', 'renderer');

/** Where the bare address leads: what it does not import itself is not loaded before it stands. */
const FIRST_SCREEN = join(ROOT, 'renderer', 'screens', 'trade', 'trade.tsx');
let found;

/** Ids of the modules that the first screen imports, at however many removes, without asking for them later. */
function ofFirstScreen(context) {
  if (found !== undefined) return found;
  found = new Set();
  const waiting = [FIRST_SCREEN];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * One file for the modules of every page, two for modules that several screens share (those of the first screen apart from
 * the others), one for charts, one for tables, which the first screen does without: few files compress better than many,
 * and each screen loads in one round.
 */
const CHUNKS = [
  { name: 'start', tags: ['$initial'], priority: 3 },
  {
    name: 'charts',
    test: /lightweight-charts|fancy-canvas|trading-signals|components\/(candle|value|market)-chart|components\/(chart-|level-)/,
    includeDependenciesRecursively: false,
    priority: 2,
  },
  {
    name: 'tables',
    // With what stands in their rows on several screens: columns of a feature are made of functions of this file while
    // they load, which in another file would have to wait for it.
    test: /components\/(table|paged-table|row-window|actions-column|value-columns|figure-columns)|features\/(resting-action|liquidation|chosen-columns|order-tables|position-columns)/,
    includeDependenciesRecursively: false,
    priority: 2,
  },
  {
    debugName: 'first',
    name: (id, context) => (ofFirstScreen(context).has(id) ? 'first' : null),
    minShareCount: 3,
    priority: 2,
  },
  { name: 'parts', minShareCount: 3, priority: 1 },
];

/** Writes the version into the page, which reports a gateway of another version. */
const stampVersion = {
  name: 'stamp-version',
  transformIndexHtml: () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    return [{ tag: 'meta', attrs: { name: 'tandem-version', content: version }, injectTo: 'head' }];
  },
};

export default defineConfig({
  root: join(ROOT, 'renderer'),
  base: '/app/',
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), leanSchemas, stampVersion, compressedFiles, swapWhenDone(TARGET, 'index.html')],
  build: {
    outDir: draftOf(TARGET),
    emptyOutDir: true,
    target: 'es2023',
    // The content policy of the page allows no inline source: small icons and fonts are files too.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
});
