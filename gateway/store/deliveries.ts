/** Destinations of news, and the log of their deliveries. */
import type { Delivery, Destination } from '../domain/delivery.ts';
import type { DeliveryStore } from '../engine/ports/deliveries.ts';
import { pageOf } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, table, text } from './rows/table-entity.ts';

export const destinationEntity = table<Destination>('news_destinations', {
  id: key(text('id')),
  userId: fixed(text('user_id')),
  kind: fixed(text('kind')),
  name: text('name'),
  address: text('address'),
  wants: json('wants'),
  tradeAccountIds: nullable(json('trade_account_ids')),
  enabled: flag('enabled'),
  since: integer('since'),
  skipped: integer('skipped'),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

export const deliveryEntity = table<Delivery>('news_deliveries', {
  id: key(text('id')),
  destinationId: fixed(text('destination_id')),
  eventId: fixed(text('event_id')),
  event: fixed(text('event')),
  tradeAccountId: nullable(fixed(text('trade_account_id'))),
  seq: fixed(integer('seq')),
  mode: fixed(text('mode')),
  network: nullable(fixed(text('network'))),
  entityId: fixed(text('entity_id')),
  occurredAt: fixed(integer('occurred_at')),
  status: text('status'),
  attempts: integer('attempts'),
  nextAttemptAt: nullable(integer('next_attempt_at')),
  responseStatus: nullable(integer('response_status')),
  error: nullable(text('error')),
  response: nullable(text('response')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
  finishedAt: nullable(integer('finished_at')),
});

/** ?4: a JSON array of statuses, or null for all. */
const PAGE = `WHERE destination_id = ?1 AND (created_at, id) < (?2, ?3)
  AND (?4 IS NULL OR status IN (SELECT value FROM json_each(?4)))
  ORDER BY created_at DESC, id DESC LIMIT ?5`;

export function deliveryReads({ one, select }: Reads): DeliveryStore {
  const delivery = one(deliveryEntity, 'WHERE destination_id = ? AND id = ?');
  const page = select(deliveryEntity, PAGE);
  return {
    destinations: select(destinationEntity, 'ORDER BY created_at, id'),
    waitingDeliveries: select(deliveryEntity, 'WHERE finished_at IS NULL ORDER BY created_at, id'),
    delivery: (destinationId, id) => delivery(destinationId, id),
    async deliveries({ destinationId, statuses }, { limit, after }) {
      const { key: before, id } = after ?? { key: Number.MAX_SAFE_INTEGER, id: '' };
      const wanted = statuses === undefined ? null : JSON.stringify(statuses);
      const found = await page(destinationId, before, id, wanted, limit + 1);
      return pageOf(found, limit, (row) => row.createdAt);
    },
  };
}
