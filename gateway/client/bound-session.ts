/**
 * The session of a page, bound to a key that the page can use and nobody can read. The session has no cookie: sign-ins
 * and renewals prove the key, all other requests have a bearer token that lives a quarter of an hour in memory. No
 * token rotates, so tabs that share a key never get into each other's way.
 */
import { anonymous, type Credentials, oneAtATime, type SessionTokens } from './credentials.ts';
import { createProvingFetch, type ProvingFetchOptions } from './proving-fetch.ts';
import { createTransport } from './transport.ts';

/** Routes whose requests carry a proof. */
const PROVED = new Set([
  'GET /app/start',
  'POST /auth/login',
  'POST /auth/link',
  'POST /auth/register',
  'POST /auth/session/refresh',
]);
/** A token is renewed this long before its end, so that it does not expire during a request. */
const EARLY_MS = 60_000;
const RENEWAL_TIMEOUT_MS = 20_000;

export type BoundSessionOptions = Omit<ProvingFetchOptions, 'proves'>;

/** Session shared by all clients of a page. */
export class BoundSession {
  /** `fetch` that adds a proof to requests of the routes in PROVED. */
  readonly fetch: typeof fetch;
  #token: { readonly text: string; readonly staleAt: number } | null = null;
  /** True: the gateway has reported a session for this key. */
  #isThere = false;
  /** False: the gateway refused the renewal. Rejects when no answer came. */
  readonly #renew: () => Promise<boolean>;

  constructor(options: BoundSessionOptions) {
    this.fetch = createProvingFetch({
      ...options,
      proves: (method, path) => PROVED.has(`${method} ${path}`),
    });
    const send = createTransport({
      url: options.url,
      credentials: { ...anonymous, answered: (route, body) => this.#heard(route, body) },
      tradeAccountId: null,
      timeoutMs: RENEWAL_TIMEOUT_MS,
      checkAnswer: null,
      fetch: (address, init) => this.fetch(address, init),
    });
    this.#renew = oneAtATime(
      () => send('POST /auth/session/refresh', { body: {} }),
      () => this.forget(),
    );
  }

  /**
   * Credentials for a client that uses this session instead of a cookie. `ticket` requests a ticket for the
   * WebSocket.
   */
  credentials(ticket: () => Promise<string>): Credentials {
    return {
      headers: () => this.#headers(),
      withCookies: false,
      prepare: () => this.#renewEarly(),
      renew: (used) =>
        used['authorization'] === this.#headers()['authorization'] ? this.#renew() : Promise.resolve(true),
      realtime: async () => ({ ticket: await ticket() }),
      answered: (route, body) => this.#heard(route, body),
    };
  }

  /** Ends the session in this tab: its token is forgotten. */
  forget(): void {
    this.#token = null;
    this.#isThere = false;
  }

  #headers(): Readonly<Record<string, string>> {
    return this.#token === null ? {} : { authorization: `Bearer ${this.#token.text}` };
  }

  /**
   * Renews the token before its end. The page's clock may stand still while the machine sleeps: a token that ended
   * meanwhile gets a 401, and is renewed then.
   */
  async #renewEarly(): Promise<void> {
    if (!this.#isThere || (this.#token !== null && performance.now() < this.#token.staleAt)) return;
    await this.#renew();
  }

  #heard(route: string, body: unknown): void {
    if (route === 'POST /auth/logout') this.forget();
    if (typeof body !== 'object' || body === null) return;
    if (route === 'GET /app/start' && 'signedIn' in body) {
      if (body.signedIn === true) this.#isThere = true;
      else this.forget();
    } else if (PROVED.has(route) && 'accessToken' in body) {
      const { accessToken, expiresIn } = body as Pick<SessionTokens, 'accessToken' | 'expiresIn'>;
      this.#token = { text: accessToken, staleAt: performance.now() + expiresIn * 1_000 - EARLY_MS };
      this.#isThere = true;
    }
  }
}
