/**
 * Suspended holders, in memory. A suspension applies from the call on and is retried until it is on disk, as a
 * revocation is: a full disk does not give a suspended agent its rights back. A resume applies from its commit.
 */
import type { AuditEntry } from '../domain/audit.ts';
import type { MandateHolder } from '../domain/mandate.ts';
import { ok, type Result } from '../domain/result.ts';
import { STANDING_TRANSITIONS, type Standing } from '../domain/runaway.ts';
import { transition } from '../domain/transition.ts';
import type { SuspensionRecord } from '../engine/ports/mandates.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';

const RETRY_MS = 5_000;

/** Rows committed together with a change of one holder. */
export type Beside = (
  holder: MandateHolder,
) => { readonly audit: AuditEntry } & Pick<UnitOfWork, 'notifications' | 'events'>;

export interface Suspended {
  readonly reason: string;
  readonly at: number;
  readonly by: 'USER' | 'GATEWAY';
}

interface State {
  /** As on disk. */
  kept: Suspended | null;
  /** Not on disk yet. */
  wanted: Suspended | null;
  /** Resumes that are being written. */
  resuming: number;
}

type Owned = MandateHolder & { readonly userId: string };

export class Suspensions {
  readonly #store: Pick<Store, 'commit'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #states = new Map<string, State>();
  readonly #retries = new Set<() => void>();
  #closed = false;

  constructor(deps: {
    readonly store: Pick<Store, 'commit'>;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly loaded: readonly SuspensionRecord[];
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    for (const { holderId, reason, suspendedAt, suspendedBy } of deps.loaded) {
      if (suspendedAt === null) continue;
      const kept = { reason: reason ?? '', at: suspendedAt, by: suspendedBy ?? 'GATEWAY' };
      this.#states.set(holderId, { kept, wanted: null, resuming: 0 });
    }
  }

  /** null: not suspended. One lookup. */
  of(holderId: string): Suspended | null {
    const state = this.#states.get(holderId);
    return state === undefined ? null : (state.wanted ?? state.kept);
  }

  /**
   * Suspends those that are not yet, in one commit. They are suspended when this returns its promise; false: none was
   * left to be suspended.
   */
  async suspend(
    holders: readonly Owned[],
    as: Pick<Suspended, 'reason' | 'by'>,
    beside: Beside,
  ): Promise<Result<boolean, StoreError>> {
    const suspended: Suspended = { ...as, at: this.#clock.now() };
    const fresh = holders.filter((holder) => {
      const state = this.#stateOf(holder.id);
      // A suspension overtakes a resume that is being written, which would otherwise release the holder again.
      const standing = state.resuming > 0 && state.wanted === null ? 'TRADES' : standingOf(state);
      if (!transition(STANDING_TRANSITIONS, standing, 'suspend').ok) return false;
      state.wanted = suspended;
      return true;
    });
    if (fresh.length === 0) return ok(false);
    const parts = fresh.map((holder) => beside(holder));
    const written = await this.#write(fresh, suspended, {
      audit: parts.map(({ audit }) => audit),
      notifications: parts.flatMap(({ notifications }) => notifications ?? []),
      events: parts.flatMap(({ events }) => events ?? []),
    });
    return written.ok ? ok(true) : written;
  }

  /** False: the holder is not suspended. */
  async resume(holder: Owned, beside: Beside): Promise<Result<boolean, StoreError>> {
    const state = this.#stateOf(holder.id);
    if (!transition(STANDING_TRANSITIONS, standingOf(state), 'resume').ok) return ok(false);
    const { wanted } = state;
    state.resuming += 1;
    const { audit, ...rows } = beside(holder);
    const committed = await this.#store.commit({
      ...rows,
      audit: [audit],
      suspensions: [rowOf(holder, null)],
    });
    state.resuming -= 1;
    if (!committed.ok) return committed;
    state.kept = null;
    // Another suspension may have come meanwhile.
    if (state.wanted === wanted) state.wanted = null;
    return ok(true);
  }

  /** Stops trying to write. To be called before the store closes. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#retries) cancel();
  }

  #stateOf(id: string): State {
    const known = this.#states.get(id);
    if (known !== undefined) return known;
    const state: State = { kept: null, wanted: null, resuming: 0 };
    this.#states.set(id, state);
    return state;
  }

  async #write(
    holders: readonly Owned[],
    suspended: Suspended,
    rows: UnitOfWork,
  ): Promise<Result<null, StoreError>> {
    // Skips holders resumed since, or suspended for another reason: another write stores them.
    const waiting = holders.filter(({ id }) => this.#stateOf(id).wanted === suspended);
    if (waiting.length === 0) return ok(null);
    const suspensions = waiting.map((holder) => rowOf(holder, suspended));
    const committed = await this.#store.commit({ ...rows, suspensions });
    if (!committed.ok) {
      this.#logger.warn({ reason: committed.error.message }, 'A suspension waits for the disk');
      this.#tryAgain(waiting, suspended, rows);
      return committed;
    }
    for (const { id } of waiting) {
      const state = this.#stateOf(id);
      if (state.wanted !== suspended) continue;
      state.kept = suspended;
      state.wanted = null;
    }
    return ok(null);
  }

  #tryAgain(holders: readonly Owned[], suspended: Suspended, rows: UnitOfWork): void {
    if (this.#closed) return;
    const cancel = this.#clock.after(RETRY_MS, () => {
      this.#retries.delete(cancel);
      this.#write(holders, suspended, rows).catch((error: unknown) =>
        this.#logger.error({ err: error }, 'A suspension could not be written'),
      );
    });
    this.#retries.add(cancel);
  }
}

function standingOf({ wanted, kept }: State): Standing {
  return (wanted ?? kept) === null ? 'TRADES' : 'SUSPENDED';
}

function rowOf({ kind, id, userId }: Owned, suspended: Suspended | null): SuspensionRecord {
  return {
    holderKind: kind,
    holderId: id,
    userId,
    reason: suspended?.reason ?? null,
    suspendedAt: suspended?.at ?? null,
    suspendedBy: suspended?.by ?? null,
  };
}
