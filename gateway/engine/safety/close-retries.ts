/**
 * Retry times of a close that did not succeed: 5 s after the first try, then doubled each time, up to two minutes. At
 * once if the venue accepts orders again, or a price has moved by 1 % since the last try.
 */
import { dec } from '../../domain/decimal.ts';
import type { Position } from '../../domain/model.ts';

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 120_000;
const MOVED = '0.01';

/** Current facts that decide whether a close can succeed. */
export interface Circumstances {
  /** ms, monotonic. */
  readonly uptime: number;
  /** Marks in USD, by instrument; an instrument without a fresh price is left out. */
  readonly marks: ReadonlyMap<string, string>;
  /** False: the venue reports that it accepts no orders. */
  readonly takesOrders: boolean;
}

interface Tried extends Circumstances {
  readonly tries: number;
}

export class CloseRetries {
  readonly #tried = new Map<Position['id'], Tried>();

  isDue(positionId: string, now: Circumstances): boolean {
    const last = this.#tried.get(positionId);
    if (last === undefined || now.uptime >= last.uptime + waitMs(last.tries)) return true;
    return (now.takesOrders && !last.takesOrders) || hasMoved(last, now);
  }

  tried(positionId: string, now: Circumstances): void {
    this.#tried.set(positionId, { ...now, tries: (this.#tried.get(positionId)?.tries ?? 0) + 1 });
  }

  /** Removes the last try from the count, because another execution trades the basket. */
  notTried(positionId: string): void {
    const last = this.#tried.get(positionId);
    if (last !== undefined) this.#tried.set(positionId, { ...last, tries: last.tries - 1 });
  }

  /** Forgets positions that no longer wait for a close. */
  keep(positionIds: ReadonlySet<string>): void {
    for (const id of this.#tried.keys()) if (!positionIds.has(id)) this.#tried.delete(id);
  }
}

function waitMs(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, Math.min(tries - 1, 16)), LONGEST_WAIT_MS);
}

/** True: a price has moved enough, or has become known. */
function hasMoved({ marks: before }: Circumstances, { marks: now }: Circumstances): boolean {
  return [...now].some(([symbol, mark]) => {
    const was = before.get(symbol);
    return was === undefined || dec(mark).minus(was).abs().gte(dec(was).mul(MOVED));
  });
}
