import { fail, ok, type Result } from '../domain/result.ts';
import type { StoredEvent, StoreError } from '../engine/ports.ts';
import { runClaim } from './claim.ts';
import { storeErrorOf } from './sqlite-failure.ts';
import type { SqliteHandle } from './sqlite-handle.ts';
import type { Writer } from './writer.ts';

/**
 * For benchmarks only, as the baseline "the same server without the commit": numbers the events and answers at once,
 * WRITING NOTHING. Statements of `exclusive` and `claim` are run.
 */
export function createUncommittedWriter(options: {
  readonly handle: SqliteHandle;
  readonly lastSeqs: ReadonlyMap<string, number>;
}): Writer {
  const lastSeqs = new Map(options.lastSeqs);
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();

  async function run<T>(task: () => Promise<T>): Promise<Result<T, StoreError>> {
    try {
      return ok(await task());
    } catch (error) {
      const storeError = storeErrorOf(error);
      if (storeError) return fail(storeError);
      throw error;
    }
  }

  return {
    async commit(unit) {
      const events = (unit.events ?? []).map((event): StoredEvent => {
        const seq = (lastSeqs.get(event.tradeAccountId) ?? 0) + 1;
        lastSeqs.set(event.tradeAccountId, seq);
        return { ...event, seq };
      });
      if (events.length > 0) for (const listener of listeners) listener(events);
      return ok(events);
    },
    onCommitted(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    exclusive: (sql, params) => run(() => options.handle.run(sql, params)),
    claim: (statements) => run(() => runClaim(options.handle, statements)),
    lastSeq: (tradeAccountId) => lastSeqs.get(tradeAccountId) ?? 0,
    accounts: () => [...lastSeqs.keys()],
    async close() {},
  };
}
