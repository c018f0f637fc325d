import { fail, ok } from '../domain/result.ts';
import type { StoredEvent } from '../engine/ports.ts';
import { storeErrorOf } from './sqlite-failure.ts';
import type { SqliteHandle } from './sqlite-handle.ts';
import type { Writer } from './writer.ts';

/**
 * For benchmarks only, as the baseline "the same server without the commit": numbers the events and answers at once,
 * WRITING NOTHING. Statements of `exclusive` are run.
 */
export function createUncommittedWriter(options: {
  readonly handle: SqliteHandle;
  readonly lastSeqs: ReadonlyMap<string, number>;
}): Writer {
  const lastSeqs = new Map(options.lastSeqs);
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
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
    async exclusive(sql, params) {
      try {
        return ok(await options.handle.run(sql, params));
      } catch (error) {
        const storeError = storeErrorOf(error);
        if (storeError) return fail(storeError);
        throw error;
      }
    },
    lastSeq: (tradeAccountId) => lastSeqs.get(tradeAccountId) ?? 0,
    accounts: () => [...lastSeqs.keys()],
    async close() {},
  };
}
