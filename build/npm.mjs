// Runs npm and other programs that make packages; a failure is an error with the message of the program.
import { spawnSync } from 'node:child_process';

/**
 * Finds npm by the path that npm gives to its scripts; elsewhere the shell finds it.
 * @param {string} cwd
 * @param {readonly string[]} argv
 * @returns {string} standard output of npm
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
