/** One bash in which the blocks of a page are run one after the other, as a reader types them into one terminal. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './documents.ts';

export interface ShellSession {
  /** Output of all blocks so far, standard output and error. */
  readonly printed: string;
  /** Runs it to its end. Rejects when a command fails, also one inside of a pipe or `$(…)`. @returns what it printed */
  run(code: string): Promise<string>;
  /** Runs one command beside the session, with the session's variables, until it has printed `sign`. */
  begin(command: string, sign: RegExp): Promise<RunningCommand>;
  end(): Promise<void>;
}

export interface RunningCommand {
  /** Ctrl-C. @returns its exit code */
  interrupt(): Promise<number | null>;
}

const END = '@@ end of block @@\n';

/**
 * @param folder an empty one: the session's home, its `tandem` and `curl`, and the project by links, so that what the blocks
 *   write is written there
 */
export async function shellSession(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ShellSession> {
  const inFolder = (name: string) => join(folder, name);
  const [home, bin, project, failures] = [
    inFolder('home'),
    inFolder('bin'),
    inFolder('project'),
    inFolder('failures'),
  ];
  for (const path of [home, bin, project]) await mkdir(path);
  for (const name of readdirSync(ROOT)) await symlink(join(ROOT, name), join(project, name));
  const path = process.env['PATH'] ?? '';
  await program(join(bin, 'tandem'), `exec "${process.execPath}" "${ROOT}/build/tandem.cjs" "$@"`);
  // A refusal of the gateway is a failure of the example.
  await program(join(bin, 'curl'), `PATH="${path}" exec curl --fail-with-body "$@"`);

  const env = { PATH: `${bin}:${path}`, HOME: home, NODE_ENV: 'test', LANG: 'C.UTF-8', ...settings };
  const bash = spawn('bash', ['--norc', '--noprofile'], { cwd: project, env });
  const beside: ChildProcess[] = [];
  let printed = '';
  let blocks = 0;
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  bash.stdin.write(`set -E -o pipefail; exec 2>&1; trap 'echo "$BASH_COMMAND" >> "${failures}"' ERR\n`);

  async function run(code: string): Promise<string> {
    blocks += 1;
    const file = inFolder(`block-${blocks}.sh`);
    await writeFile(file, `${code}\n`);
    await writeFile(failures, '');
    const from = printed.length;
    bash.stdin.write(`source "${file}" < /dev/null; printf '${END.replace('\n', '\\n')}'\n`);
    await untilPrinted(bash, () => printed.includes(END, from));
    const said = printed.slice(from).replace(END, '');
    const failed = await readFile(failures, 'utf8');
    if (failed !== '') throw new Error(`failed: ${failed}it printed:\n${said}`);
    return said;
  }

  async function begin(command: string, sign: RegExp): Promise<RunningCommand> {
    const variables = inFolder(`variables-${beside.length}`);
    await run(`export -p > "${variables}"`);
    const line = `source "${variables}"; exec ${command}`;
    const child = spawn('bash', ['--norc', '--noprofile', '-c', line], { cwd: project, env, detached: true });
    beside.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
    await untilPrinted(child, () => sign.test(said));
    if (!sign.test(said)) throw new Error(`ended with ${child.exitCode} before it printed ${sign}: ${said}`);
    return { interrupt: () => stop(child, 'SIGINT') };
  }

  return {
    get printed() {
      return printed;
    },
    run,
    begin,
    async end() {
      for (const child of beside) await stop(child, 'SIGTERM');
      bash.stdin.end();
      if (bash.exitCode === null) await once(bash, 'close');
    },
  };
}

/** Resolves when `holds` is true, which is asked after each piece of output, or when the process has ended. */
function untilPrinted(child: ChildProcessWithoutNullStreams, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const streams = [child.stdout, child.stderr];
    const look = () => {
      if (!holds() && child.exitCode === null) return;
      for (const stream of streams) stream.off('data', look);
      child.off('close', look);
      resolve();
    };
    for (const stream of streams) stream.on('data', look);
    child.on('close', look);
    look();
  });
}

async function program(file: string, line: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${line}\n`);
  await chmod(file, 0o755);
}

/** With what it has started: npm runs a script as its child. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const closed = once(child, 'close');
    process.kill(-child.pid, signal);
    await closed;
  }
  return child.exitCode;
}
