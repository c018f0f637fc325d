// Checks which folders of the dashboard may import which. dependency-cruiser checks the rest of the program; its parser
// reads no TSX.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Files outside the dashboard that it may import; of the domain only tables and enumerations. */
const OUTSIDE = [
  'gateway/contract/',
  'gateway/client/',
  'gateway/domain/candle-intervals.ts',
  'gateway/domain/condition-table.ts',
  'gateway/domain/enumerations.ts',
  'gateway/domain/metrics.ts',
  'gateway/words/',
  'main/ipc/contract.ts',
];
const BASE = [...OUTSIDE, 'renderer/styles/', 'renderer/api/'];
const PARTS = [...BASE, 'renderer/components/'];

/**
 * Folder → paths that it may import besides itself. Each screen is a folder of its own: screens import no other screen.
 */
const ARROWS = [
  [/^renderer\/api\//, BASE],
  [/^renderer\/components\//, PARTS],
  [/^renderer\/features\//, [...PARTS, 'renderer/features/']],
  // From the router a screen may import the list of the screens.
  [/^renderer\/screens\/[^/]+\//, [...PARTS, 'renderer/features/', 'renderer/app/places.ts']],
  // The consent page is loaded without the dashboard, whose client and settings it does without.
  [
    /^renderer\/consent\//,
    [...OUTSIDE, 'renderer/styles/', 'renderer/components/', 'renderer/features/', 'renderer/icon.svg'],
  ],
  [/^renderer\/app\//, [...PARTS, 'renderer/features/', 'renderer/screens/']],
  [/^renderer\//, ['renderer/app/']],
];

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

const wrong = [];
for (const name of readdirSync(join(ROOT, 'renderer'), { recursive: true })) {
  const file = `renderer/${String(name).split(sep).join('/')}`;
  if (!/\.tsx?$/.test(file)) continue;
  const [[folder] = [''], allowed = []] = arrowOf(file);
  for (const [, target = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
    if (target.startsWith('node:')) wrong.push(`${file} imports ${target}, which browsers do not have`);
    if (!target.startsWith('.')) continue;
    const path = relative(ROOT, resolve(ROOT, dirname(file), target))
      .split(sep)
      .join('/');
    if (![folder, ...allowed].some((prefix) => path.startsWith(prefix)))
      wrong.push(`${file} imports ${path}`);
  }
}
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;

function arrowOf(file) {
  for (const [pattern, allowed] of ARROWS) {
    const match = pattern.exec(file);
    if (match !== null) return [match, allowed];
  }
  return [];
}
