/** Commits that must not be lost: effects at the venue have to reach the disk, however long the disk refuses. */

import type { Unsubscribe } from '../ports/system.ts';
import type { StoreError, UnitOfWork } from '../ports/unit-of-work.ts';
import type { AmendedUnit, EngineDeps } from './deps.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Thrown if the gateway stops while a commit is still refused: recovery takes the same step after the start. */
export class Stopping extends Error {}

export interface StopSignal {
  readonly stopping: boolean;
  /** Calls `listener` when the gateway begins to stop. */
  onStop(listener: () => void): Unsubscribe;
}

export class StopSwitch implements StopSignal {
  readonly #listeners = new Set<() => void>();
  #stopping = false;

  get stopping(): boolean {
    return this.#stopping;
  }

  onStop(listener: () => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#stopping = true;
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * Resolves when the unit is on disk. While the store is unavailable (disk full, read-only) it tries again, with
 * growing pauses. If the venue reuses a trade id for another trade, the fill is recorded under review. Any other
 * conflict is a bug of the gateway and throws.
 */
export async function commitDurably(
  deps: Pick<EngineDeps, 'store' | 'clock' | 'logger' | 'reviews'>,
  unit: UnitOfWork,
  signal: StopSignal,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  let amended: AmendedUnit | null = null;
  for (;;) {
    const committed = await deps.store.commit(amended?.unit ?? unit);
    if (committed.ok) {
      amended?.committed();
      return;
    }
    if (committed.error.kind === 'conflict' && amended === null) {
      amended = await deps.reviews.amend(unit);
      if (amended !== null) continue;
    }
    refuseConflict(committed.error);
    if (signal.stopping) throw new Stopping('the gateway is stopping while its database refuses writes');
    deps.logger.warn({ reason: committed.error.message, wait }, 'database refuses writes; trying again');
    await deps.clock.sleep(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

function refuseConflict(error: StoreError): void {
  if (error.kind === 'conflict') throw new Error(`a unit of work conflicts: ${error.message}`);
}
