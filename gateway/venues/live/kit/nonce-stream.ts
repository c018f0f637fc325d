/**
 * Nonces that are times: distinct and rising over restarts of the gateway, however its clock is set. The next one is
 * max(last + 1, now), and none is given out that is not below a floor on disk; a restart goes on above the floor.
 *
 * A venue takes no nonce that is too far ahead of its own time. A clock that was days ahead once would lead nonces there
 * for good, and nothing could be closed: so a last one that the venue cannot have taken is forgotten, and the next is now.
 *
 * The floor is kept well ahead of the time, so that an order does not wait for the disk.
 */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';

/** Holds one number for good: it is read again after a restart. Both reject if the disk fails. */
export interface NonceFloor {
  /** null: none was ever written. */
  read(): Promise<number | null>;
  write(floor: number): Promise<void>;
}

export interface NonceStream {
  /**
   * Distinct and rising in the order of the calls, epoch ms; null: the floor cannot be written, so nothing may be
   * signed.
   */
  next(): Promise<number | null>;
  stop(): void;
}

export interface NonceStreamOptions {
  readonly clock: Clock;
  /** Time that nonces follow: the venue's, epoch ms. */
  readonly now: () => number;
  readonly floor: NonceFloor;
  /** Lead over the venue's time, ms, from which on the venue refuses a nonce. */
  readonly refusedAheadMs: number;
  /** Lead of the floor over the time, ms. Default 10 min. */
  readonly aheadMs?: number;
}

const AHEAD_MS = 10 * 60_000;
/**
 * Smallest lead of the floor over the last nonce. It is small because every restart begins at the floor: many restarts
 * in a row must not lead nonces away from the time.
 */
const ROOM = 1_000;

/** Reads the floor and writes the next one. Rejects where the disk fails. */
export async function openNonceStream(options: NonceStreamOptions): Promise<NonceStream> {
  const aheadMs = options.aheadMs ?? AHEAD_MS;
  let last = (await options.floor.read()) ?? 0;
  /** Nonces below it may be given out. */
  let reserved = 0;
  let writing: Promise<boolean> | null = null;
  let cancel: Unsubscribe = () => {};

  function reserve(): Promise<boolean> {
    const floor = Math.max(Math.floor(options.now()) + aheadMs, last + ROOM);
    writing ??= options.floor
      .write(floor)
      .then(
        () => {
          reserved = Math.max(reserved, floor);
          return true;
        },
        () => false,
      )
      .finally(() => {
        writing = null;
      });
    return writing;
  }

  /** Writes until `nonce` is below the floor: a write that was under way may be of too low a floor. */
  async function cover(nonce: number): Promise<boolean> {
    while (nonce >= reserved) if (!(await reserve())) return false;
    return true;
  }

  function renew(): void {
    cancel = options.clock.after(aheadMs / 2, () => {
      void reserve().then(() => renew());
    });
  }

  if (!(await cover(last + 1))) throw new Error('the floor of nonces cannot be written');
  renew();
  let stopped = false;

  return {
    async next() {
      if (stopped) return null;
      const now = Math.floor(options.now());
      if (last - now >= options.refusedAheadMs) [last, reserved] = [0, 0];
      last = Math.max(last + 1, now);
      const nonce = last;
      if (nonce < reserved) {
        // Early enough that others after it need not wait either.
        if (reserved - nonce < ROOM / 2 && writing === null) void reserve();
        return nonce;
      }
      return (await cover(nonce)) ? nonce : null;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
