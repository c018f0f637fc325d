/**
 * The calls that this dashboard itself has made, for the Developers screen: the last few hundred, in memory only.
 * Values that could be secret are struck out first, so that no password, key or credential is kept here.
 */
import { create } from 'zustand';

const MAX_CALLS = 300;
const MAX_BODY_CHARS = 8_192;
/** Text that replaces values which are not recorded. */
export const STRUCK_OUT = '[not kept]';

export interface LoggedCall {
  readonly number: number;
  /** Time of the call, epoch ms. */
  readonly at: number;
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** Request headers that are needed to repeat the call; never a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text of the request; null: the call has no body. */
  readonly body: string | null;
  /** HTTP status; null: no answer yet, or none at all (see `failure`). */
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly requestId: string | null;
  /** The gateway's words for a refusal, or why no answer came. */
  readonly failure: string | null;
  /** The page gave up waiting for the answer, because the view that had asked was closed. */
  readonly isGivenUp: boolean;
}

const KEPT_HEADERS = ['x-trade-account-id', 'idempotency-key', 'content-type'];
/** Paths on which any request or answer may hold a credential. */
const SECRET_PATH = /^\/(auth|interaction)\/|^\/trade-accounts\/[^/]+\/credentials$/;
const SECRET_FIELD = /password|secret|token|credential|signature|passphrase|mnemonic|private|^key$|apikey/i;

function strike(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strike);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, SECRET_FIELD.test(name) ? STRUCK_OUT : strike(one)]),
  );
}

/** The request body, with secrets struck out. @param path without its query */
export function keptBody(path: string, body: string): string {
  if (SECRET_PATH.test(path)) return JSON.stringify(STRUCK_OUT);
  try {
    const text = JSON.stringify(strike(JSON.parse(body)));
    return text.length <= MAX_BODY_CHARS ? text : JSON.stringify(STRUCK_OUT);
  } catch {
    return JSON.stringify(STRUCK_OUT);
  }
}

/** The logged calls, newest first. */
export const useRequestLog = create<readonly LoggedCall[]>()(() => []);
let made = 0;

/** Sending time of the oldest call without an answer, epoch ms; null: no call is waiting for its answer. */
export function useOldestWaiting(): number | null {
  return useRequestLog((calls) => calls.findLast(({ milliseconds }) => milliseconds === null)?.at ?? null);
}

/** True: a call that changes something is waiting for its answer. */
export function useIsWriteWaiting(): boolean {
  return useRequestLog((calls) =>
    calls.some(({ milliseconds, method }) => milliseconds === null && method !== 'GET'),
  );
}

export const requestLogNow = useRequestLog.getState;

export function forgetRequests(): void {
  useRequestLog.setState([], true);
}

function change(number: number, patch: Partial<LoggedCall>): void {
  useRequestLog.setState(
    useRequestLog.getState().map((call) => (call.number === number ? { ...call, ...patch } : call)),
    true,
  );
}

async function refusalText(response: Response): Promise<string | null> {
  try {
    const answer: unknown = await response.clone().json();
    if (typeof answer !== 'object' || answer === null) return null;
    const message = 'message' in answer ? String(answer.message) : null;
    const code = 'errorCode' in answer ? String(answer.errorCode) : null;
    return code === null ? message : `${code}: ${message}`;
  } catch {
    return null;
  }
}

/** The given `fetch`, with every call recorded in the log. */
export function recordingFetch(plain: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.origin);
    const headers = new Headers(init?.headers);
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    made += 1;
    const number = made;
    const startedAt = performance.now();
    const call: LoggedCall = {
      number,
      at: Date.now(),
      method: init?.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: Object.fromEntries(kept),
      body: typeof init?.body === 'string' ? keptBody(url.pathname, init.body) : null,
      status: null,
      milliseconds: null,
      requestId: null,
      failure: null,
      isGivenUp: false,
    };
    useRequestLog.setState([call, ...useRequestLog.getState()].slice(0, MAX_CALLS), true);
    const taken = () => Math.round(performance.now() - startedAt);
    try {
      const response = await plain(input, init);
      change(number, {
        status: response.status,
        milliseconds: taken(),
        requestId: response.headers.get('x-request-id'),
      });
      if (!response.ok) void refusalText(response).then((failure) => change(number, { failure }));
      return response;
    } catch (error) {
      const isGivenUp = error instanceof DOMException && error.name === 'AbortError';
      const failure = error instanceof Error ? error.message : 'no answer';
      change(number, { milliseconds: taken(), ...(isGivenUp ? { isGivenUp } : { failure }) });
      throw error;
    }
  };
}
