/** A whole gateway in this process on a temporary data folder: real HTTP, real SQLite, the embedded paper venues. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, type Settings } from '../../gateway/config.ts';
import { createGateway, type Gateway, type GatewayOverrides } from '../../gateway/index.ts';
import type { Json } from './json.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
  readonly text: string;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
}

export interface TestUser {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: Json;
  readonly tradeAccount: Json;
}

export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly gateway: Gateway;
  close(): Promise<void>;
  register(email?: string): Promise<TestUser>;
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
}

export interface TestGatewayOptions {
  readonly settings?: Partial<Settings>;
  readonly overrides?: GatewayOverrides;
  /** An existing folder is kept on close: restarts. */
  readonly dataDir?: string;
}

export const PASSWORD = 'correct horse battery';

export function testSettings(dataDir: string, over: Partial<Settings> = {}): Settings {
  const loaded = loadSettings({
    argv: [
      '--port',
      '0',
      '--data-dir',
      dataDir,
      '--vault',
      'file',
      '--log-level',
      'silent',
      '--paper-seed',
      '7',
      '--paper-profile',
      'frictionless',
      '--registration',
      'open',
    ],
    env: { NODE_ENV: 'test' },
    homedir: dataDir,
    platform: process.platform,
  });
  if (!loaded.ok) throw new Error(loaded.error.join('; '));
  return { ...loaded.value, ...over };
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tandem-test-')));
  const gateway = await createGateway(testSettings(dataDir, options.settings), options.overrides);
  const request = async (
    method: string,
    path: string,
    { headers, body }: TestRequest = {},
  ): Promise<TestAnswer> => {
    const hasBody = body !== undefined;
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      json: isJson ? JSON.parse(text) : null,
      text,
    };
  };
  return {
    url: gateway.url,
    port: gateway.port,
    dataDir,
    gateway,
    request,
    async close() {
      await gateway.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
    async register(email = 'ada@example.test') {
      const answer = await request('POST', '/auth/register', { body: { email, password: PASSWORD } });
      if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
      return answer.json;
    },
  };
}
