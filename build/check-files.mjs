// Checks files for two rules that nobody should have to remember:
// - No file written by hand is longer than 400 lines.
// - No test uses real time, because then its outcome depends on how fast the machine is.
// `--list` prints every use of real time in tests as `file:line: word`, and does not fail.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'vite';
import { CODE_FOLDERS, sourceFiles } from './source-files.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_LINES = 400;
/** Uses of real time that a failing check prints; `--list` prints all. */
const MAX_PRINTED = 20;

const WRITTEN = /\.(ts|tsx|mts|cts|js|mjs|cjs|css|py|sh)$/;
/** Made by the build (build/python-client.ts). */
const GENERATED = new Set([
  'gateway/client/python/tandem_client/_routes.py',
  'gateway/client/python/tandem_client/_sync.py',
  'gateway/client/python/tandem_client/_sync_lists.py',
  'gateway/client/python/tandem_client/schemas.py',
]);

/** Files that were too long when the rule came, with the lines that they may have. A number here may only get smaller. */
const LONG_FILES = new Map([
  ['gateway/engine/resting/triggers/trigger-service.ts', 481],
  ['renderer/screens/positions/positions.module.css', 580],
  ['test/api/alerts.test.ts', 510],
  ['test/api/approval-ways.test.ts', 462],
  ['test/long/cli-trading.test.ts', 553],
  ['test/real-time/mcp-bridge.test.ts', 474],
  ['test/api/oauth-endpoint-errors.test.ts', 412],
  ['test/api/openapi.test.ts', 472],
  ['test/api/portfolio.test.ts', 430],
  ['test/api/realtime.test.ts', 558],
  ['test/api/resting-bad-input.test.ts', 589],
  ['test/api/sync.test.ts', 475],
  ['test/support/engine-desk.ts', 468],
  ['test/support/scripted-venue.ts', 566],
  ['test/support/surface-calls.ts', 469],
  ['test/unit/engine/account-feed.test.ts', 467],
  ['test/unit/engine/mandates.test.ts', 455],
  ['test/unit/market/candle-history.test.ts', 440],
  ['test/unit/renderer/trade-chart-lines.test.ts', 407],
  ['test/venue-spec/venue-spec.ts', 740],
]);

const TEST_CODE = /^test\/.*\.(ts|tsx|mjs)$/;
/**
 * Recovery tests kill real processes, test/real-time needs the real clock, and benchmarks measure real time. The programs
 * that run tests are no tests.
 */
const REAL_TIME_FOLDERS = /^test\/((recovery|real-time|bench|runner|mutants)\/|mutants\.mjs$)/;
const REAL_TIME =
  /node:timers|\b(?:setTimeout|setInterval|Date\.now|performance\.now|waitForTimeout|AbortSignal\.timeout|Atomics\.wait)\b|\bnew Date\(\)/g;

/** Lines of a text; the last one may end without a line break. */
export function lineCount(text) {
  return text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
}

/**
 * Files that break the rule of length, in words.
 * @param lines path → its number of lines
 * @param ceilings path → lines that a long file may have
 */
export function lengthFaults(lines, ceilings) {
  const faults = [];
  for (const [path, count] of lines) {
    const ceiling = ceilings.get(path);
    if (ceiling === undefined && count > MAX_LINES)
      faults.push(`${path}: ${count} lines, at most ${MAX_LINES}: split it`);
    if (ceiling !== undefined && count > ceiling)
      faults.push(`${path}: grew to ${count} lines from ${ceiling}: split it`);
    if (ceiling !== undefined && count <= MAX_LINES)
      faults.push(`${path}: ${count} lines: remove it from LONG_FILES of build/check-files.mjs`);
  }
  for (const path of ceilings.keys())
    if (!lines.has(path)) faults.push(`${path}: gone: remove it from LONG_FILES of build/check-files.mjs`);
  return faults;
}

/**
 * Uses of real time in a test. Comments do not count. Strings do: they hold programs for child processes and pages.
 * @returns line, from 1, and the word of each
 */
export function realTimeUses(path, text) {
  if (!TEST_CODE.test(path) || REAL_TIME_FOLDERS.test(path) || text.search(REAL_TIME) === -1) return [];
  const { comments } = parseSync(path, text);
  const uses = [];
  for (const { 0: word, index } of text.matchAll(REAL_TIME)) {
    if (comments.some(({ start, end }) => start <= index && index < end)) continue;
    uses.push({ line: text.slice(0, index).split('\n').length, word });
  }
  return uses;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = new Map();
  const uses = [];
  for (const path of sourceFiles(ROOT, CODE_FOLDERS, WRITTEN)) {
    if (GENERATED.has(path)) continue;
    const text = readFileSync(join(ROOT, path), 'utf8');
    lines.set(path, lineCount(text));
    for (const { line, word } of realTimeUses(path, text)) uses.push(`${path}:${line}: ${word}`);
  }
  if (process.argv.includes('--list')) {
    for (const use of uses) console.log(use);
  } else {
    const tooLong = lengthFaults(lines, LONG_FILES);
    for (const fault of [...tooLong, ...uses.slice(0, MAX_PRINTED)]) console.error(fault);
    if (uses.length > MAX_PRINTED)
      console.error(`… ${uses.length - MAX_PRINTED} more: node build/check-files.mjs --list`);
    console.log(
      `${lines.size} files: ${tooLong.length} break the rule of ${MAX_LINES} lines; ${uses.length} uses of real time in tests`,
    );
    if (tooLong.length + uses.length > 0) process.exitCode = 1;
  }
}
