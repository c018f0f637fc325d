/** `fetch` that proves the page's key (RFC 9449, DPoP), which the session of the page is bound to. */
import { makeProof, type PageKey } from './key-proof.ts';

/** Time that a nonce is used; the gateway accepts it for two minutes. */
const NONCE_MS = 60_000;

export interface ProvingFetchOptions {
  /** Origin of the gateway's pages, which is the page's own. */
  readonly url: string;
  /** Called when a proof needs the key. */
  readonly key: () => Promise<PageKey>;
  readonly fetch: typeof fetch;
  /** True: requests of the route carry a proof. */
  readonly proves: (method: string, path: string) => boolean;
}

/**
 * A nonce is fetched first when there is no fresh one. The call is repeated once when the gateway refuses the nonce,
 * because the gateway may have restarted.
 */
export function createProvingFetch({
  url: origin,
  key,
  fetch: plain,
  proves,
}: ProvingFetchOptions): typeof fetch {
  let nonce: { readonly text: string; readonly at: number } | null = null;

  function keepNonce(response: Response): void {
    const text = response.headers.get('dpop-nonce');
    if (text !== null) nonce = { text, at: performance.now() };
  }

  async function refreshNonce(signal: AbortSignal | null | undefined): Promise<void> {
    if (nonce !== null && performance.now() - nonce.at <= NONCE_MS) return;
    const init = { credentials: 'omit', redirect: 'error', signal: signal ?? null } as const;
    keepNonce(await plain(`${origin}/app/start`, init));
  }

  return async (input, init) => {
    const url = new URL(String(input));
    const method = init?.method ?? 'GET';
    if (!proves(method, url.pathname)) return plain(input, init);
    const own = await key();
    const send = async () => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      const request = { method, url: `${url.origin}${url.pathname}`, nonce: nonce?.text ?? null };
      headers.set('dpop', await makeProof(own, request));
      const response = await plain(input, { ...init, headers });
      keepNonce(response);
      return response;
    };
    await refreshNonce(init?.signal);
    const response = await send();
    const isStale = /\buse_dpop_nonce\b/.test(response.headers.get('www-authenticate') ?? '');
    return isStale && nonce !== null ? send() : response;
  };
}
