import type { AuditEntry } from '../domain/audit.ts';
import type { Store } from '../engine/ports/store.ts';
import { pageOf } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { integer, key, nullable, table, text } from './rows/table-entity.ts';

export const auditEntryEntity = table<AuditEntry>('audit_log', {
  id: key(text('id')),
  userId: text('user_id'),
  action: text('action'),
  subjectId: nullable(text('subject_id')),
  method: text('method'),
  client: nullable(text('client')),
  ip: nullable(text('ip')),
  says: nullable(text('says')),
  at: integer('at'),
});

export function auditReads({ select }: Reads) {
  const auditPage = select(
    auditEntryEntity,
    'WHERE user_id = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
  );
  return {
    async auditLog(userId, page) {
      const { key: before, id } = page.after ?? { key: Number.MAX_SAFE_INTEGER, id: '' };
      const rows = await auditPage(userId, before, id, page.limit + 1);
      return pageOf(rows, page.limit, ({ at }) => at);
    },
  } satisfies Partial<Store>;
}
