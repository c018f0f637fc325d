/** The reason that an agent gives for an order, in its own words. */
import type { SchemaMigration } from './schema-migration.ts';

export const auditReasons: SchemaMigration = {
  version: 32,
  name: 'AuditReasons1795941000032',
  statements: ['ALTER TABLE audit_log ADD COLUMN says TEXT'],
};
