import type { AuditEntry } from '../../domain/audit.ts';
import { integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const auditEntryEntity: TableEntity<AuditEntry> = {
  name: 'audit_entry',
  tableName: 'audit_log',
  columns: {
    id: key(text('id')),
    userId: text('user_id'),
    action: text('action'),
    subjectId: nullable(text('subject_id')),
    method: text('method'),
    client: nullable(text('client')),
    ip: nullable(text('ip')),
    at: integer('at'),
  },
};
