/** For how long nobody answered: what waits for a gateway says so in time, instead of waiting in silence. */
import { GatewayUnreachable, TandemError } from './errors.ts';

/** One wait of a caller. Only attempts count: a program that did nothing for an hour has not waited for an hour. */
export class Absence {
  readonly #url: string;
  readonly #limitMs: number;
  #sinceMs: number | null = null;

  /** @param limitMs `Infinity`: the wait never ends */
  constructor(url: string, limitMs: number) {
    this.#url = url;
    this.#limitMs = limitMs;
  }

  answered(): void {
    this.#sinceMs = null;
  }

  /** An attempt found nobody. @returns the error to end with, once the limit is reached */
  missed(cause?: unknown): GatewayUnreachable | null {
    const now = performance.now();
    this.#sinceMs ??= now;
    return now - this.#sinceMs < this.#limitMs ? null : unreachable(this.#url, cause, this.#limitMs);
  }
}

export function unreachable(url: string, cause: unknown, forMs: number | null = null): GatewayUnreachable {
  const since = forMs === null ? '' : ` for ${forMs / 1_000} s`;
  return new GatewayUnreachable(
    `Nobody answers at ${url}${since}: start the gateway (tandem start), or give its address as \`url\``,
    { cause },
  );
}

/** System errors of a connection that was never made, so that nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True: a request failed before it was sent. Browsers do not tell: there it is unknown. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause && NOT_CONNECTED.has(String(cause.code));
}

/** @throws TandemError when it is no span of time */
export function checkedLimit(limitMs: number): number {
  if (!(limitMs >= 0))
    throw new TandemError('unreachableAfterMs must be a number of milliseconds, or Infinity');
  return limitMs;
}
