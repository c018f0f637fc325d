/** One bash in which the blocks of a page are run one after the other, as a reader types them into one terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './documents.ts';
import { until } from './until.ts';

export interface ShellSession {
  /** What all blocks have printed so far, standard output and error. */
  readonly printed: string;
  /** Runs it to its end. Rejects when a command fails, also one inside of a pipe or `$(…)`. @returns what it printed */
  run(code: string): Promise<string>;
  /** Runs it beside the session until it has printed `sign`. */
  begin(code: string, sign: RegExp): Promise<RunningBlock>;
  end(): Promise<void>;
}

export interface RunningBlock {
  /** Ctrl-C. @returns its exit code */
  interrupt(): Promise<number | null>;
}

const END = '@@ end of block @@';

/**
 * @param folder an empty one: home and `tandem` of the session, and a copy of the project by links, so that what the blocks
 *   write is written there
 */
export async function shellSession(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ShellSession> {
  const [home, bin, project] = ['home', 'bin', 'project'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, bin, project]) await mkdir(path);
  for (const name of readdirSync(ROOT)) await symlink(join(ROOT, name), join(project, name));
  await program(join(bin, 'tandem'), `exec "${process.execPath}" "${ROOT}/build/tandem.cjs" "$@"`);
  // A refusal of the gateway is a failure of the example.
  await program(join(bin, 'curl'), `PATH="$PLAIN_PATH" exec curl --fail-with-body "$@"`);
  const failures = join(folder, 'failures');
  const plain = process.env['PATH'] ?? '';
  const env = {
    PATH: `${bin}:${plain}`,
    PLAIN_PATH: plain,
    HOME: home,
    NODE_ENV: 'test',
    LANG: 'C.UTF-8',
    ...settings,
  };
  const bash = spawn('bash', ['--norc', '--noprofile'], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const running: ChildProcess[] = [];
  let printed = '';
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
  bash.stdin.write(`set -E -o pipefail; exec 2>&1; trap 'echo "$BASH_COMMAND" >> "${failures}"' ERR\n`);
  let blocks = 0;
  return {
    get printed() {
      return printed.replaceAll(`${END}\n`, '');
    },
    async run(code) {
      blocks += 1;
      const file = join(folder, `block-${blocks}.sh`);
      await writeFile(file, `${code}\n`);
      await writeFile(failures, '');
      const from = printed.length;
      bash.stdin.write(`source "${file}" < /dev/null; echo "${END}"\n`);
      await until(`the end of ${code}`, () => printed.includes(END, from) || bash.exitCode !== null, 60_000);
      const said = printed.slice(from).replace(`${END}\n`, '');
      const failed = await readFile(failures, 'utf8');
      if (failed !== '') throw new Error(`failed: ${failed}it printed:\n${said}`);
      return said;
    },
    async begin(code, sign) {
      const variables = await this.run('declare -px');
      const file = join(folder, `beside-${running.length}.sh`);
      await writeFile(
        file,
        `${variables.replaceAll(/^declare -[a-z]*r[a-z]* .*$/gm, '')}\nexec ${code.trim()}\n`,
      );
      const child = spawn('bash', ['--norc', '--noprofile', file], { cwd: project, env, detached: true });
      running.push(child);
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          said += text;
          printed += text;
        });
      await until(`${sign} from ${code}`, () => sign.test(said) || child.exitCode !== null, 60_000);
      if (!sign.test(said))
        throw new Error(`ended with ${child.exitCode} before it printed ${sign}: ${said}`);
      return { interrupt: () => stop(child, 'SIGINT') };
    },
    async end() {
      for (const child of running) await stop(child, 'SIGTERM');
      bash.stdin.end();
      if (bash.exitCode === null) await once(bash, 'close');
    },
  };
}

async function program(file: string, line: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${line}\n`);
  await chmod(file, 0o755);
}

/** The whole group: npm starts what it starts as a child. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const closed = once(child, 'close');
    process.kill(-child.pid, signal);
    await closed;
  }
  return child.exitCode;
}
