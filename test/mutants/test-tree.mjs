// Copies of the sources to run tests in, so that no mutant is ever written to the working tree.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A process gets at least the first; several files in one process get the second each. */
const LIMIT_MS = 120_000;
const LIMIT_OF_A_FILE_MS = 30_000;

const MODULES = ['.', 'main', 'test/clients', 'test/generators', 'test/witness'];

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'mutants-')));
const running = new Set();
let trees = 0;

process.once('exit', () => {
  for (const child of running) endGroup(child);
  rmSync(workspace, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/**
 * Copies the files that git knows, and new ones; packages are linked. Files are copied and not linked, because tests may
 * write to them.
 */
export function makeTree(root) {
  const tree = join(workspace, String(trees++));
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const name of names.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    copyFileSync(join(root, name), join(tree, name));
  }
  for (const folder of MODULES) {
    const packages = join(root, folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(tree, folder, 'node_modules'));
  }
  return tree;
}

/** The command that runs test files of a tree, in one process, until a file fails. */
const commandOf = (tree, files) => [
  join(tree, 'test', 'run.mjs'),
  ...['--bail', '--no-build', '--workers', '1', ...files],
];

/**
 * Runs test files of a tree in one process until a test fails. Resolves with `isGreen`, and with the file of the failed
 * test in `failed`: null when the process ended without naming one, or had to be ended.
 */
export function runTests(tree, files) {
  const temporary = `${tree}t`;
  mkdirSync(temporary, { recursive: true });
  const child = spawn(process.execPath, commandOf(tree, files), {
    cwd: tree,
    // A group of its own, so that processes that tests start end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: temporary },
  });
  running.add(child);
  let failed = null;
  let isTimedOut = false;
  const limit = setTimeout(
    () => {
      isTimedOut = true;
      endGroup(child);
    },
    Math.max(LIMIT_MS, files.length * LIMIT_OF_A_FILE_MS),
  );
  onLine(child.stdout, (line) => {
    failed ??= failedFile(line);
    // Nothing is left to learn: what the other hooks do takes time.
    if (failed !== null) endGroup(child);
  });
  // Processes that tests leave behind would keep the output open.
  child.once('exit', () => endGroup(child));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ isGreen: code === 0 && failed === null, failed, isTimedOut });
    });
  });
}

function onLine(stream, tell) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) tell(line);
  });
}

/** The file that failed; tests may print lines of their own. */
const failedFile = (line) => /^\[ *\d+\/\d+\] FAIL (\S+)/.exec(line)?.[1] ?? null;

function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
