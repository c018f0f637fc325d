/**
 * New tokens for the app's session, from the gateway that has proved itself; one renewal at a time, shared by all
 * callers.
 */
import { REFRESH_PATH, tokensIn } from './answer-for-page.ts';
import type { Forward } from './forward.ts';
import type { SessionKeeper } from './session-keeper.ts';

const TIMEOUT_MS = 10_000;

/** `ended`: the gateway does not know the session, or there was none. Rejects when no answer came. */
export type Renewal = 'renewed' | 'ended' | 'failed';

export function createRenewal(
  forward: Forward,
  session: SessionKeeper,
): (url: string, headers: Readonly<Record<string, string>>) => Promise<Renewal> {
  let running: Promise<Renewal> | null = null;

  async function renew(url: string, headers: Readonly<Record<string, string>>): Promise<Renewal> {
    const refreshToken = session.refreshToken();
    if (refreshToken === null) return 'ended';
    const { status, body } = await forward(url, {
      method: 'POST',
      path: REFRESH_PATH,
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ refreshToken })),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const tokens = tokensIn(await new Response(body).text());
    if (status === 200 && tokens !== null) {
      await session.keep(tokens);
      return 'renewed';
    }
    if (status !== 401) return 'failed';
    // Somebody may have signed in during the renewal; that new session must not be ended.
    if (session.refreshToken() === refreshToken) session.end();
    return session.refreshToken() === null ? 'ended' : 'renewed';
  }

  return (url, headers) => {
    running ??= renew(url, headers).finally(() => {
      running = null;
    });
    return running;
  };
}
