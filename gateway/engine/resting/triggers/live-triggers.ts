/**
 * The triggers that have not ended, in memory: their ids, their states, and their locks.
 *
 * For a pending opening trigger, only frequently used fields are kept. Its record is read from the store when something
 * happens to it, so that hundreds of thousands can wait. Closing and fired triggers are kept whole, because the
 * consequences of an execution or a position are decided without waiting.
 *
 * Only the holder of a trigger's lock changes the trigger: it reads the record, commits, and puts the committed record
 * here. A caller that cannot wait for the lock leaves the trigger to be cancelled as soon as the lock is free, unless
 * the trigger fired.
 */
import { type BracketRecord, isRoundRunning } from '../../../domain/bracket-rounds.ts';
import {
  type ArmedBracket,
  isRestingTrigger,
  isWaitingOpening,
  type Trigger,
  type WaitingOpening,
} from '../../../domain/trigger.ts';

/**
 * State of a trigger. Pending opening triggers share one object per state: an object each would be most of a trigger's
 * memory.
 */
export interface LiveTrigger {
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly status: Trigger['status'];
  /** Position that the trigger closes; null: the trigger opens. */
  readonly positionId: string | null;
  /** null: the record must be read from the store. */
  readonly record: Trigger | null;
}

export type Unlock = () => void;

export class LiveTriggers {
  readonly #all = new Map<string, LiveTrigger>();
  /** Shared objects of pending opening triggers, by account, connector and status. */
  readonly #shared = new Map<string, LiveTrigger>();
  readonly #perAccount = new Map<string, number>();
  /** Ids of closing triggers, brackets included, by position. */
  readonly #ofPosition = new Map<string, Set<string>>();
  readonly #ofExecution = new Map<string, string>();
  /** Locked triggers, with the callers that wait for each lock. */
  readonly #locks = new Map<string, (() => void)[]>();
  readonly #cancelledLater = new Map<string, string>();
  readonly #onFree: (id: string, reason: string) => void;

  /**
   * @param onFree called when the lock of a trigger marked for cancelling becomes free and the trigger is still pending
   */
  constructor(onFree: (id: string, reason: string) => void) {
    this.#onFree = onFree;
  }

  get size(): number {
    return this.#all.size;
  }

  get(id: string): LiveTrigger | undefined {
    return this.#all.get(id);
  }

  /** Adds or updates a trigger as stored on disk. An ended trigger is forgotten. */
  put(trigger: Trigger | WaitingOpening): void {
    if (isWaitingOpening(trigger)) this.#set(trigger.id, this.#waiting(trigger));
    else if (trigger.status === 'TRIGGERED' || isRestingTrigger(trigger)) this.#putWhole(trigger);
    else this.#forget(trigger);
  }

  /** Stores the moved peak of a trailing bracket in memory. It is written to disk only from time to time. */
  follow(id: string, armed: ArmedBracket): void {
    const live = this.#all.get(id);
    if (live === undefined || live.record === null || live.record.armed === null) return;
    this.#all.set(live.record.id, { ...live, record: { ...live.record, armed } });
  }

  /** The fired trigger of an execution. */
  ofExecution(executionId: string): Trigger | undefined {
    const id = this.#ofExecution.get(executionId);
    return id === undefined ? undefined : (this.#all.get(id)?.record ?? undefined);
  }

  /** Triggers that wait to close the position or are closing it: brackets and others. */
  ofPosition(positionId: string): readonly Trigger[] {
    return [...(this.#ofPosition.get(positionId) ?? [])].flatMap((id) => this.#all.get(id)?.record ?? []);
  }

  /** Take-profit and stop-loss of the position that have not ended. */
  bracketsOf(positionId: string): readonly BracketRecord[] {
    return this.ofPosition(positionId).flatMap((one) => (one.bracketType === null ? [] : [one]));
  }

  /** The position's other brackets. */
  othersOf(bracket: Pick<BracketRecord, 'id' | 'positionId'>): readonly BracketRecord[] {
    const { id, positionId } = bracket;
    return positionId === null ? [] : this.bracketsOf(positionId).filter((one) => one.id !== id);
  }

  /** The bracket whose round is closing the position now. */
  closingNow(positionId: string): BracketRecord | undefined {
    return this.bracketsOf(positionId).find(isRoundRunning);
  }

  /** Ids of the account's pending triggers, oldest first. */
  waitingOf(tradeAccountId: string): readonly string[] {
    if (this.countOf(tradeAccountId) === 0) return [];
    const waiting: string[] = [];
    for (const [id, live] of this.#all) {
      if (live.tradeAccountId === tradeAccountId && isRestingTrigger(live)) waiting.push(id);
    }
    return waiting;
  }

  isAlert(id: string): boolean {
    return this.#all.get(id)?.record?.kind === 'ALERT';
  }

  /** True: the account has a live trigger that could trade. Alerts only notify. */
  hasOrders(tradeAccountId: string): boolean {
    if (this.countOf(tradeAccountId) === 0) return false;
    for (const [id, live] of this.#all) {
      if (live.tradeAccountId === tradeAccountId && !this.isAlert(id)) return true;
    }
    return false;
  }

  countOf(tradeAccountId: string): number {
    return this.#perAccount.get(tradeAccountId) ?? 0;
  }

  all(): Iterable<readonly [id: string, live: LiveTrigger]> {
    return this.#all;
  }

  /** Waits for the trigger's lock; the returned function releases it. */
  async lock(id: string): Promise<Unlock> {
    const waiting = this.#locks.get(id);
    if (waiting === undefined) this.#locks.set(id, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return this.#unlockOnce(id);
  }

  /** Locks several triggers, always in the same order, so that two callers cannot deadlock. */
  async lockAll(ids: Iterable<string>): Promise<Unlock> {
    const unlocks: Unlock[] = [];
    for (const id of [...ids].sort()) unlocks.push(await this.lock(id));
    return () => {
      for (const unlock of unlocks) unlock();
    };
  }

  /** Locks the trigger; with a bracket also the position's other brackets, which its firing changes too. */
  async lockGroup(id: string): Promise<Unlock> {
    for (;;) {
      const group = this.#groupOf(id);
      const unlock = await this.lockAll(group);
      // A bracket may have been created during the wait for the locks; it has to be locked too.
      if (this.#groupOf(id).every((one) => group.includes(one))) return unlock;
      unlock();
    }
  }

  /** null: another caller holds the lock. */
  tryLock(id: string): Unlock | null {
    if (this.#locks.has(id)) return null;
    this.#locks.set(id, []);
    return this.#unlockOnce(id);
  }

  /** Marks the trigger to be cancelled for `reason` once its lock is free. */
  cancelLater(id: string, reason: string): void {
    this.#cancelledLater.set(id, reason);
  }

  #groupOf(id: string): readonly string[] {
    const record = this.#all.get(id)?.record ?? null;
    if (record === null || record.bracketType === null) return [id];
    return [id, ...this.othersOf(record).map((one) => one.id)];
  }

  #set(id: string, live: LiveTrigger): void {
    const before = this.#all.size;
    this.#all.set(id, live);
    if (this.#all.size > before) this.#count(live.tradeAccountId, 1);
  }

  #waiting({ tradeAccountId, connector, status }: Trigger | WaitingOpening): LiveTrigger {
    const key = `${tradeAccountId} ${connector} ${status}`;
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      shared = { tradeAccountId, connector, status, positionId: null, record: null };
      this.#shared.set(key, shared);
    }
    return shared;
  }

  #putWhole(trigger: Trigger): void {
    const { id, tradeAccountId, connector, status, executionId } = trigger;
    const positionId = trigger.kind === 'CLOSE' ? trigger.positionId : null;
    const known = this.#all.get(id)?.record?.executionId ?? null;
    if (known !== null) this.#ofExecution.delete(known);
    this.#set(id, { tradeAccountId, connector, status, positionId, record: trigger });
    if (positionId !== null) {
      const closing = this.#ofPosition.get(positionId) ?? new Set();
      closing.add(id);
      this.#ofPosition.set(positionId, closing);
    }
    const isRunning = trigger.bracketType === null ? status === 'TRIGGERED' : isRoundRunning(trigger);
    if (isRunning && executionId !== null) this.#ofExecution.set(executionId, id);
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
    const reason = this.#cancelledLater.get(id);
    const next = this.#locks.get(id)?.shift();
    if (next !== undefined) next();
    else this.#locks.delete(id);
    if (reason === undefined) return;
    this.#cancelledLater.delete(id);
    const live = this.#all.get(id);
    if (live !== undefined && isRestingTrigger(live)) this.#onFree(id, reason);
  }

  #forget(trigger: Trigger): void {
    const known = this.#all.get(trigger.id);
    if (known === undefined) return;
    this.#all.delete(trigger.id);
    this.#cancelledLater.delete(trigger.id);
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
    if (count > 0) this.#perAccount.set(tradeAccountId, count);
    else this.#perAccount.delete(tradeAccountId);
  }
}
