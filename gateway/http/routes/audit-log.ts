import { type AuditEntryBody, listAuditLog } from '../../contract/audit-log.ts';
import { encodeCursor } from '../../contract/cursor.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { iso } from '../present/time.ts';

function presentAuditEntry({ id, action, subjectId, method, client, ip, at }: AuditEntry): AuditEntryBody {
  return { id, action, subjectId, method, client, ip, at: iso(at) };
}

export function auditLogRoutes(store: Pick<Store, 'auditLog'>): readonly BoundRoute[] {
  return [
    bind(listAuditLog, async ({ principal, query }) => {
      const page = await store.auditLog(principal.userId, {
        limit: query.limit,
        after: query.cursor ?? null,
      });
      return {
        body: {
          auditEntries: page.rows.map(presentAuditEntry),
          ...(page.next === null ? {} : { nextCursor: encodeCursor(page.next) }),
        },
      };
    }),
  ];
}
