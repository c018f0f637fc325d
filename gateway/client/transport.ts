/** One request over fetch: address, headers, time limit, one renewed session on a 401, the answer or its error. */
import { anonymous, type Credentials } from './credentials.ts';
import { NoAnswer, refusalOf, TandemError, UnexpectedAnswer } from './errors.ts';
import { unreachable, wasNotSent } from './presence.ts';
import type { Call, RouteName } from './route-types.ts';

/** Checks an answer before the caller gets it; throws when the answer is not accepted. */
export type AnswerCheck = (route: string, status: number, answer: unknown) => void;

/** The part of `fetch` that a request needs: a program that makes its connections itself brings its own. */
export type Fetch = (
  address: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: AbortSignal;
    readonly redirect: 'error';
    readonly credentials: 'include' | 'omit';
  },
) => Promise<{
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

export interface TransportOptions {
  /** Origin of the gateway, without a path. */
  readonly url: string;
  readonly credentials: Credentials;
  readonly tradeAccountId: string | null;
  readonly timeoutMs: number;
  readonly checkAnswer: AnswerCheck | null;
  readonly fetch: Fetch;
}

export interface TransportRequest {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly tradeAccountId?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
}

export type Send = (route: string, request?: TransportRequest) => Promise<unknown>;

/** Sign-in routes: a 401 there means a wrong password or proof, not that a session has ended. */
const SIGNS_IN = new Set(['POST /auth/login', 'POST /auth/register', 'POST /auth/link']);
/**
 * Routes whose answer waits for a live venue, and for the gateway's turn within the venue's rate limit; ms. Whoever gave up
 * on them as soon as on others would be told of no answer while an account is being connected.
 */
const PATIENT: ReadonlyMap<string, number> = new Map<RouteName, number>([
  ['POST /trade-accounts', 120_000],
  ['PUT /trade-accounts/{id}/credentials', 120_000],
  ['POST /connectors/{id}/wallet-approvals', 120_000],
  ['POST /connectors/{id}/wallet-approvals/{approvalId}', 120_000],
  ['POST /connectors/{id}/check', 300_000],
]);
/** Route that tells whether there is a session. */
const START = 'GET /app/start';

/** Resolves with the parsed body of a 2xx answer (undefined: it has none); rejects with a `TandemError`. */
export function createTransport(options: TransportOptions): Send {
  const { credentials } = options;

  async function attempt(
    route: string,
    request: TransportRequest,
    credential: Readonly<Record<string, string>>,
  ) {
    const [method = '', pattern = ''] = route.split(' ');
    const headers: Record<string, string> = { accept: 'application/json', ...credential };
    const account = request.tradeAccountId ?? options.tradeAccountId;
    if (account !== null) headers['x-trade-account-id'] = account;
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey;
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    const usual = Math.max(options.timeoutMs, PATIENT.get(route) ?? 0);
    const timeout = AbortSignal.timeout(request.timeoutMs ?? usual);
    try {
      const response = await options.fetch(address(options.url, pattern, request), {
        method,
        headers,
        redirect: 'error',
        credentials: credentials.withCookies ? 'include' : 'omit',
        signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      const requestId = response.headers.get('x-request-id');
      return { status: response.status, ok: response.ok, requestId, text: await response.text() };
    } catch (error) {
      request.signal?.throwIfAborted();
      if (wasNotSent(error)) throw unreachable(options.url, error);
      throw new NoAnswer(`${route}: ${timeout.aborted ? 'no answer in time' : 'the connection broke'}`, {
        cause: error,
      });
    }
  }

  /** Who gave no key reads what to give. */
  const said = (status: number, body: unknown): unknown =>
    status === 401 && credentials === anonymous
      ? { message: 'No API key: make one with `tandem keys create`, and give it as `apiKey`' }
      : body;

  return async (route, request = {}) => {
    if (!SIGNS_IN.has(route) && route !== START) await credentials.prepare?.();
    const used = credentials.headers();
    let answer = await attempt(route, request, used);
    if (answer.status === 401 && !SIGNS_IN.has(route) && (await credentials.renew(used)))
      answer = await attempt(route, request, credentials.headers());
    const body = parse(route, answer.text, answer.ok);
    if (!answer.ok) throw refusalOf(answer.status, said(answer.status, body), answer.requestId);
    credentials.answered?.(route, body);
    options.checkAnswer?.(route, answer.status, body);
    return body;
  };
}

/** `Send` with the types of the contract, which the transport itself does not know. */
export function typed(send: Send): Call {
  return (route, ...[request]) => send(route, request) as Promise<never>;
}

/** @throws TandemError when a parameter of the path is missing */
function address(url: string, pattern: string, { params = {}, query = {} }: TransportRequest): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    // An empty value or dots alone would lead to another path.
    if (value === undefined || /^\.{0,2}$/.test(value))
      throw new TandemError(`${pattern} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return `${url}${path}${search.size === 0 ? '' : `?${search}`}`;
}

function parse(route: string, text: string, ok: boolean): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A refusal is recognised by its status alone, even if its text is not JSON.
    if (!ok) return undefined;
    throw new UnexpectedAnswer(`${route}: the answer is not JSON`);
  }
}
