/**
 * Events as an async iterator that outlives its connections: after a lost one it connects again and resumes after the last
 * event that its caller has taken, so that no event of an account is missed and none comes twice.
 */
import { Connection, type Ended } from './connection.ts';
import type { Credentials } from './credentials.ts';
import { isUnsure, NoAnswer, StreamRefused, Unauthorized } from './errors.ts';
import { Absence } from './presence.ts';
import { type ResumePoint, resumePoints } from './resume-points.ts';
import type { SocketConstructor } from './socket.ts';
import type { ChannelMessage, Subscribed } from './stream-messages.ts';
import { Patience, wait } from './wait.ts';

export interface StreamOptions {
  /** `user:{tradeAccountId}`, `prices:{connector}`, `funding:{connector}`, `baskets:{connector}`, `status`. */
  readonly channels: readonly string[];
  /**
   * Last `seq` that the caller has, last `seq` by private channel, or the last event itself. Absent: events from the
   * subscription on.
   */
  readonly resumeFrom?: ResumePoint;
  /** Ends the stream, also while it waits. Leaving the loop ends it too. */
  readonly signal?: AbortSignal;
  /**
   * Called when a connection is lost, before another is tried: until `subscribed` comes again prices are old, and where it is
   * the gateway that has ended, nothing watches take-profit, stop-loss and triggers.
   */
  readonly onLost?: () => void;
}

export interface StreamDeps<Message> {
  readonly url: string;
  /** Address of the WebSocket; null: `/ws` at `url`. */
  readonly realtimeUrl: string | null;
  readonly credentials: Credentials;
  readonly socket: () => Promise<SocketConstructor>;
  readonly read: (message: ChannelMessage) => Message;
  /**
   * For a program that shows its connections: called for each connection that ended, before the credential is renewed
   * or another attempt is made. Returns the delay of the next attempt, ms; throws to end the stream. Default:
   * reconnects in silence until the gateway refuses.
   */
  readonly lost?: (end: Ended) => number;
  /** Ends the stream when nobody answers for too long. Default: it goes on for ever. */
  readonly absence?: () => Absence;
}

const LONGEST_PAUSE_MS = 5_000;
/** Error codes of the gateway after which another attempt may succeed. */
const PASSING = new Set(['INTERNAL_ERROR']);

/**
 * Ends when `signal` is aborted.
 * @throws TandemError where `resumeFrom` names no place in the channels; StreamRefused when the gateway refuses the channels or the credential;
 * GatewayUnreachable when nobody answers for too long
 */
export async function* eventStream<Message>(
  deps: StreamDeps<Message>,
  options: StreamOptions,
): AsyncGenerator<Subscribed | Message> {
  const { credentials } = deps;
  const { signal, channels } = options;
  const Constructor = await deps.socket();
  const url = deps.realtimeUrl ?? `${deps.url.replace(/^http/, 'ws')}/ws`;
  const wantsAccount = channels.some((name) => name.startsWith('user:'));
  const seen = resumePoints(options.resumeFrom, channels);
  const patience = new Patience(LONGEST_PAUSE_MS);
  /** The credential is renewed at most once between two confirmed subscriptions. */
  let mayRenew = true;
  const absence = deps.absence?.() ?? new Absence(url, Number.POSITIVE_INFINITY);
  const stopped = () => signal?.aborted === true;
  while (!stopped()) {
    let pauseMs: number | null = null;
    const used = credentials.headers();
    const auth = wantsAccount ? await proof(credentials) : null;
    if (stopped()) return;
    if (auth === 'later') {
      await patience.wait(signal).catch(() => undefined);
      continue;
    }
    const connection = new Connection(Constructor, { url, auth, channels, resumeFrom: seen, signal });
    try {
      for (;;) {
        const arrival = await connection.next();
        if (stopped()) return;
        if (arrival.kind === 'ended') {
          const { code, text } = arrival;
          const gone = arrival.wasOpen ? absence.answered() : absence.missed(text);
          if (gone) throw gone;
          if (arrival.wasOpen) options.onLost?.();
          pauseMs = deps.lost?.(arrival) ?? null;
          if (pauseMs !== null || code === null || PASSING.has(code)) break;
          if (code !== 'UNAUTHENTICATED' || !mayRenew || !(await renew(credentials, used)))
            throw new StreamRefused(code, text);
          mayRenew = false;
          break;
        }
        if (arrival.kind === 'subscribed') {
          patience.reset();
          mayRenew = true;
          for (const [channel, seq] of Object.entries(arrival.seq)) seen[channel] ??= seq;
          yield { kind: 'subscribed', seq: { ...seen } };
        } else {
          const { message } = arrival;
          if (message.seq !== undefined) seen[message.channel] = message.seq;
          yield deps.read(message);
        }
      }
    } finally {
      connection.close();
    }
    try {
      await (pauseMs === null ? patience.wait(signal) : wait(pauseMs, signal));
    } catch {
      return;
    }
  }
}

/** True: another attempt makes sense, because the credential is new or the gateway did not answer. */
async function renew(credentials: Credentials, used: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    return await credentials.renew(used);
  } catch (error) {
    if (error instanceof NoAnswer) return true;
    throw error;
  }
}

/** Content of the `auth` message; `later`: the gateway cannot issue a WebSocket ticket at the moment. */
async function proof(credentials: Credentials): Promise<Readonly<Record<string, string>> | null | 'later'> {
  try {
    return await credentials.realtime();
  } catch (error) {
    if (isUnsure(error)) return 'later';
    if (error instanceof Unauthorized) throw new StreamRefused('UNAUTHENTICATED', error.message);
    throw error;
  }
}
