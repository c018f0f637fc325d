import type { StoredEvent } from '../../engine/ports/unit-of-work.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const eventEntity: TableEntity<StoredEvent> = {
  name: 'event',
  tableName: 'events',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    seq: key(integer('seq')),
    event: text('event'),
    entityId: text('entity_id'),
    timestamp: integer('timestamp'),
  },
};
