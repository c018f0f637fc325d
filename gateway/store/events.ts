/** Events of an account, and the counter that numbers them. */
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { integer, key, table, text } from './rows/table-entity.ts';

export const eventEntity = table<StoredEvent>('events', {
  tradeAccountId: key(text('trade_account_id')),
  seq: key(integer('seq')),
  event: text('event'),
  entityId: text('entity_id'),
  timestamp: integer('timestamp'),
});

/** The last event number given out to an account. The number outlives the events, which are pruned. */
export interface AccountSeq {
  readonly tradeAccountId: string;
  readonly lastSeq: number;
}

export const accountSeqEntity = table<AccountSeq>('account_seq', {
  tradeAccountId: key(text('trade_account_id')),
  lastSeq: integer('last_seq'),
});

/** Events with seq > after, oldest first, and the lowest seq that the store still has, 0 when it has none. */
type EventsAfter = (
  tradeAccountId: string,
  after: number,
  limit: number,
) => Promise<{ readonly events: readonly StoredEvent[]; readonly oldest: number }>;

export function eventReads({ one, select }: Reads): EventsAfter {
  const eventsAfter = select(eventEntity, 'WHERE trade_account_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const firstEvent = one(eventEntity, 'WHERE trade_account_id = ? ORDER BY seq LIMIT 1');
  return async (tradeAccountId, after, limit) => {
    const [events, first] = await Promise.all([
      eventsAfter(tradeAccountId, after, limit),
      firstEvent(tradeAccountId),
    ]);
    return { events, oldest: first?.seq ?? 0 };
  };
}
