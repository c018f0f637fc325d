/**
 * Who placed what trades or waits to trade. What is there already was placed by the user, which null says. A grant that is
 * revoked says what is to become of what it left waiting, until that has been done.
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
