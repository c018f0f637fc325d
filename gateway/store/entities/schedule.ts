import type { ScheduleSummary } from '../../domain/schedule-summary.ts';
import { fixed, flag, integer, json, key, nullable, type TableEntity, text } from './table-entity.ts';

/** What lists tell of the slices is kept beside the header, so that a list reads no slice. */
export const scheduleEntity: TableEntity<ScheduleSummary> = {
  name: 'schedule',
  tableName: 'schedules',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    tradeAccountId: fixed(text('trade_account_id')),
    connector: fixed(text('connector')),
    basketKey: fixed(text('basket_key')),
    kind: fixed(text('kind')),
    positionId: nullable(text('position_id')),
    fraction: nullable(fixed(text('fraction'))),
    legs: fixed(json('legs')),
    ledger: json('ledger'),
    durationSeconds: fixed(integer('duration_seconds')),
    intervalSeconds: fixed(integer('interval_seconds')),
    randomize: fixed(flag('randomize')),
    slippage: fixed(text('slippage')),
    limitRatio: nullable(fixed(text('limit_ratio'))),
    missedSlicePolicy: fixed(text('missed_slice_policy')),
    takeProfit: nullable(json('take_profit')),
    stopLoss: nullable(json('stop_loss')),
    reduceOnly: fixed(flag('reduce_only')),
    clientId: nullable(fixed(text('client_id'))),
    status: text('status'),
    pauseReason: nullable(text('pause_reason')),
    averageRatio: nullable(text('average_ratio')),
    error: nullable(text('error')),
    sliceCount: fixed(integer('slice_count')),
    slicesCompleted: integer('slices_completed'),
    nextSliceAt: nullable(integer('next_slice_at')),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
