/**
 * The triggers that have not ended, in memory: which there are, in what state, and who may change one now.
 *
 * Of a trigger that opens and waits only what is asked often is kept; its record is read from the store when something
 * happens to it, so that hundreds of thousands can wait. Those that close, and those that fired, are kept whole, because what
 * follows from an execution or a position is decided without waiting.
 *
 * A trigger is changed by one at a time: whoever has its lock reads its record, commits, and puts what was committed here.
 * Who cannot wait for a lock leaves the trigger to be cancelled later: as soon as the lock is free, unless it fired.
 */
import { type BracketRecord, isRoundRunning } from '../../../domain/bracket-rounds.ts';
import {
  type ArmedBracket,
  isRestingTrigger,
  isWaitingOpening,
  type Trigger,
  type WaitingOpening,
} from '../../../domain/trigger.ts';

/** All that open and wait in one state share one of these: an object each would be most of what a trigger costs. */
export interface LiveTrigger {
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly status: Trigger['status'];
  /** What it closes; null for one that opens. */
  readonly positionId: string | null;
  /** null: to be read from the store. */
  readonly record: Trigger | null;
}

export type Unlock = () => void;

export class LiveTriggers {
  readonly #all = new Map<string, LiveTrigger>();
  /** Of those that open and wait, by account, connector and status. */
  readonly #shared = new Map<string, LiveTrigger>();
  readonly #perAccount = new Map<string, number>();
  /** Closing ones, brackets included, by position. */
  readonly #ofPosition = new Map<string, Set<string>>();
  readonly #ofExecution = new Map<string, string>();
  /** Locked ones, with who waits for the lock. */
  readonly #locks = new Map<string, (() => void)[]>();
  readonly #cancelledLater = new Map<string, string>();
  readonly #onFree: (id: string, reason: string) => void;

  /** @param onFree is told of a trigger that is to be cancelled and still waits, once its lock is free */
  constructor(onFree: (id: string, reason: string) => void) {
    this.#onFree = onFree;
  }

  get size(): number {
    return this.#all.size;
  }

  get(id: string): LiveTrigger | undefined {
    return this.#all.get(id);
  }

  /** What is on disk now. One that ended is forgotten. */
  put(trigger: Trigger | WaitingOpening): void {
    if (isWaitingOpening(trigger)) this.#set(trigger.id, this.#waiting(trigger));
    else if (trigger.status === 'TRIGGERED' || isRestingTrigger(trigger)) this.#putWhole(trigger);
    else this.#forget(trigger);
  }

  /** Its trailing bracket has seen a better value. In memory only: the store keeps peaks now and then. */
  follow(id: string, armed: ArmedBracket): void {
    const live = this.#all.get(id);
    if (live === undefined || live.record === null || live.record.armed === null) return;
    this.#all.set(live.record.id, { ...live, record: { ...live.record, armed } });
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

  /** Ids of the account's that wait, oldest first. */
  waitingOf(tradeAccountId: string): readonly string[] {
    if (this.countOf(tradeAccountId) === 0) return [];
    const waiting: string[] = [];
    for (const [id, live] of this.#all) {
      if (live.tradeAccountId === tradeAccountId && isRestingTrigger(live)) waiting.push(id);
    }
    return waiting;
  }

  countOf(tradeAccountId: string): number {
    return this.#perAccount.get(tradeAccountId) ?? 0;
  }

  all(): Iterable<readonly [id: string, live: LiveTrigger]> {
    return this.#all;
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

  /** The trigger, and of a bracket the position's others with it: what fires decides over them too. */
  async lockGroup(id: string): Promise<Unlock> {
    for (;;) {
      const group = this.#groupOf(id);
      const unlock = await this.lockAll(group);
      // One may have been made while the locks were waited for.
      if (this.#groupOf(id).every((one) => group.includes(one))) return unlock;
      unlock();
    }
  }

  /** null: somebody has it. */
  tryLock(id: string): Unlock | null {
    if (this.#locks.has(id)) return null;
    this.#locks.set(id, []);
    return this.#unlockOnce(id);
  }

  /** To be cancelled for `reason` once its lock is free. */
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
