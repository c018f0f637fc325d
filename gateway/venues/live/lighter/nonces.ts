/**
 * Nonces of one key: the venue takes them only one after the other. They are given out in order while earlier ones are
 * on their way. If one may be lost, the queue stops until all are back and asks the venue for the next.
 */
import type { Lane } from '../kit/budget.ts';

/** Use of a request's nonces. `free`: none was used up; `doubtful`: nobody knows. */
export type NonceUse = 'used' | 'free' | 'doubtful';

export interface NonceQueue {
  /**
   * The first of `count` consecutive nonces; null: the venue does not name the next one. Each must be given back.
   * @param lane of the request to the venue, if one is needed
   */
  take(count: number, lane: Lane): Promise<Nonces | null>;
  /** Finds out the next nonce before it is needed, if it is not known. */
  warm(lane: Lane): Promise<void>;
  /** The venue's present next nonce, once everything sent is back; null: no answer. */
  ask(lane: Lane): Promise<number | null>;
  /** Marks the next nonce as uncertain: the venue is asked before it is given out. */
  doubt(): void;
}

export interface Nonces {
  readonly first: number;
  /** Calls after the first do nothing. */
  done(use: NonceUse): void;
}

/** @param ask the venue's next nonce; null: no answer */
export function createNonceQueue(ask: (lane: Lane) => Promise<number | null>): NonceQueue {
  /** null: the venue has to be asked. */
  let next: number | null = null;
  /** True: the last request was answered. */
  let isKnown = false;
  let inFlight = 0;
  let asking: Promise<void> | null = null;
  let whenQuiet: (() => void) | null = null;

  async function refresh(lane: Lane): Promise<void> {
    if (inFlight > 0) {
      await new Promise<void>((resolve) => {
        whenQuiet = resolve;
      });
      whenQuiet = null;
    }
    next = await ask(lane);
    isKnown = next !== null;
  }

  /** False: the venue does not name the next one. */
  async function find(lane: Lane): Promise<boolean> {
    asking ??= refresh(lane).finally(() => {
      asking = null;
    });
    await asking;
    return isKnown;
  }

  return {
    async take(count, lane) {
      while (next === null) if (!(await find(lane))) return null;
      // In one turn: other callers of the same answer get the nonces behind these.
      const first = next;
      next = first + count;
      inFlight += 1;
      let isBack = false;
      return {
        first,
        done(use) {
          if (isBack) return;
          isBack = true;
          inFlight -= 1;
          if (use === 'doubtful') next = null;
          // Later nonces have left already and are too high now.
          if (use === 'free') next = next === first + count ? first : null;
          if (inFlight === 0) whenQuiet?.();
        },
      };
    },
    async warm(lane) {
      if (next === null) await find(lane);
    },
    async ask(lane) {
      next = null;
      await find(lane);
      return next;
    },
    doubt() {
      next = null;
    },
  };
}
