/** One `tandem …` at a terminal of its own (util-linux's `script`), with somebody who types when asked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../build/tandem.cjs', import.meta.url));

export interface TypedAnswer {
  readonly at: RegExp;
  readonly type: string;
  /** Done before it is typed. */
  readonly first?: () => Promise<unknown>;
}

/** @returns the exit code, and all that the terminal showed */
export async function tandemAtTerminal(
  argv: readonly string[],
  answers: readonly TypedAnswer[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TANDEM_'));
  const command = [process.execPath, PROGRAM, ...argv].map(quoted).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...Object.fromEntries(own), TERM: 'dumb', ...env },
  });
  const left = [...answers];
  let shown = '';
  /** Start of the output that is not answered yet. */
  let unread = 0;
  child.stdout.on('data', (chunk) => {
    shown += String(chunk);
    const [next] = left;
    const found = next?.at.exec(shown.slice(unread));
    if (next === undefined || found === null || found === undefined) return;
    left.shift();
    unread = shown.length;
    void (next.first?.() ?? Promise.resolve()).then(() => child.stdin.write(`${next.type}\r`));
  });
  const [code] = await once(child, 'close');
  if (left.length > 0) throw new Error(`nobody asked for ${left[0]?.at}: ${shown}`);
  return { code: code ?? null, shown };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
