/** Calls a running gateway over HTTP, wherever it runs. */
import http from 'node:http';
import { expect } from 'chai';
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

/** No whole answer came: the gateway is away, or went away meanwhile. */
export class NoAnswer extends Error {}

export interface GatewayClient {
  /** Lets a moment pass before the next look at something. */
  pass(): Promise<void>;
  /** Rejects with `NoAnswer` when no whole answer came. */
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  /** The JSON of an answer with this status; fails the test on any other. */
  expect(method: string, path: string, options?: TestRequest, status?: number): Promise<Json>;
  register(email?: string): Promise<TestUser>;
}

export const PASSWORD = 'correct horse battery';
/** Email of the user that `register` makes by default. */
const USER_EMAIL = 'ada@example.test';

/** @param pass where the gateway's clock is a test's own: moves it. Elsewhere its time goes on by itself. */
export function gatewayClient(
  url: string,
  pass: () => Promise<void> = settled,
): GatewayClient & {
  /** Closes idle connections, which a server that stops waits for. */
  disconnect(): void;
} {
  const { port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true });
  const request: GatewayClient['request'] = (method, path, options) =>
    send(agent, Number(port), method, path, options);
  const expectStatus = expecting(request);
  return {
    pass,
    disconnect() {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
    request,
    expect: expectStatus,
    async register(email = USER_EMAIL) {
      const body = { email, password: PASSWORD };
      return expectStatus('POST', '/auth/register', { body }, 201);
    },
  };
}

/** Signs a user in once more, by email. @returns tokens of the new session, and the header that sends the first */
export async function signIn(
  gateway: Pick<GatewayClient, 'expect'>,
  email = USER_EMAIL,
): Promise<{ readonly tokens: Json; readonly headers: { readonly authorization: string } }> {
  const body = { method: 'email', email, password: PASSWORD };
  const tokens = await gateway.expect('POST', '/auth/login', { body });
  return { tokens, headers: { authorization: `Bearer ${tokens.accessToken}` } };
}

/** Calls that fail the test unless they are answered with the expected status. */
export const expecting =
  <T>(call: (method: string, path: string, given?: T) => Promise<TestAnswer>) =>
  async (method: string, path: string, given?: T, status = 200): Promise<Json> => {
    const answer = await call(method, path, given);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status);
    return answer.json;
  };

/** On a connection of its own, which is closed after the answer. */
export const requestAlone = (
  port: number,
  method: string,
  path: string,
  options?: TestRequest,
): Promise<TestAnswer> => send(false, port, method, path, options);

/** Node's own client: `fetch` takes three times the processor time of it, a fifth of that of a whole API test. */
function send(
  agent: http.Agent | false,
  port: number,
  method: string,
  path: string,
  options: TestRequest = {},
): Promise<TestAnswer> {
  const { headers, body, timeoutMs = 0 } = options;
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const lost = (error: Error) => reject(new NoAnswer(error.message, { cause: error }));
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        timeout: timeoutMs,
        headers: { ...type, ...length, ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', lost);
        answer.on('end', () => {
          const received = Buffer.concat(chunks).toString();
          const isJson = answer.headers['content-type']?.includes('json') === true && received !== '';
          resolve({
            status: answer.statusCode ?? 0,
            headers: headersOf(answer),
            text: received,
            json: isJson ? JSON.parse(received) : null,
          });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The gateway has closed a connection that was kept, at the moment when it was used again.
      if (request.reusedSocket && error.code === 'ECONNRESET')
        send(false, port, method, path, options).then(resolve, reject);
      else lost(error);
    });
    request.end(text);
  });
}

function headersOf(answer: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}
