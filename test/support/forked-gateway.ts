/** The gateway's process as the app starts it, with Node's `fork` in the place of Electron's utility process. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  childArguments,
  childEnvironment,
  type GatewayChild,
  type StartChild,
} from '../../main/gateway-host/gateway-child.ts';

const PROGRAM = fileURLToPath(new URL('../../build/tandem.cjs', import.meta.url));

export interface ForkedGateways {
  readonly start: StartChild;
  /** In the order of their starts. */
  readonly children: readonly ChildProcess[];
  /** Whatever still runs. */
  killAll(): void;
}

export function forkedGateways(dataDir: string, flags: readonly string[] = []): ForkedGateways {
  const children: ChildProcess[] = [];
  const all = [
    ...['--data-dir', dataDir, '--vault', 'file', '--log-level', 'warn', '--registration', 'open'],
    ...['--paper-seed', '7', '--paper-profile', 'frictionless', '--port', '0'],
    ...flags,
  ];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TANDEM_'));
  const program = { file: PROGRAM, flags: all, env: { ...Object.fromEntries(own), NODE_ENV: 'test' } };
  return {
    children,
    start(): GatewayChild {
      const child = fork(program.file, childArguments(program), {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: childEnvironment(program.env),
        execArgv: [],
      });
      children.push(child);
      return {
        post: (message) => void (child.connected && child.send(message, () => undefined)),
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.on('exit', listener),
        onOutput(listener) {
          child.stdout?.on('data', (chunk) => listener(String(chunk)));
          child.stderr?.on('data', (chunk) => listener(String(chunk)));
        },
        kill: () => void child.kill('SIGKILL'),
      };
    },
    killAll() {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    },
  };
}
