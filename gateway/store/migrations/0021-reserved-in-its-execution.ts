/**
 * Moves the reservation of an execution into the execution's row: a separate row and its index took most of what a
 * mandate cost an acknowledgement. `agent_reservations` keeps the reservations of pending orders.
 *
 * The new index has ended executions alone, so that none is written before the answer goes out.
 */
import type { SchemaMigration } from './schema-migration.ts';

export const reservedInItsExecution: SchemaMigration = {
  version: 21,
  name: 'ReservedInItsExecution1795651200021',
  statements: [
    'ALTER TABLE executions ADD COLUMN reserved TEXT',
    `UPDATE executions SET reserved = (
      SELECT json_object('usd', r.usd, 'asked', json(iif(r.asked, 'true', 'false')))
      FROM agent_reservations r WHERE r.id = executions.id)
      WHERE id IN (SELECT id FROM agent_reservations WHERE what = 'EXECUTION')`,
    `DELETE FROM agent_reservations WHERE what = 'EXECUTION'`,
    `CREATE INDEX executions_reserved ON executions (max(created_at, finished_at))
      WHERE reserved IS NOT NULL AND finished_at IS NOT NULL`,
  ],
};
