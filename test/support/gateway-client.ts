/** Calls a running gateway over HTTP, wherever it runs. */
import http from 'node:http';
import type { Json } from './json.ts';
import { settled } from './outstanding.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
  readonly text: string;
}

interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** Gives up after so many milliseconds; rejects then. */
  readonly timeoutMs?: number;
}

interface TestUser {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: Json;
  readonly tradeAccount: Json;
}

export interface GatewayClient {
  /** Lets a moment pass before the next look at something. */
  pass(): Promise<void>;
  /** Rejects when no whole answer came. */
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  register(email?: string): Promise<TestUser>;
}

export const PASSWORD = 'correct horse battery';

/** @param pass where the gateway's clock is a test's own: moves it. Elsewhere its time goes on by itself. */
export function gatewayClient(url: string, pass: () => Promise<void> = settled): GatewayClient {
  const request: GatewayClient['request'] = async (method, path, { headers, body, timeoutMs } = {}) => {
    const hasBody = body !== undefined;
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
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
    pass,
    request,
    async register(email = 'ada@example.test') {
      const answer = await request('POST', '/auth/register', { body: { email, password: PASSWORD } });
      if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
      return answer.json;
    },
  };
}

/** On a connection of its own, which is closed after the answer. */
export function requestAlone(
  port: number,
  method: string,
  path: string,
  { headers, body, timeoutMs = 30_000 }: TestRequest = {},
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        timeout: timeoutMs,
        headers: {
          ...(text === ''
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const received = Buffer.concat(chunks).toString();
          const json = answer.headers['content-type']?.includes('json') === true && received !== '';
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(
              Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
            ),
            text: received,
            json: json ? JSON.parse(received) : null,
          });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.end(text);
  });
}
