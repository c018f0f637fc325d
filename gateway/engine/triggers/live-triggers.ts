/**
 * The triggers that have not ended, in memory: which there are, in what state, and who may change one now.
 *
 * Of a trigger that opens and waits only what is asked often is kept; its record is read from the store when something
 * happens to it, so that hundreds of thousands can wait. Those that close, and those that fired, are kept whole, because what
 * follows from an execution or a position is decided without waiting.
 *
 * A trigger is changed by one at a time: whoever has its lock reads its record, commits, and puts what was committed here.
 * Who cannot wait for a lock dooms the trigger instead: it is cancelled as soon as the lock is free, unless it fired.
 */
import { type ArmedBracket, isRestingTrigger, type Trigger } from '../../domain/trigger.ts';

export type LiveTrigger = Pick<
  Trigger,
  | 'id'
  | 'tradeAccountId'
  | 'connector'
  | 'kind'
  | 'status'
  | 'pauseReason'
  | 'positionId'
  | 'ladderId'
  | 'onMissed'
  | 'expiresAt'
> & {
  /** null: to be read from the store. */
  readonly record: Trigger | null;
};

export type Unlock = () => void;

export class LiveTriggers {
  readonly #all = new Map<string, LiveTrigger>();
  readonly #names = new Map<string, string>();
  readonly #perAccount = new Map<string, number>();
  /** Closing ones, brackets included, by position. */
  readonly #ofPosition = new Map<string, Set<string>>();
  readonly #ofExecution = new Map<string, string>();
  /** Locked ones, with who waits for the lock. */
  readonly #locks = new Map<string, (() => void)[]>();
  readonly #doomed = new Map<string, string>();
  readonly #onDoomed: (id: string, reason: string) => void;

  /** @param onDoomed is told of a doomed trigger that still waits once its lock is free */
  constructor(onDoomed: (id: string, reason: string) => void) {
    this.#onDoomed = onDoomed;
  }

  get size(): number {
    return this.#all.size;
  }

  get(id: string): LiveTrigger | undefined {
    return this.#all.get(id);
  }

  /** What is on disk now. One that ended is forgotten. */
  put(trigger: Trigger): void {
    const known = this.#all.get(trigger.id);
    const isTriggered = trigger.status === 'TRIGGERED';
    if (!isTriggered && !isRestingTrigger(trigger)) {
      this.#forget(trigger);
      return;
    }
    if (known === undefined) this.#count(trigger.tradeAccountId, 1);
    const { kind, status, pauseReason, onMissed, expiresAt } = trigger;
    this.#all.set(known?.id ?? trigger.id, {
      id: known?.id ?? trigger.id,
      tradeAccountId: this.#name(trigger.tradeAccountId),
      connector: this.#name(trigger.connector),
      kind,
      status,
      pauseReason,
      positionId: kind === 'CLOSE' ? trigger.positionId : null,
      ladderId: trigger.ladderId === null ? null : this.#name(trigger.ladderId),
      onMissed,
      expiresAt,
      record: kind === 'CLOSE' || isTriggered ? trigger : null,
    });
    if (kind === 'CLOSE' && trigger.positionId !== null) {
      const closing = this.#ofPosition.get(trigger.positionId) ?? new Set();
      closing.add(trigger.id);
      this.#ofPosition.set(trigger.positionId, closing);
    }
    if (isTriggered && trigger.executionId !== null) this.#ofExecution.set(trigger.executionId, trigger.id);
  }

  /** Its trailing bracket has seen a better value. In memory only: the store keeps peaks now and then. */
  follow(id: string, armed: ArmedBracket): void {
    const live = this.#all.get(id);
    if (live === undefined || live.record === null || live.record.armed === null) return;
    this.#all.set(live.id, { ...live, record: { ...live.record, armed } });
  }

  /** The fired trigger that an execution belongs to. */
  ofExecution(executionId: string): Trigger | undefined {
    const id = this.#ofExecution.get(executionId);
    return id === undefined ? undefined : (this.#all.get(id)?.record ?? undefined);
  }

  /** What waits to close the position, or is closing it: brackets and others. */
  ofPosition(positionId: string): readonly Trigger[] {
    return [...(this.#ofPosition.get(positionId) ?? [])].flatMap((id) => this.#all.get(id)?.record ?? []);
  }

  ofAccount(tradeAccountId: string): readonly LiveTrigger[] {
    if (this.countOf(tradeAccountId) === 0) return [];
    return [...this.#all.values()].filter((one) => one.tradeAccountId === tradeAccountId);
  }

  countOf(tradeAccountId: string): number {
    return this.#perAccount.get(tradeAccountId) ?? 0;
  }

  all(): Iterable<LiveTrigger> {
    return this.#all.values();
  }

  /** Waits for the trigger; the answer gives it back. */
  async lock(id: string): Promise<Unlock> {
    const waiting = this.#locks.get(id);
    if (waiting === undefined) this.#locks.set(id, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return this.#unlockOnce(id);
  }

  /** Several at once, always in the same order: two who want the same ones do not wait for each other. */
  async lockAll(ids: Iterable<string>): Promise<Unlock> {
    const unlocks: Unlock[] = [];
    for (const id of [...ids].sort()) unlocks.push(await this.lock(id));
    return () => {
      for (const unlock of unlocks) unlock();
    };
  }

  /** null: somebody has it. */
  tryLock(id: string): Unlock | null {
    if (this.#locks.has(id)) return null;
    this.#locks.set(id, []);
    return this.#unlockOnce(id);
  }

  /** To be cancelled for `reason` once its lock is free. */
  doom(id: string, reason: string): void {
    this.#doomed.set(id, reason);
  }

  #unlockOnce(id: string): Unlock {
    let isMine = true;
    return () => {
      if (!isMine) return;
      isMine = false;
      this.#unlock(id);
    };
  }

  #unlock(id: string): void {
    const reason = this.#doomed.get(id);
    const next = this.#locks.get(id)?.shift();
    if (next !== undefined) next();
    else this.#locks.delete(id);
    if (reason === undefined) return;
    this.#doomed.delete(id);
    const live = this.#all.get(id);
    if (live !== undefined && isRestingTrigger(live)) this.#onDoomed(id, reason);
  }

  #forget(trigger: Trigger): void {
    const known = this.#all.get(trigger.id);
    if (known === undefined) return;
    this.#all.delete(trigger.id);
    this.#doomed.delete(trigger.id);
    this.#count(trigger.tradeAccountId, -1);
    if (known.positionId !== null) {
      const closing = this.#ofPosition.get(known.positionId);
      closing?.delete(trigger.id);
      if (closing?.size === 0) this.#ofPosition.delete(known.positionId);
    }
    if (trigger.executionId !== null) this.#ofExecution.delete(trigger.executionId);
  }

  #count(tradeAccountId: string, change: number): void {
    const count = this.countOf(tradeAccountId) + change;
    if (count > 0) this.#perAccount.set(this.#name(tradeAccountId), count);
    else this.#perAccount.delete(tradeAccountId);
  }

  /** One string for all that name the same: rows that are read bring a copy each. */
  #name(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    this.#names.set(text, text);
    return text;
  }
}
