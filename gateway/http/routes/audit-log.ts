import { type BoundRoute, bind } from '../../call/call.ts';
import { auditEntry, listAuditLog } from '../../contract/audit-log.ts';
import type { Store } from '../../engine/ports/store.ts';
import { wireForm } from '../present/wire-form.ts';
import { nextCursorOf, pageAsked } from './page-reply.ts';

export function auditLogRoutes(store: Pick<Store, 'auditLog'>): readonly BoundRoute[] {
  return [
    bind(listAuditLog, async ({ principal, query }) => {
      const page = await store.auditLog(principal.userId, pageAsked(query));
      const auditEntries = page.rows.map((entry) => wireForm(auditEntry, entry, {}));
      return { body: { auditEntries, ...nextCursorOf(page) } };
    }),
  ];
}
