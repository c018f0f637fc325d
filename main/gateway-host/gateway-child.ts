/** The gateway's process as the host sees it: Electron's utility process, or in tests one of Node's. */
import type { ToGateway } from '../../gateway/contract/shell-link.ts';
import type { ElectronParts } from '../electron-parts.ts';

export interface GatewayChild {
  post(message: ToGateway): void;
  /** The messages are not parsed. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, however the process ended. */
  onExit(listener: (code: number | null) => void): void;
  /** All output of the process: lines of the log, and messages for people. */
  onOutput(listener: (text: string) => void): void;
  kill(): void;
}

export type StartChild = () => GatewayChild;

export interface ChildProgram {
  /** The launcher of the command line. */
  readonly file: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Environment variables that are not passed on, because they would change how Node runs in the child process. */
const KEPT_OUT = /^(NODE_OPTIONS|ELECTRON_RUN_AS_NODE|NODE_EXTRA_CA_CERTS|NODE_DEBUG)$/;

export function utilityChild(
  utilityProcess: ElectronParts['utilityProcess'],
  program: ChildProgram,
): StartChild {
  return () => {
    const child = utilityProcess.fork(program.file, childArguments(program), {
      serviceName: 'Tandem gateway',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment(program.env),
    });
    return {
      post: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.on('exit', listener),
      onOutput(listener) {
        child.stdout?.on('data', (chunk) => listener(String(chunk)));
        child.stderr?.on('data', (chunk) => listener(String(chunk)));
      },
      kill: () => void child.kill(),
    };
  };
}

export function childArguments({ flags }: ChildProgram): string[] {
  return ['start', '--shell', ...flags];
}

export function childEnvironment(env: ChildProgram['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || KEPT_OUT.test(name) ? [] : [[name, value] as const],
    ),
  );
}
