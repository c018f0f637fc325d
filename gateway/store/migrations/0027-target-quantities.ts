/** The quantity that the trader named for an order's leg. The migration only recreates the view. */
import type { SchemaMigration } from './schema-migration.ts';

export const targetQuantities: SchemaMigration = {
  version: 27,
  name: 'TargetQuantities1795911600027',
  statements: [
    'DROP VIEW orders',
    `CREATE VIEW orders AS SELECT
      CASE o.value ->> 0 WHEN 0 THEN substr(e.id, 1, length(e.id) - 2) || printf('%02x', o.key + 1)
        ELSE o.value ->> 0 END AS id,
      e.id AS execution_id, e.trade_account_id, o.key AS leg_index,
      o.value ->> 1 AS symbol, o.value ->> 2 AS side, o.value ->> 3 AS mode, o.value ->> 4 AS amount,
      coalesce(o.value ->> 5, 0) AS reduce_only, coalesce(o.value ->> 6, 'PENDING') AS status,
      coalesce(o.value ->> 7, '0') AS filled_quantity, o.value ->> 8 AS quantity, o.value ->> 9 AS limit_price,
      coalesce(o.value ->> 10, 0) AS attempt, o.value ->> 11 AS client_order_id, o.value ->> 12 AS expires_at,
      o.value ->> 13 AS venue_order_id, o.value ->> 14 AS average_price, o.value ->> 15 AS error,
      o.value ->> 16 AS error_code, e.created_at, coalesce(o.value ->> 17, e.created_at) AS updated_at,
      o.value ->> 18 AS worst_price, o.value ->> 19 AS sized_price,
      o.value ->> 20 AS target_quantity
      FROM executions e, json_each(e.orders) o`,
  ],
};
