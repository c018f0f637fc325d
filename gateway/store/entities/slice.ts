import type { StoredSlice } from '../../engine/ports/unit-of-work.ts';
import { integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

/** A row a slice: the one that is sent is rewritten, not the thousands beside it. */
export const sliceEntity: TableEntity<StoredSlice> = {
  name: 'slice',
  tableName: 'slices',
  columns: {
    scheduleId: key(text('schedule_id')),
    index: key(integer('slice_index')),
    scheduledAt: integer('scheduled_at'),
    executedAt: nullable(integer('executed_at')),
    status: text('status'),
    executionId: nullable(text('execution_id')),
    legs: nullable(json('legs')),
    filledUsd: text('filled_usd'),
    error: nullable(text('error')),
  },
};
