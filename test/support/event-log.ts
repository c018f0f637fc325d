/** Stored events as the store keeps them: numbered per account, with a prefix that retention may remove. In memory. */
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { StoredEvent } from '../../gateway/engine/ports/unit-of-work.ts';

export interface EventLog extends Pick<Store, 'events' | 'lastSeq'> {
  /** Commits so many events and returns them. */
  commit(tradeAccountId: string, count?: number, name?: string): readonly StoredEvent[];
  /** Forgets everything up to `seq`. */
  prune(tradeAccountId: string, seq: number): void;
}

export function createEventLog(options: { readonly at?: number } = {}): EventLog {
  const lastSeqs = new Map<string, number>();
  const kept = new Map<string, StoredEvent[]>();
  return {
    commit(tradeAccountId, count = 1, name = 'execution.completed') {
      const events = Array.from({ length: count }, () => {
        const seq = (lastSeqs.get(tradeAccountId) ?? 0) + 1;
        lastSeqs.set(tradeAccountId, seq);
        return {
          tradeAccountId,
          event: name,
          entityId: `entity-${seq}`,
          timestamp: options.at ?? 1_770_000_000_000,
          seq,
        };
      });
      kept.set(tradeAccountId, [...(kept.get(tradeAccountId) ?? []), ...events]);
      return events;
    },
    prune(tradeAccountId, seq) {
      kept.set(
        tradeAccountId,
        (kept.get(tradeAccountId) ?? []).filter((event) => event.seq > seq),
      );
    },
    lastSeq: (tradeAccountId) => lastSeqs.get(tradeAccountId) ?? 0,
    events(tradeAccountId, after, limit) {
      const all = kept.get(tradeAccountId) ?? [];
      return Promise.resolve({
        events: all.filter((event) => event.seq > after).slice(0, limit),
        oldest: all[0]?.seq ?? 0,
        last: lastSeqs.get(tradeAccountId) ?? 0,
      });
    },
  };
}
