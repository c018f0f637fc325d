/**
 * Nonces of one key: the venue takes them only one after the other. They are given out in that order while earlier ones
 * are still on their way. Where one may have been lost the queue stands until all are back, and asks the venue which is next.
 */
import type { Lane } from '../kit/budget.ts';

/** What became of the nonces of a request: `free`: none was used up; `doubtful`: nobody knows. */
export type NonceUse = 'used' | 'free' | 'doubtful';

export interface NonceQueue {
  /**
   * The first of `count` consecutive nonces; null: the venue does not say which is next. Each must be given back.
   * @param lane in which the venue is asked, where it has to be
   */
  take(count: number, lane: Lane): Promise<Nonces | null>;
  /** The next nonce may be another one than the last one and one: the venue is asked before it is given out. */
  doubt(): void;
}

export interface Nonces {
  readonly first: number;
  /** Calls after the first do nothing. */
  done(use: NonceUse): void;
}

/** @param ask the venue's next nonce; null: no answer */
export function createNonceQueue(ask: (lane: Lane) => Promise<number | null>): NonceQueue {
  /** null: to be asked for. */
  let next: number | null = null;
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
  }

  return {
    async take(count, lane) {
      // Whoever came before may have found out meanwhile that it is not known after all.
      while (next === null) {
        asking ??= refresh(lane).finally(() => {
          asking = null;
        });
        await asking;
        if (next === null) return null;
      }
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
          // Those behind it have left already with nonces that are too high now.
          if (use === 'free') next = next === first + count ? first : null;
          if (inFlight === 0) whenQuiet?.();
        },
      };
    },
    doubt() {
      next = null;
    },
  };
}
