/** Floods a gateway from another process, bounded in time and connections. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./flood-program.ts', import.meta.url));

export type FloodKind =
  | 'giantKeys'
  | 'keys'
  | 'manyKeys'
  | 'messages'
  | 'pings'
  | 'passwords'
  | 'deaf'
  | 'silent';

export interface FloodReport {
  /** Statuses of answers, codes of errors and closes → how often. */
  readonly answers: Readonly<Record<string, number>>;
  readonly bytes: number;
}

export interface Flood {
  report(): Promise<FloodReport>;
  /** At once, whatever it does. */
  kill(): void;
}

/** Resolves when all its connections have begun. */
export async function startFlood(kind: FloodKind, port: number, connections: number): Promise<Flood> {
  const child: ChildProcess = fork(PROGRAM, [kind, String(port), String(connections)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    async report() {
      const told = once(child, 'message');
      child.send('report');
      const [report] = await told;
      return report;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
