/**
 * Trading pauses of users, from memory. An order that could open a position is checked before it is accepted, and once
 * more before it is sent. Closing orders are not checked.
 *
 * A pause holds from the moment of its request, a resume only from its commit: an opening order committed before the
 * pause is sent before the pause is answered, and no opening order is sent after that answer.
 */
import { UNRECORDED } from '../../domain/authority.ts';
import { KeyedQueue } from '../../domain/keyed-queue.ts';
import { ok, type Result } from '../../domain/result.ts';
import {
  type LeftOpen,
  mayTrade,
  movePanic,
  moveSafety,
  type Panic,
  type PanicRequest,
  runningSafety,
  type Safety,
  type SafetyEvent,
} from '../../domain/safety.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { busy, type EngineError, noop, storeFailed } from './errors.ts';
import { oneUnit } from './unit-parts.ts';

const SETTING = 'safety:';

export class TradingPause {
  readonly #store: Pick<Store, 'commit' | 'setting' | 'users'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #states = new Map<string, Safety>();
  /** Users whose pause is being written to disk → number of such writes. */
  readonly #pausing = new Map<string, number>();
  /** Queue of changes to a user's state, one at a time, in the order requested. */
  readonly #queue = new KeyedQueue();

  constructor(deps: {
    readonly store: Pick<Store, 'commit' | 'setting' | 'users'>;
    readonly clock: Pick<Clock, 'now'>;
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  async load(): Promise<void> {
    for (const { id } of await this.#store.users()) {
      const stored = await this.#store.setting(SETTING + id);
      if (stored !== null) this.#states.set(id, read(id, stored));
    }
  }

  of(userId: string): Safety {
    return this.#states.get(userId) ?? runningSafety(userId, this.#clock.now());
  }

  /** True: no order that could open a position may be accepted or sent for this user. */
  holds(userId: string): boolean {
    return this.#pausing.has(userId) || !mayTrade(this.of(userId), 'OPEN');
  }

  /** RESOURCE_BUSY with `details.reason` PAUSED while trading is paused. */
  check(userId: string): Result<null, EngineError> {
    if (!this.holds(userId)) return ok(null);
    return busy('Trading is paused: nothing new is opened until it is resumed', { reason: 'PAUSED' });
  }

  /**
   * Applies an event to the user's state and stores it. NOOP_ERROR if the state machine has no such transition.
   * @param together rows committed in the same unit
   */
  move(
    userId: string,
    event: SafetyEvent,
    together: UnitOfWork = {},
    asked?: PanicRequest,
  ): Promise<Result<Safety, EngineError>> {
    const move = () => this.#move(userId, event, together, asked);
    if (event === 'resume') return this.#queue.run(userId, move);
    this.#pausing.set(userId, (this.#pausing.get(userId) ?? 0) + 1);
    return this.#queue.run(userId, move).finally(() => this.#letGo(userId));
  }

  /** Users whose panic close has not finished closing positions. */
  panicking(): readonly string[] {
    return [...this.#states.values()]
      .filter(({ panic }) => panic?.status === 'CLOSING')
      .map(({ userId }) => userId);
  }

  /**
   * Records the positions still open in the panic that began at `startedAt`. False: that panic has ended.
   * @param flat true: no position is left, so the panic ends
   * @param news rows committed in the same unit
   */
  panicIs(
    userId: string,
    startedAt: number,
    left: readonly LeftOpen[],
    flat: boolean,
    news: UnitOfWork,
  ): Promise<Result<boolean, EngineError>> {
    return this.#queue.run(userId, async () => {
      const safety = this.of(userId);
      const { panic } = safety;
      if (panic?.status !== 'CLOSING' || panic.startedAt !== startedAt) return ok(false);
      const now = this.#clock.now();
      const moved = flat ? movePanic(panic, 'flat', now) : ok(panic);
      if (!moved.ok) return ok(false);
      const kept = await this.#keep({ ...safety, panic: { ...moved.value, left } }, news);
      return kept.ok ? ok(true) : kept;
    });
  }

  async #move(
    userId: string,
    event: SafetyEvent,
    together: UnitOfWork,
    asked: PanicRequest | undefined,
  ): Promise<Result<Safety, EngineError>> {
    const moved = moveSafety(this.of(userId), event, this.#clock.now(), asked);
    if (!moved.ok) {
      return noop(event === 'resume' ? 'Trading is not paused' : 'Trading is paused already');
    }
    return this.#keep(moved.value, together);
  }

  async #keep(safety: Safety, together: UnitOfWork): Promise<Result<Safety, EngineError>> {
    const { userId, status, pausedAt, updatedAt, panic } = safety;
    const value = JSON.stringify({ status, pausedAt, updatedAt, panic });
    const committed = await this.#store.commit(
      oneUnit({ settings: [{ key: SETTING + userId, value }] }, together),
    );
    if (!committed.ok) return storeFailed(committed.error);
    this.#states.set(userId, safety);
    return ok(safety);
  }

  #letGo(userId: string): void {
    const left = (this.#pausing.get(userId) ?? 1) - 1;
    if (left > 0) this.#pausing.set(userId, left);
    else this.#pausing.delete(userId);
  }
}

/** A stored state with an unknown status counts as PAUSED, because a row exists only after somebody has paused. */
function read(userId: string, stored: string): Safety {
  const value: unknown = JSON.parse(stored);
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const status = fields.get('status');
  const at = (name: string) => {
    const time: unknown = fields.get(name);
    return typeof time === 'number' ? time : 0;
  };
  const panic = readPanic(fields.get('panic'));
  if (status === 'RUNNING') return { ...runningSafety(userId, at('updatedAt')), panic };
  return {
    userId,
    status: status === 'PANIC' ? 'PANIC' : 'PAUSED',
    pausedAt: at('pausedAt'),
    updatedAt: at('updatedAt'),
    panic,
  };
}

/** Trusts the stored shape: only this file writes it. */
function readPanic(stored: unknown): Panic | null {
  if (typeof stored !== 'object' || stored === null || !('startedAt' in stored)) return null;
  // A stored panic may lack `placed`, the authority that asked for it.
  const panic = stored as Omit<Panic, 'placed'> & Partial<Pick<Panic, 'placed'>>;
  return { ...panic, placed: panic.placed ?? UNRECORDED };
}
