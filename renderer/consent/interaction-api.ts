/**
 * Calls to the gateway that serves this page. Signing in, reading and deciding each prove this page's key, which the
 * session is bound to; the session's cookie alone authenticates nothing.
 */
import { anonymous } from '../../gateway/client/credentials.ts';
import { Refusal } from '../../gateway/client/errors.ts';
import { createPageKey, type PageKey } from '../../gateway/client/key-proof.ts';
import { createProvingFetch } from '../../gateway/client/proving-fetch.ts';
import { createTransport, typed } from '../../gateway/client/transport.ts';

/** Longest wait for an answer: the gateway delays a sign-in after many failures by up to 5 s. */
const PATIENCE_MS = 20_000;

/** Not `location.origin`, which is `null` for the scheme of the desktop app. */
const url = `${location.protocol}//${location.host}`;

/** True: the page runs in a browser. In the desktop app, the app itself signs in for the page. */
const isPage = location.protocol === 'http:' || location.protocol === 'https:';

/** In the memory of this page only, and cannot be exported: a page of another port gets the cookies, but no key. */
let pageKey: Promise<PageKey> | null = null;

export const call = typed(
  createTransport({
    url,
    credentials: { ...anonymous, withCookies: true },
    tradeAccountId: null,
    timeoutMs: PATIENCE_MS,
    checkAnswer: null,
    fetch: createProvingFetch({
      url,
      key: () => {
        pageKey ??= createPageKey();
        return pageKey;
      },
      fetch: (input, init) => fetch(input, { ...init, cache: 'no-store', referrerPolicy: 'no-referrer' }),
      proves: (_, path) => isPage && path.startsWith('/interaction/'),
    }),
  }),
);

/** 0: no answer of a gateway came. The connection was refused or cut off, timed out, or another program answered. */
export const statusOf = (error: unknown): number => (error instanceof Refusal ? error.status : 0);
