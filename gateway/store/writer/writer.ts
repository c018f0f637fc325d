/**
 * The only writer of the data file, with one queue. Units that wait while a commit runs are the next batch, so batches
 * grow with the load and no unit waits for a timer. A batch is one statement and one transaction (group commit). The
 * next batch is handed to the driver before the committers of the last one are told, so that the driver writes
 * meanwhile.
 *
 * Invariants:
 * - Units take effect in the order in which they were handed in.
 * - An event's `seq` is given when its batch is composed and the account's counter moves only after the commit, so a
 *   failed batch leaves no hole.
 * - Listeners hear of events in commit order, before the committers' promises resolve.
 * - A batch that fails because of one unit is done again one unit at a time: only the faulty unit fails.
 * - After any failure the next batch is tried as usual: the writer recovers when the disk does.
 */

import { fail, ok, type Result } from '../../domain/result.ts';
import type { Logger, Unsubscribe } from '../../engine/ports/system.ts';
import type { StoredEvent, StoreError, UnitOfWork } from '../../engine/ports/unit-of-work.ts';
import { mayBeOneUnit, storeErrorOf } from '../file/sqlite-failure.ts';
import type { SqliteHandle } from '../file/sqlite-handle.ts';
import { type OwnTransactions, runClaim } from './claim.ts';
import { composeBatch, type EncodedUnit, encodeUnit } from './unit-encoding.ts';
import { createUnitStatements } from './unit-statements.ts';

/** Limits of a batch in units and in text length; both are far above the load that keeps the disk busy. */
const MAX_BATCH_UNITS = 1_024;
const MAX_BATCH_SIZE = 8 * 1024 * 1024;
const MAX_GATHERING_TURNS = 16;
/**
 * Number of units that are worth a commit of their own while the event loop is busy: larger batches cost no less per
 * unit.
 */
const MANY_UNITS = 32;
/**
 * Number of units that are worth a commit of their own while the event loop has time: it gathers the next batch
 * during the write.
 */
const FEW_UNITS = 8;
/**
 * The event loop has time if it was idle for this share of the time before a commit, in at least `IDLE_COMMITS` of
 * the commits.
 */
const IDLE_SHARE = 0.1;
const IDLE_COMMITS = 1 / 3;
/** Weight of the newest commit in the moving average of commits during which the loop was idle. */
const NEWEST_COMMIT = 1 / 16;
/**
 * Maximum number of units that may wait. If more come, the disk is not keeping up, and refusing them is better than
 * unlimited memory.
 */
const MAX_WAITING = 65_536;

export interface Writer extends OwnTransactions {
  /** Resolves once the unit's transaction is on disk. Rejects for a caller's bug (missing parent row, wrong type). */
  commit(unit: UnitOfWork): Promise<Result<readonly StoredEvent[], StoreError>>;
  onCommitted(listener: (events: readonly StoredEvent[]) => void): Unsubscribe;
  /** Last committed event number of the account, 0 when none. */
  lastSeq(tradeAccountId: string): number;
  /** Accounts that have events. */
  accounts(): readonly string[];
  /** Resolves once the batch that is being written, if any, is on disk and its committers have been told. */
  settled(): Promise<void>;
  /** False after a write that the file or its disk refused, until a write succeeds. */
  accepts(): boolean;
  /** Refuses new work and finishes the waiting units. The handle stays open: its owner closes it. */
  close(): Promise<void>;
}

interface WaitingUnit {
  readonly kind: 'unit';
  readonly unit: EncodedUnit;
  readonly resolve: (result: Result<readonly StoredEvent[], StoreError>) => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingStatement {
  readonly kind: 'statement';
  readonly run: () => Promise<void>;
}

const CLOSED: StoreError = { kind: 'unavailable', message: 'The store is closed' };
const OVERLOADED: StoreError = { kind: 'unavailable', message: 'Too many writes are waiting for the disk' };

export function createWriter(options: {
  readonly handle: SqliteHandle;
  /** Event counters as they are on disk. */
  readonly lastSeqs: ReadonlyMap<string, number>;
  readonly logger: Logger;
  /** false: everything but the writing statement is done. For benchmarks, as the baseline of a commit's cost. */
  readonly commits?: boolean;
}): Writer {
  const { handle, logger, commits = true } = options;
  const statements = createUnitStatements(handle);
  const lastSeqs = new Map(options.lastSeqs);
  const lastSeq = (tradeAccountId: string): number => lastSeqs.get(tradeAccountId) ?? 0;
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
  let waiting: (WaitingUnit | WaitingStatement)[] = [];
  let running: Promise<void> | null = null;
  /** Work that the driver is running: a statement, or a batch until its committers have been told. */
  let current: Promise<void> | null = null;
  /** Ends the wait for the end of the event loop's turn; null: nobody is waiting. */
  let endTurn: (() => void) | null = null;
  let closed = false;
  let accepting = true;
  let enoughUnits = MANY_UNITS;
  /** Share of the last commits during which the loop was idle. */
  let idleCommits = 0;
  let seenLoop = performance.eventLoopUtilization();

  function tell(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    for (const listener of listeners) {
      try {
        listener(events);
      } catch (error) {
        // The batch is committed: a listener's bug must not look like a failed write.
        logger.error({ err: error }, 'A listener for committed events threw');
      }
    }
  }

  /**
   * Commits the units together and returns a function that tells listeners and committers. Call it at once; the
   * next batch may be handed over in between. Throws the driver's error when the statement failed.
   */
  async function commitTogether(units: readonly WaitingUnit[]): Promise<() => void> {
    const batch = composeBatch(
      units.map(({ unit }) => unit),
      lastSeq,
    );
    if (commits && batch.parts.length > 0) await statements.run(batch.parts, batch.params);
    accepting = true;
    for (const [tradeAccountId, seq] of batch.lastSeqs) lastSeqs.set(tradeAccountId, seq);
    return () => {
      tell(batch.events.flat());
      units.forEach(({ resolve }, index) => {
        resolve(ok(batch.events[index] ?? []));
      });
    };
  }

  function refuse(units: readonly WaitingUnit[], error: unknown): void {
    const storeError = storeErrorOf(error);
    if (storeError?.kind === 'unavailable') {
      accepting = false;
      logger.warn({ err: error, units: units.length }, 'The data file cannot be written');
    }
    for (const { resolve, reject } of units) {
      if (storeError) resolve(fail(storeError));
      else reject(error);
    }
  }

  /** Commits a batch and returns a function that tells the committers the result. */
  async function commitBatch(units: readonly WaitingUnit[]): Promise<() => void> {
    try {
      return await commitTogether(units);
    } catch (error) {
      if (units.length === 1 || !mayBeOneUnit(error)) return () => refuse(units, error);
      for (const unit of units) (await commitBatch([unit]))();
      return () => {};
    }
  }

  /**
   * The units at the head of the queue that may go together. Deletes are applied last in a batch, so a unit with
   * deletes is the last of its batch: then a batch has the same effect as its units one after the other.
   */
  function takeBatch(): WaitingUnit[] {
    const units: WaitingUnit[] = [];
    let size = 0;
    for (const entry of waiting) {
      if (entry.kind !== 'unit' || units.length === MAX_BATCH_UNITS) break;
      if (units.length > 0 && size + entry.unit.size > MAX_BATCH_SIZE) break;
      units.push(entry);
      size += entry.unit.size;
      if (entry.unit.deletes) break;
    }
    waiting = waiting.slice(units.length);
    return units;
  }

  /** Resolves at the end of this turn of the event loop, or when enough units wait. */
  function endOfTurn(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setImmediate(() => endTurn?.());
      endTurn = () => {
        endTurn = null;
        clearImmediate(timer);
        resolve();
      };
    });
  }

  /**
   * Gathers the units that the sockets bring: a batch starts when a turn of the event loop has brought no more units,
   * which is at once unless the loop is busy, or when enough units wait. Small batches cost more than they gain; a
   * batch of all pending units would leave the loop idle during the write.
   */
  async function gather(): Promise<void> {
    let seen = -1;
    for (
      let turn = 0;
      turn < MAX_GATHERING_TURNS && waiting.length !== seen && waiting.length < enoughUnits;
      turn += 1
    ) {
      seen = waiting.length;
      await endOfTurn();
    }
  }

  /**
   * Chooses the batch size. An idle loop gains by smaller batches, which it can prepare and answer while others are
   * written. A busy loop gains by larger batches, which take less of its time per unit.
   */
  function weighBatches(): void {
    const loop = performance.eventLoopUtilization();
    const idle = loop.idle - seenLoop.idle;
    const wasIdle = idle > IDLE_SHARE * (idle + loop.active - seenLoop.active);
    seenLoop = loop;
    idleCommits += ((wasIdle ? 1 : 0) - idleCommits) * NEWEST_COMMIT;
    enoughUnits = idleCommits > IDLE_COMMITS ? FEW_UNITS : MANY_UNITS;
  }

  async function write(units: readonly WaitingUnit[]): Promise<void> {
    const tellOfIt = await commitBatch(units);
    weighBatches();
    current = null;
    if (waiting.length >= enoughUnits) startNext();
    tellOfIt();
  }

  function startNext(): void {
    const head = waiting[0];
    if (head === undefined) return;
    if (head.kind === 'statement') {
      waiting = waiting.slice(1);
      current = head.run();
    } else {
      current = write(takeBatch());
    }
  }

  async function drain(): Promise<void> {
    for (;;) {
      if (current === null) {
        await gather();
        startNext();
      }
      if (current === null) break;
      const started: Promise<void> = current;
      await started;
      if (current === started) current = null;
    }
    running = null;
  }

  function enqueue(entry: WaitingUnit | WaitingStatement): void {
    waiting.push(entry);
    running ??= drain();
    if (waiting.length >= enoughUnits) endTurn?.();
  }

  function refusal(): StoreError | null {
    if (closed) return CLOSED;
    return waiting.length >= MAX_WAITING ? OVERLOADED : null;
  }

  /** Runs `task` on the handle after all work handed in before it. */
  function inTurn<T>(task: () => Promise<T>): Promise<Result<T, StoreError>> {
    const refused = refusal();
    if (refused) return Promise.resolve(fail(refused));
    return new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(ok(await task()));
        } catch (error) {
          const storeError = storeErrorOf(error);
          if (storeError) resolve(fail(storeError));
          else reject(error);
        }
      };
      enqueue({ kind: 'statement', run });
    });
  }

  return {
    commit(unit) {
      const refused = refusal();
      if (refused) return Promise.resolve(fail(refused));
      return new Promise((resolve, reject) => {
        enqueue({ kind: 'unit', unit: encodeUnit(unit), resolve, reject });
      });
    },
    onCommitted(listener) {
      // The listener is wrapped, so that one function added twice is two listeners.
      const entry = (events: readonly StoredEvent[]) => listener(events);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    exclusive: (sql, params) => inTurn(() => handle.run(sql, params)),
    claim: (statements) => inTurn(() => runClaim(handle, statements)),
    settled: () => current ?? Promise.resolve(),
    accepts: () => accepting,
    lastSeq,
    accounts: () => [...lastSeqs.keys()],
    async close() {
      closed = true;
      while (running) await running;
      await statements.close();
    },
  };
}
