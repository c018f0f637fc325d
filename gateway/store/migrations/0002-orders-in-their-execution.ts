/**
 * Orders move into the row of their execution (`packed-orders.ts` has the positions), because execution and orders are
 * written and read together: four rows fewer save most of an acknowledgement's cost. `orders` stays as a view.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const ordersInTheirExecution: SchemaMigration = {
  version: 2,
  name: 'OrdersInTheirExecution1763769600000',
  statements: [
    `ALTER TABLE executions ADD COLUMN orders TEXT NOT NULL DEFAULT '[]'`,
    `UPDATE executions SET orders = (
      SELECT json_group_array(json_array(id, symbol, side, mode, amount, reduce_only, status, filled_quantity, quantity,
        limit_price, attempt, client_order_id, expires_at, venue_order_id, average_price, error, error_code, updated_at))
      FROM (SELECT * FROM orders WHERE execution_id = executions.id ORDER BY leg_index))`,
    'DROP TABLE orders',
    `CREATE VIEW orders AS SELECT
      o.value ->> 0 AS id, e.id AS execution_id, e.trade_account_id, o.key AS leg_index,
      o.value ->> 1 AS symbol, o.value ->> 2 AS side, o.value ->> 3 AS mode, o.value ->> 4 AS amount,
      coalesce(o.value ->> 5, 0) AS reduce_only, coalesce(o.value ->> 6, 'PENDING') AS status,
      coalesce(o.value ->> 7, '0') AS filled_quantity, o.value ->> 8 AS quantity, o.value ->> 9 AS limit_price,
      coalesce(o.value ->> 10, 0) AS attempt, o.value ->> 11 AS client_order_id, o.value ->> 12 AS expires_at,
      o.value ->> 13 AS venue_order_id, o.value ->> 14 AS average_price, o.value ->> 15 AS error,
      o.value ->> 16 AS error_code, e.created_at, coalesce(o.value ->> 17, e.created_at) AS updated_at
      FROM executions e, json_each(e.orders) o`,
  ],
};
