/**
 * Subscriptions on the one connection to Lighter. Each counts as made only when the venue has acknowledged it. The venue
 * refuses messages of an address beyond 50 in flight (30010) and 200 a minute (30009), without naming the subscription. So
 * few are asked for at a time, and what is not acknowledged in time is asked for again.
 */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';

/** Subscriptions without an acknowledgement, of the 50 messages that the venue takes in flight. */
const MOST_UNACKNOWLEDGED = 35;
/** Maximum for those that are not urgent, so that accounts need not wait for prices. */
const MOST_PATIENT = 25;
const ACKNOWLEDGED_WITHIN_MS = 5_000;
const AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 30_000;
/** Pause of all subscriptions after the venue has refused one. */
const PAUSE_MS = 2_000;
/** Time between two looks for subscriptions that are missing for too long. */
const LOOK_EVERY_MS = 5_000;

interface Wanted {
  /** Read at each sending: it may hold a token. */
  readonly text: () => string;
  readonly isUrgent: boolean;
  state: 'missing' | 'asked' | 'made';
  /** Requests without an acknowledgement, in a row. */
  failures: number;
  /** Earliest time of the next request, of `Clock.uptime`. */
  askAt: number;
  /** Time since which it is missing on this connection, by `Clock.uptime`. */
  missingSince: number;
}

export interface Subscriptions {
  /** Keeps a subscription from now on. Urgent ones are sent first and wait for no other message. */
  want(channel: string, text: () => string, isUrgent: boolean): void;
  /** False: it was not wanted. */
  leave(channel: string): boolean;
  /** Sends a subscription without repetition. False: the connection is down, or too much is in flight. */
  askOnce(channel: string, text: string): boolean;
  /** @param channel as messages of the venue name it, with colons */
  heard(kind: 'subscribed' | 'update', channel: string): void;
  /** The venue has refused a message, without saying which. */
  refused(): void;
  /** The connection is up, and the venue knows no subscription yet. */
  begin(): void;
  /** The connection is down. */
  end(): void;
}

export function createSubscriptions(deps: {
  readonly clock: Clock;
  /** False: the connection is not up. */
  readonly send: (text: string) => boolean;
  /** Waits for a place among the messages of the minute; false: there will be none. */
  readonly takePlace: () => Promise<boolean>;
  /** Counts a message that does not wait. */
  readonly countMessage: () => void;
  /** Time without an acknowledgement after which `onMissing` is called, ms. */
  readonly graceMs: number;
  readonly onMissing: (channel: string) => void;
  readonly onMade: (channel: string) => void;
}): Subscriptions {
  const { clock, send } = deps;
  const wanted = new Map<string, Wanted>();
  /** Channels in flight, each with its deadline. */
  const inFlight = new Map<string, Unsubscribe>();
  let isUp = false;
  let isPumping = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let cancelLook: Unsubscribe = () => {};
  let cancelPump: Unsubscribe = () => {};

  function isDue(one: Wanted): boolean {
    return one.state === 'missing' && one.askAt <= clock.uptime();
  }

  function next(isUrgent: boolean): readonly [string, Wanted] | null {
    if (!isUp || clock.uptime() < pausedUntil) return null;
    if (inFlight.size >= (isUrgent ? MOST_UNACKNOWLEDGED : MOST_PATIENT)) return null;
    for (const entry of wanted) if (entry[1].isUrgent === isUrgent && isDue(entry[1])) return entry;
    return null;
  }

  function ask(channel: string, one: Wanted): boolean {
    if (!send(one.text())) return false;
    one.state = 'asked';
    putInFlight(channel, () => lose(channel));
    return true;
  }

  function putInFlight(channel: string, onLost: () => void): void {
    inFlight.get(channel)?.();
    inFlight.set(
      channel,
      clock.after(ACKNOWLEDGED_WITHIN_MS, () => {
        inFlight.delete(channel);
        onLost();
        pump();
      }),
    );
  }

  function lose(channel: string): void {
    const one = wanted.get(channel);
    if (one?.state !== 'asked') return;
    const waitMs = Math.min(AGAIN_MS * 2 ** one.failures, LONGEST_AGAIN_MS);
    one.state = 'missing';
    one.failures += 1;
    one.askAt = clock.uptime() + waitMs;
    clock.after(waitMs, pump);
  }

  function pump(): void {
    for (let entry = next(true); entry !== null; entry = next(true)) {
      deps.countMessage();
      if (!ask(...entry)) break;
    }
    void pumpPatient();
  }

  async function pumpPatient(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    while (next(false) !== null) {
      if (!(await deps.takePlace())) break;
      const entry = next(false);
      if (entry === null || !ask(...entry)) break;
    }
    isPumping = false;
  }

  function look(): void {
    const now = clock.uptime();
    for (const [channel, { state, missingSince }] of wanted)
      if (state !== 'made' && now - missingSince >= deps.graceMs) deps.onMissing(channel);
    pump();
    cancelLook = clock.after(LOOK_EVERY_MS, look);
  }

  function land(channel: string): void {
    inFlight.get(channel)?.();
    inFlight.delete(channel);
  }

  return {
    want(channel, text, isUrgent) {
      const now = clock.uptime();
      const fresh = { state: 'missing' as const, failures: 0, askAt: now, missingSince: now };
      wanted.set(channel, { text, isUrgent, ...fresh });
      pump();
    },
    leave(channel) {
      land(channel);
      return wanted.delete(channel);
    },
    askOnce(channel, text) {
      if (!isUp || inFlight.size >= MOST_UNACKNOWLEDGED || !send(text)) return false;
      putInFlight(channel, () => {});
      return true;
    },
    heard(kind, name) {
      const channel = name.replaceAll(':', '/');
      const one = wanted.get(channel);
      if (kind === 'subscribed') land(channel);
      // A message of a subscription whose acknowledgement was lost proves it too.
      const isProven = kind === 'subscribed' || (one?.failures ?? 0) > 0;
      if (one !== undefined && one.state !== 'made' && isProven) {
        one.state = 'made';
        one.failures = 0;
        deps.onMade(channel);
      }
      if (kind === 'subscribed') pump();
    },
    refused() {
      pausedUntil = clock.uptime() + PAUSE_MS;
      cancelPump();
      cancelPump = clock.after(PAUSE_MS, pump);
    },
    begin() {
      isUp = true;
      pausedUntil = Number.NEGATIVE_INFINITY;
      const now = clock.uptime();
      for (const one of wanted.values()) {
        one.state = 'missing';
        one.failures = 0;
        one.askAt = now;
        one.missingSince = now;
      }
      cancelLook();
      cancelLook = clock.after(LOOK_EVERY_MS, look);
      pump();
    },
    end() {
      isUp = false;
      cancelLook();
      cancelPump();
      for (const cancel of inFlight.values()) cancel();
      inFlight.clear();
    },
  };
}
