/** One `tandem …` in a process of its own, as from a shell: no terminal, its exit code and what it printed. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { TANDEM_PROGRAM } from './tandem-program.ts';

export interface TandemEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface TandemOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Given on standard input, which then ends. */
  readonly input?: string;
}

export interface RunningTandem {
  /** The next line of standard output for which `wanted` holds. Rejects when the program ends without it. */
  line(wanted: (line: string) => boolean): Promise<string>;
  /** Every line of standard output so far. */
  readonly lines: readonly string[];
  /** Resolves when standard error contains `text`. Rejects when the program ends without it. */
  says(text: string): Promise<void>;
  stop(signal: NodeJS.Signals): Promise<TandemEnd>;
  readonly ended: Promise<TandemEnd>;
}

export function startTandem(argv: readonly string[], options: TandemOptions = {}): RunningTandem {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TANDEM_'));
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [TANDEM_PROGRAM, ...argv], {
    env: { ...Object.fromEntries(own), ...options.env },
  });
  child.stdin.end(options.input ?? '');
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const lines: string[] = [];
  const waiting = new Set<(line: string) => void>();
  const endedWithout = ({ code }: TandemEnd) =>
    new Error(`tandem ${argv.join(' ')} ended with ${code}: ${err}`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look(line);
  });
  const ended = once(child, 'close').then(
    ([code]): TandemEnd => ({ code: code ?? null, out: lines.join('\n'), err: err.trimEnd() }),
  );
  return {
    lines,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (err.includes(text)) resolve();
        };
        child.stderr.on('data', look);
        look();
        ended.then((end) => reject(endedWithout(end)));
      }),
    line: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (line: string) => {
          if (!wanted(line)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        ended.then((end) => reject(endedWithout(end)));
      }),
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export function runTandem(argv: readonly string[], options?: TandemOptions): Promise<TandemEnd> {
  return startTandem(argv, options).ended;
}
