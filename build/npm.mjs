// Runs npm, and what else makes packages; a failure is an error with what the program said.
import { spawnSync } from 'node:child_process';

/**
 * npm says where it is to what it runs; elsewhere the shell finds it.
 * @param {string} cwd
 * @param {readonly string[]} argv
 * @returns {string} what it wrote to standard output
 */
export function npm(cwd, ...argv) {
  const file = process.env.npm_execpath;
  if (file?.endsWith('npm-cli.js')) return run(cwd, process.execPath, [file, ...argv]);
  return run(cwd, 'npm', argv, process.platform === 'win32');
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {readonly string[]} argv
 */
export function run(cwd, program, argv, shell = false) {
  const { status, stdout, stderr, error } = spawnSync(program, argv, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell,
  });
  if (status !== 0) throw new Error(`${program} ${argv.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
