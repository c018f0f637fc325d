/**
 * Authority columns of everything that trades or waits to trade; null, as in existing rows, is the user. A revoked
 * grant stores the decision about its remaining resting objects until it has been carried out.
 */
import type { SchemaMigration } from './schema-migration.ts';

const PLACED = [
  'executions',
  'triggers',
  'schedules',
  'ladders',
  'auto_rebalances',
  'position_setups',
] as const;

export const authority: SchemaMigration = {
  version: 12,
  name: 'Authority1795392000012',
  statements: [
    ...PLACED.flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN authority_kind TEXT`,
      `ALTER TABLE ${table} ADD COLUMN authority_id TEXT`,
    ]),
    `ALTER TABLE oauth_grants ADD COLUMN left_waiting TEXT
      CHECK (left_waiting IN ('CANCEL', 'CANCELLED', 'KEPT'))`,
  ],
};
