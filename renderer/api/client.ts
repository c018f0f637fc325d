/** The one client of the page. Its session is bound to the page's key; in the desktop app, the app holds it. */
import { QueryClient } from '@tanstack/react-query';
import { BoundSession, createClient } from '../../gateway/client/client.ts';
import { isUnsure } from '../../gateway/client/errors.ts';
import { WatchedSocket } from './connection.ts';
import { desktop } from './desktop.ts';
import { pageKey } from './page-key.ts';
import { recordingFetch } from './request-log.ts';

const TIMEOUT_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const RETRIES = 3;

/** Fetch that records every call in the log of the Developers screen. */
const recorded = recordingFetch((input, init) => fetch(input, init));
const bound = desktop.isDesktop
  ? null
  : new BoundSession({ url: location.origin, key: pageKey, fetch: recorded });

export const gatewayOptions = {
  ...(bound === null ? ({ cookie: true, ...(await desktop.clientOptions()) } as const) : { bound }),
  timeoutMs: TIMEOUT_MS,
  fetch: recorded,
};

/** Forgets the bound session after a sign-out in another tab. */
export function forgetSession(): void {
  bound?.forget();
}

export const gateway = createClient(gatewayOptions);
/** Client of the dashboard's main stream, whose connection state the page shows. */
export const watchedGateway = createClient({ ...gatewayOptions, WebSocket: WatchedSocket });

/**
 * Reads are retried when the gateway did not answer or failed; a refusal is an answer. Events trigger the re-reads,
 * so a window that comes to the front triggers none.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < RETRIES && isUnsure(error),
      retryDelay: (attempt) => Math.min(LONGEST_PAUSE_MS, 400 * 2 ** attempt),
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // The gateway runs on this machine, so the browser's online state is irrelevant to it.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
