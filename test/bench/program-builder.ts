/**
 * The benchmark's own processes as plain JavaScript: a TypeScript loader in the measured process would be measured too.
 * Packages stay outside and come from node_modules.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** One folder below the root, like `gateway/`: code that looks for files relative to itself finds them. */
export const BENCH_FOLDER = join(ROOT, '.bench');

/** Processes that the benchmark starts, by the name they are started with. */
const PROGRAMS = {
  gateway: new URL('./gateway-process.ts', import.meta.url),
  load: new URL('./load/load-process.ts', import.meta.url),
  firing: new URL('./firing-process.ts', import.meta.url),
  live: new URL('./live-process.ts', import.meta.url),
  'live-feed': new URL('./live-feed-process.ts', import.meta.url),
} as const;

export type Program = keyof typeof PROGRAMS;

export function programFile(program: Program): string {
  return join(BENCH_FOLDER, `${program}.mjs`);
}

export async function buildPrograms(): Promise<void> {
  const { build } = await import('esbuild');
  await mkdir(BENCH_FOLDER, { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(PROGRAMS).map(([out, url]) => ({ out, in: fileURLToPath(url) })),
    outdir: BENCH_FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'external',
    logLevel: 'warning',
  });
}
