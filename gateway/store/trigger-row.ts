import type { Trigger } from '../domain/trigger.ts';
import type { BracketLevels, TrailingPeak } from '../engine/ports/unit-of-work.ts';
import { fixed, integer, json, key, nullable, owned, table, text } from './rows/table-entity.ts';

/** Row of a trigger: the columns of all members of the union `Trigger`, null where the member has no such property. */
export type TriggerRow = { readonly [Property in keyof Trigger]: Trigger[Property] };

/** The table is STRICT and only the encoder writes it, so a row is one of the union's members. */
export function asTrigger(row: TriggerRow): Trigger {
  return row as Trigger;
}

/**
 * `armed` holds the peak as of the row's `updated_at`; a newer one is in `trailing_peaks`, so that a peak that moves does
 * not rewrite this row.
 */
export const triggerEntity = table<TriggerRow>('triggers', {
  ...owned,
  basketKey: fixed(text('basket_key')),
  kind: fixed(text('kind')),
  positionId: nullable(text('position_id')),
  ladderId: nullable(fixed(text('ladder_id'))),
  rungIndex: nullable(fixed(integer('rung_index'))),
  legs: fixed(json('legs')),
  weights: fixed(json('weights')),
  totalUsd: nullable(fixed(text('total_usd'))),
  fraction: nullable(fixed(text('fraction'))),
  priceSource: fixed(text('price_source')),
  slippage: fixed(text('slippage')),
  onLegFailure: fixed(text('on_leg_failure')),
  condition: nullable(json('condition')),
  bracketType: nullable(fixed(text('bracket_type'))),
  armed: nullable(json('armed')),
  takeProfit: nullable(json('take_profit')),
  stopLoss: nullable(json('stop_loss')),
  onMissed: fixed(text('on_missed')),
  clientId: nullable(fixed(text('client_id'))),
  expiresAt: nullable(integer('expires_at')),
  status: text('status'),
  pauseReason: nullable(text('pause_reason')),
  pausedBy: nullable(text('paused_by')),
  lastValue: nullable(text('last_value')),
  lastCheckedAt: nullable(integer('last_checked_at')),
  triggeredAt: nullable(integer('triggered_at')),
  executionId: nullable(text('execution_id')),
  filled: json('filled'),
  error: nullable(text('error')),
  authorityKind: nullable(text('authority_kind')),
  authorityId: nullable(text('authority_id')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

/** Peaks of trailing triggers: three columns and no index, because a row is rewritten as the peak moves. */
export const trailingPeakEntity = table<TrailingPeak>('trailing_peaks', {
  triggerId: key(text('trigger_id')),
  peak: text('peak'),
  seenAt: integer('seen_at'),
});

/** Levels of brackets whose position has changed its size: such a row overrides the levels in the trigger's own row. */
export const bracketLevelsEntity = table<BracketLevels>('bracket_levels', {
  triggerId: key(text('trigger_id')),
  sized: json('sized'),
});
