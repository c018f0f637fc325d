/** A gateway in a process of its own, started the way `npm start` does: signalled, killed, started again on its folder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { TANDEM_PROGRAM } from './tandem-program.ts';

export interface GatewayProcessOptions {
  readonly dataDir: string;
  /** Default: any that is free. */
  readonly port?: number;
  /** The paper venue runs elsewhere and listens on this port. */
  readonly simPort?: number;
  readonly profile?: 'realistic' | 'frictionless' | 'thin' | 'brutal';
  /** Seed of the simulated markets. Default: 7. */
  readonly seed?: number;
  /** Default: `warn`. */
  readonly logLevel?: 'debug' | 'info' | 'warn';
  /** Further flags of `tandem start`. */
  readonly flags?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Open files that it may have (`ulimit -n`). Default: as many as this process. */
  readonly descriptors?: number;
}

export interface GatewayAddress {
  readonly url: string;
  readonly port: number;
}

export interface GatewayEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface GatewayProcess {
  readonly pid: number;
  /** Rejects when the process ended before it served. */
  readonly ready: Promise<GatewayAddress>;
  readonly ended: Promise<GatewayEnd>;
  /** Lines of standard error: log records as JSON, and what it says to people. */
  readonly errorLines: readonly string[];
  /** Sends the signal and waits for the end. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<GatewayEnd>;
}

/** Bundles the program when its sources are newer than the bundle, so that no start has to. */
export function buildGateway(): void {
  const { status, stderr } = spawnSync(process.execPath, [TANDEM_PROGRAM, '--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the gateway cannot be built: ${stderr}`);
}

export function launchGateway(options: GatewayProcessOptions): GatewayProcess {
  const limited = options.descriptors === undefined ? '' : `ulimit -n ${options.descriptors} && `;
  const child = spawn(
    'sh',
    [
      ...['-c', `${limited}exec "$0" "$@"`, process.execPath],
      TANDEM_PROGRAM,
      'start',
      '--json-ready',
      ...['--port', String(options.port ?? 0)],
      ...['--data-dir', options.dataDir],
      ...['--vault', 'file'],
      ...['--log-level', options.logLevel ?? 'warn'],
      ...['--paper-seed', String(options.seed ?? 7)],
      ...['--paper-profile', options.profile ?? 'frictionless'],
      ...['--registration', 'open'],
      ...(options.simPort === undefined ? [] : ['--paper-sim', `127.0.0.1:${options.simPort}`]),
      ...(options.flags ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...environment(), ...options.env } },
  );
  const errorLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errorLines.push(line));
  const ended = once(child, 'close').then(
    ([code, signal]): GatewayEnd => ({ code: code ?? null, signal: signal ?? null }),
  );
  const ready = Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]): GatewayAddress => {
      const { url } = JSON.parse(String(line));
      return { url, port: Number(new URL(url).port) };
    }),
    ended.then(({ code, signal }): never => {
      throw new Error(`the gateway ended before it served (${signal ?? code}): ${errorLines.join('\n')}`);
    }),
  ]);
  // Whoever kills it while it starts does not wait for it to be ready.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    ready,
    ended,
    errorLines,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** The environment of this process without settings of Tandem that it may carry. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TANDEM_'));
  return { ...Object.fromEntries(own), NODE_ENV: 'test' };
}

/** Log records of level error: each is a bug, or a file that could not be written. */
export function errorRecords(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.startsWith('{"level":"error"'));
}
