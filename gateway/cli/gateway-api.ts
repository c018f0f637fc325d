/** HTTP calls of the command line to a running gateway. Keys travel in headers only. */
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { CliError } from './cli-error.ts';
import { stripControls } from './table.ts';

export interface GatewayApi {
  readonly url: string;
  /** The parsed answer (null when it has no body). Rejects with ApiError, or NoAnswer when the outcome is unknown. */
  call(method: Method, path: string, options?: CallOptions): Promise<unknown>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GatewayApiOptions {
  readonly url: string;
  readonly apiKey?: string | null;
  /** Access token of a session; used when there is no key. */
  readonly bearer?: string | null;
  readonly tradeAccountId?: string | null;
  readonly timeoutMs?: number;
  readonly interrupted?: AbortSignal;
  /** For calls that carry a secret (proven-connection.ts). */
  readonly agent?: Agent | null;
}

/** The gateway said no. */
export class ApiError extends CliError {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message, 1);
    this.status = status;
  }
}

/** The request left and no answer came: it may or may not have been carried out. */
export class NoAnswer extends CliError {}

const TIMEOUT_MS = 15_000;

export function createGatewayApi(options: GatewayApiOptions): GatewayApi {
  return {
    url: options.url,
    async call(method, path, { query = {}, body, headers = {} } = {}) {
      const target = new URL(path, `${options.url}/`);
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const sent: Record<string, string> = { accept: 'application/json', ...headers };
      if (body !== undefined) sent['content-type'] = 'application/json';
      if (options.apiKey) sent['x-api-key'] = options.apiKey;
      else if (options.bearer) sent['authorization'] = `Bearer ${options.bearer}`;
      if (options.tradeAccountId) sent['x-trade-account-id'] = options.tradeAccountId;

      const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
      const signal =
        options.interrupted === undefined ? timeout : AbortSignal.any([timeout, options.interrupted]);
      const content = body === undefined ? null : JSON.stringify(body);
      let received: Received;
      try {
        received = await send(
          target,
          { method, headers: sent, signal, agent: options.agent ?? null },
          content,
        );
      } catch (error) {
        throw unreached(error, options.url, timeout.aborted);
      }
      const { status, text } = received;
      const answer = parse(text);
      if (status >= 200 && status < 300) {
        if (answer === undefined) throw new CliError(`${options.url} does not answer like a Tandem gateway`);
        return answer;
      }
      throw new ApiError(status, refusal(status, answer, `${method} ${path}`));
    },
  };
}

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Not `fetch`: that makes its connections itself. Redirects are not followed. */
async function send(
  target: URL,
  how: {
    readonly method: Method;
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly agent: Agent | null;
  },
  content: string | null,
): Promise<Received> {
  const { agent, ...options } = how;
  // TLS takes a while to load, and only a gateway on another machine needs it.
  const request = target.protocol === 'https:' ? (await import('node:https')).request : httpRequest;
  return new Promise((resolve, reject) => {
    const length = content === null ? {} : { 'content-length': String(Buffer.byteLength(content)) };
    const sent = request(target, {
      ...options,
      headers: { ...options.headers, ...length },
      ...(agent === null ? {} : { agent }),
    });
    sent.on('error', reject);
    sent.on('response', (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.end(content ?? undefined);
  });
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreached(error: unknown, url: string, isLate: boolean): CliError {
  if (error instanceof CliError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return new CliError(`no gateway answers at ${url}; start it with: tandem start`);
  }
  if (isLate) return new NoAnswer(`${url} did not answer in time`);
  if (error instanceof Error && error.name === 'AbortError') return new NoAnswer('interrupted');
  return new NoAnswer(`the connection to ${url} broke${code === '' ? '' : ` (${code})`}`);
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'make a key with: tandem keys create --save',
  421: 'use the address that the gateway printed at start',
};

/** Both error shapes of the service in one line. */
function refusal(status: number, answer: unknown, request: string): string {
  const body = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const message =
    typeof body['message'] === 'string' ? body['message'] : `${request} failed with status ${status}`;
  const details = Array.isArray(body['details'])
    ? body['details'].flatMap((detail: unknown) => {
        if (typeof detail !== 'object' || detail === null) return [];
        const { path, message: reason } = detail as Record<string, unknown>;
        return [`${path ? `${String(path)}: ` : ''}${String(reason)}`];
      })
    : [];
  const code = typeof body['errorCode'] === 'string' ? ` [${body['errorCode']}]` : '';
  const hint = HINTS[status] === undefined ? '' : `; ${HINTS[status]}`;
  // The details say what is wrong; `Validation error` before them says nothing.
  const said = details.length === 0 ? `${message}${code}` : details.join('; ');
  return stripControls(`${said}${hint}`);
}
