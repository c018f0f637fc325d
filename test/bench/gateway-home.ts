/** Data folders for measured gateways, and a user with a key in each of them, made over HTTP like anybody's. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from './child-programs.ts';

interface GatewayOptions {
  /** Default `durable`; `uncommitted`: acknowledgements do not wait for the disk. */
  readonly store?: 'durable' | 'uncommitted';
  /** Executions stay IDLE after their acknowledgement. Default true. */
  readonly held?: boolean;
}

export interface Identity {
  readonly apiKey: string;
  readonly accessToken: string;
  readonly tradeAccountId: string;
}

export interface Gateway extends RunningServer, Identity {}

const EMAIL = 'bench@example.com';
const PASSWORD = 'benchmark-password';

const folders = new Set<string>();

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
  folders.add(folder);
  return folder;
}

/** All that `makeFolder` has made. */
export async function removeFolders(): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

export function startGateway(dataDir: string, options: GatewayOptions = {}): Promise<RunningServer> {
  return startServer({
    TANDEM_DATA_DIR: dataDir,
    TANDEM_PORT: '0',
    TANDEM_VAULT: 'file',
    TANDEM_LOG_LEVEL: 'error',
    TANDEM_PAPER_SEED: '1',
    TANDEM_PAPER_PROFILE: 'frictionless',
    TANDEM_HELD_RUNNER: String(options.held ?? true),
    BENCH_STORE: options.store ?? 'durable',
  });
}

/** A gateway in a new folder, with its first user. */
export async function newGateway(options: GatewayOptions = {}): Promise<Gateway> {
  // The user is made on a plain gateway: the variants may be unable to.
  const dataDir = await makeFolder();
  const identity = await settle(dataDir);
  return { ...(await startGateway(dataDir, options)), ...identity };
}

/** Registers the first user of an empty folder and makes a key. The gateway has ended when this resolves. */
export async function settle(dataDir: string): Promise<Identity> {
  const server = await startGateway(dataDir);
  try {
    const registered = await call(
      server.port,
      'POST',
      '/auth/register',
      {},
      { email: EMAIL, password: PASSWORD },
    );
    const accessToken = field(registered, 'accessToken');
    const key = await call(
      server.port,
      'POST',
      '/api-keys',
      { authorization: `Bearer ${accessToken}` },
      { label: 'bench', scope: 'read_write' },
    );
    return {
      accessToken,
      apiKey: field(key, 'key'),
      tradeAccountId: field(registered, 'tradeAccount', 'id'),
    };
  } finally {
    await server.stop();
  }
}

/** A JSON call outside the measured time. Rejects unless the status is a success. */
export async function call(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** Instruments of `paper` that can be traded. */
export async function instrumentIds(port: number): Promise<readonly string[]> {
  const answer = await call(port, 'GET', '/instruments/lite?connector=paper&scope=tradable', {});
  return list(answer, 'instruments').map((row) => field(row, 'id'));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

export function field(value: unknown, ...path: string[]): string {
  const found = at(value, path);
  if (typeof found !== 'string')
    throw new Error(`no ${path.join('.')} in ${JSON.stringify(value).slice(0, 200)}`);
  return found;
}

function list(value: unknown, ...path: string[]): readonly unknown[] {
  const found = at(value, path);
  if (!Array.isArray(found)) throw new Error(`no list ${path.join('.')}`);
  return found;
}
