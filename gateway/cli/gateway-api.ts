/**
 * Calls of the command line to a running gateway: the client library over connections of the command line's own, with
 * errors in the words of a terminal. Keys travel in headers only.
 */
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { anonymous, type Credentials } from '../client/credentials.ts';
import { NoAnswer, Refusal, refusedWith, UnexpectedAnswer, ValidationFailed } from '../client/errors.ts';
import type { Call } from '../client/route-types.ts';
import { createTransport, type Fetch, type Send, typed } from '../client/transport.ts';
import { CliError } from './cli-error.ts';
import { stripControls } from './table.ts';

export interface GatewayApi {
  readonly url: string;
  /** Rejects with CliError, whose cause is the library's Refusal, or its NoAnswer when the outcome is unknown. */
  readonly call: Call;
  /** As `call`, but rejects with the library's errors. */
  readonly ask: Call;
}

export interface GatewayApiOptions {
  readonly url: string;
  readonly credentials?: Credentials;
  readonly tradeAccountId?: string;
  readonly timeoutMs?: number;
  readonly interrupted?: AbortSignal;
  /** Agent of calls that carry a secret (proven-connection.ts). */
  readonly agent?: Agent | null;
}

const TIMEOUT_MS = 15_000;

export function createGatewayApi(options: GatewayApiOptions): GatewayApi {
  const { url, interrupted: signal } = options;
  const transport = createTransport({
    url,
    credentials: options.credentials ?? anonymous,
    tradeAccountId: options.tradeAccountId ?? null,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    checkAnswer: null,
    fetch: fetchOver(options.agent ?? null),
  });
  const ask: Send = (route, request) => transport(route, { ...request, signal });
  const call: Send = async (route, request) => {
    try {
      return await ask(route, request);
    } catch (error) {
      throw worded(error, url, route);
    }
  };
  return { url, call: typed(call), ask: typed(ask) };
}

/** Not the platform's `fetch`, which makes its connections itself. Redirects are not followed. */
function fetchOver(agent: Agent | null): Fetch {
  return async (address, { method, headers, body, signal }) => {
    // TLS takes a while to load, and only a gateway on another machine needs it.
    const request = address.startsWith('https:') ? (await import('node:https')).request : httpRequest;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(address, {
      method,
      headers: { ...headers, ...length },
      signal,
      ...(agent === null ? {} : { agent }),
    });
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        sent.on('error', reject);
        sent.on('response', resolve);
        sent.end(body);
      });
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const { statusCode: status = 0 } = answer;
      return {
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => answer.headers[name]?.toString() ?? null },
        text: async () => Buffer.concat(chunks).toString('utf8'),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  };
}

function worded(error: unknown, url: string, route: string): unknown {
  if (error instanceof Refusal) return new CliError(refusal(error, route), 1, error);
  if (error instanceof NoAnswer) return unreached(error, url);
  if (error instanceof UnexpectedAnswer) return new CliError(`${url} does not answer like a Tandem gateway`);
  // A DOMException is the reason of an aborted signal.
  if (error instanceof DOMException) return new CliError('interrupted', 1, new NoAnswer('interrupted'));
  return error;
}

function unreached(error: NoAnswer, url: string): CliError {
  const { cause } = error;
  if (cause instanceof CliError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return new CliError(`no gateway answers at ${url}; start it with: tandem start`);
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new CliError(`${url} did not answer in time`, 1, error);
  return new CliError(`the connection to ${url} broke${code === '' ? '' : ` (${code})`}`, 1, error);
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'make a key with: tandem keys create --save',
  421: 'use the address that the gateway printed at start',
};

/** A refusal in one line, whichever error shape of the service it has. */
function refusal(error: Refusal, route: string): string {
  const { status, errorCode } = error;
  const message =
    error.message === refusedWith(status) ? `${route} failed with status ${status}` : error.message;
  const fields = error instanceof ValidationFailed ? error.fields : [];
  const details = fields.map(({ path, message: reason }) => `${path ? `${path}: ` : ''}${reason}`);
  // The details name the fields at fault; the text `Validation error` would add nothing.
  const said =
    details.length === 0 ? `${message}${errorCode === null ? '' : ` [${errorCode}]`}` : details.join('; ');
  const hint = HINTS[status];
  return stripControls(hint === undefined ? said : `${said}; ${hint}`);
}
