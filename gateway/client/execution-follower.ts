/**
 * Waits for executions to end: one event stream for all executions that are waited for, and none without any.
 */
import { GatewayUnreachable, isUnsure } from './errors.ts';
import type { Absence } from './presence.ts';
import type { Execution } from './route-types.ts';
import type { StreamMessage } from './stream-messages.ts';
import { Patience } from './wait.ts';

export interface FollowerDeps {
  /** The account's events from now on. */
  readonly events: (signal: AbortSignal) => AsyncIterable<StreamMessage>;
  readonly read: (executionId: string, signal: AbortSignal | undefined) => Promise<Execution>;
  /** A page of executions of all origins, newest first. */
  readonly page: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<ExecutionPage>;
  readonly absence: () => Absence;
}

export interface ExecutionPage {
  readonly executions: readonly Execution[];
  readonly nextCursor?: string | undefined;
}

const isOver = ({ status }: Execution) => status !== 'IDLE' && status !== 'ACTIVE';

export class ExecutionFollower {
  readonly #deps: FollowerDeps;
  /** Execution id → callbacks that read the execution again. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #stop: AbortController | null = null;
  /** The stream has given up, because nobody answered it. */
  #isGone = false;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /**
   * The execution as it ended: `COMPLETED`, `CANCELLED` or `FAILED`. Where `onLegFailure` is `UNWIND`, what closes the filled
   * legs again has ended by then too.
   * @throws Refusal when it cannot be read; GatewayUnreachable when nobody answers for too long; the signal's reason when
   * that is aborted
   */
  async ended(executionId: string, signal?: AbortSignal): Promise<Execution> {
    let look = () => {};
    let mayHaveChanged = false;
    const wake = () => {
      mayHaveChanged = true;
      look();
    };
    signal?.addEventListener('abort', wake);
    // Listening begins before reading: an end between the two is not missed.
    this.#listen(executionId, wake);
    const patience = new Patience(LONGEST_PAUSE_MS);
    const absence = this.#deps.absence();
    try {
      for (;;) {
        mayHaveChanged = false;
        signal?.throwIfAborted();
        try {
          const execution = await this.#deps.read(executionId, signal);
          absence.answered();
          if (isOver(execution)) {
            const unwinding = await this.#unwindingOf(execution, signal);
            if (unwinding !== null && !isOver(unwinding)) await this.ended(unwinding.id, signal);
            return execution;
          }
        } catch (error) {
          if (!isUnsure(error)) throw error;
          const isNobody = error instanceof GatewayUnreachable;
          const gone = isNobody ? absence.missed(error) : absence.answered();
          if (gone) throw gone;
          if (isNobody && this.#isGone) throw error;
          await patience.wait(signal);
          continue;
        }
        if (mayHaveChanged) continue;
        await new Promise<void>((resolve) => {
          look = resolve;
        });
      }
    } finally {
      signal?.removeEventListener('abort', wake);
      this.#leave(executionId, wake);
    }
  }

  /** It is on disk with the end of the execution that it unwinds, and made right after it. null: nothing is unwound. */
  async #unwindingOf(execution: Execution, signal: AbortSignal | undefined): Promise<Execution | null> {
    const { status, onLegFailure, finishedAt, orders } = execution;
    const hasFilled = orders.some(({ filledQuantity }) => filledQuantity !== '0');
    if (status === 'COMPLETED' || onLegFailure !== 'UNWIND' || finishedAt === null || !hasFilled) return null;
    let cursor: string | undefined;
    do {
      const { executions, nextCursor } = await this.#deps.page(cursor, signal);
      const found = executions.find(({ parentId }) => parentId === execution.id);
      if (found !== undefined) return found;
      const last = executions.at(-1);
      cursor = last === undefined || last.createdAt < finishedAt ? undefined : nextCursor;
    } while (cursor !== undefined);
    return null;
  }

  #listen(executionId: string, wake: () => void): void {
    const waiting = this.#waiting.get(executionId) ?? new Set();
    this.#waiting.set(executionId, waiting.add(wake));
    if (this.#stop !== null) return;
    this.#stop = new AbortController();
    this.#isGone = false;
    void this.#follow(this.#stop.signal);
  }

  #leave(executionId: string, wake: () => void): void {
    const waiting = this.#waiting.get(executionId);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(executionId);
    if (this.#waiting.size > 0) return;
    this.#stop?.abort();
    this.#stop = null;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const message of this.#deps.events(signal)) {
        if (message.kind !== 'event') this.#wakeAll();
        else if (message.event.startsWith('execution.'))
          for (const wake of this.#waiting.get(message.entityId) ?? []) wake();
      }
    } catch (error) {
      this.#isGone = error instanceof GatewayUnreachable && !signal.aborted;
      // The stream is refused, or nobody answers it: it will tell nothing. Waiting callers read instead, and learn the reason there.
      await this.#poll(signal);
    }
  }

  /**
   * Makes the waiting callers read their executions again and again: a grant's token may read executions, but
   * receives no private events.
   */
  async #poll(signal: AbortSignal): Promise<void> {
    const patience = new Patience(LONGEST_PAUSE_MS);
    while (!signal.aborted) {
      this.#wakeAll();
      await patience.wait(signal).catch(() => undefined);
    }
  }

  #wakeAll(): void {
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake();
  }
}

const LONGEST_PAUSE_MS = 2_000;
