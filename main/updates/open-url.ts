/** Fetches one address of the feed: over TLS, and without following redirects. */
import type { OpenUrl } from './download.ts';

const PATIENCE_MS = 10 * 60_000;

export const openUrl: OpenUrl = async (url) => {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok || answer.body === null) throw new Error(`${new URL(url).host} answers ${answer.status}`);
  return answer.body;
};
