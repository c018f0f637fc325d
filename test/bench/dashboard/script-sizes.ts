/** Script sizes of the dashboard: all of it, and the part needed from the address to the first screen. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../program-builder.ts';
import { type Measure, valueMeasure } from '../verdict.ts';
import { atMost, type DashboardBenchmark } from './dashboard-bench.ts';

const ASSETS = join(ROOT, 'dist', 'renderer', 'assets');
const PAGE = join(ROOT, 'dist', 'renderer', 'index.html');
/** Script of the screen that the bare address opens. */
const FIRST_SCREEN = /^trade-[\w-]+\.js$/;
const IMPORT = /\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g;
const KB = 1_000;

/** The files and all that they import without being asked again. */
function withImports(files: readonly string[], sources: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...files];
  for (;;) {
    const file = waiting.pop();
    if (file === undefined) return found;
    if (found.has(file)) continue;
    found.add(file);
    for (const [, name = ''] of (sources.get(file) ?? '').matchAll(IMPORT)) waiting.push(name);
  }
}

/** Measures the last build. */
export function scriptMeasures(): readonly Measure[] {
  const names = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  const sources = new Map(names.map((name) => [name, readFileSync(join(ASSETS, name), 'utf8')]));
  const sizes = new Map([...sources].map(([name, source]) => [name, gzipSync(source).length / KB]));
  const total = (files: Iterable<string>) =>
    [...files].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  const page = readFileSync(PAGE, 'utf8');
  const entry = [...page.matchAll(/(?:src|href)="[^"]*\/([\w.-]+\.js)"/g)].map(([, name = '']) =>
    basename(name),
  );
  const screen = names.filter((name) => FIRST_SCREEN.test(name));
  if (entry.length === 0 || screen.length !== 1) throw new Error('The dashboard is built in another way now');
  const first = withImports([...entry, ...screen], sources);
  return [
    valueMeasure(
      {
        name: 'dashboard/initial-js',
        about: 'Script that is loaded before the first screen (Trade) stands, gzip',
        goal: atMost(250),
        unit: 'kB',
        figures: { 'of it before sign-in': total(withImports(entry, sources)), files: first.size },
      },
      total(first),
    ),
    valueMeasure(
      {
        name: 'dashboard/all-js',
        about: 'All script of the dashboard, every screen and dialog, gzip; without the page of the API',
        goal: atMost(600),
        unit: 'kB',
        figures: { files: names.length, largest: Math.max(...sizes.values()) },
      },
      total(names),
    ),
  ];
}

export const scriptSizes: DashboardBenchmark = async () => scriptMeasures();
