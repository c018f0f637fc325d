/** Idempotency keys: the first answer to each key is kept for a day. */
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { IdempotencyRecord } from '../engine/ports/unit-of-work.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { integer, key, table, text } from './rows/table-entity.ts';
import type { OwnTransactions } from './writer/claim.ts';

export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1000;

export const idempotencyEntity = table<IdempotencyRecord>('idempotency', {
  userId: key(text('user_id')),
  route: key(text('route')),
  key: key(text('key')),
  requestHash: text('request_hash'),
  status: integer('status'),
  answer: text('answer'),
  createdAt: integer('created_at'),
});

const OF_KEY = 'WHERE user_id = ? AND route = ? AND key = ?';

export function idempotencyStore({ one }: Reads, { exclusive }: OwnTransactions, clock: Pick<Clock, 'now'>) {
  const recordOf = one(idempotencyEntity, OF_KEY);
  return {
    async idempotency(userId, route, key) {
      const record = await recordOf(userId, route, key);
      const expired = clock.now() - IDEMPOTENCY_RETENTION_MS;
      if (record === null || record.createdAt > expired) return record;
      // The expired key is deleted without waiting for the prune: it can be reused exactly a day after its first use.
      await exclusive(`DELETE FROM idempotency ${OF_KEY} AND created_at <= ?`, [userId, route, key, expired]);
      return null;
    },
  } satisfies Partial<Store>;
}
