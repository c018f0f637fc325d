/** `/oauth2/grants`: the user's connected agents. */
import type { AuditTrail } from '../../auth/audit.ts';
import { listGrants, revokeGrant } from '../../contract/oauth.ts';
import type { GrantBook } from '../../oauth/grant-book.ts';
import { type BoundRoute, bind, FrameworkError } from '../handler.ts';
import { iso } from '../present/time.ts';
import { originOf } from './origin.ts';
import { notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

export function grantRoutes(grants: GrantBook, audit: AuditTrail): readonly BoundRoute[] {
  return [
    bind(listGrants, ({ principal }) => ({
      body: {
        grants: grants.activeOf(sessionOf(principal).userId).map((grant) => ({
          id: grant.id,
          name: grant.clientName ?? grant.clientId,
          scopes: [...grant.scopes],
          connectedAt: iso(grant.connectedAt),
        })),
      },
    })),

    bind(revokeGrant, async (call) => {
      const { params } = call;
      const { userId } = sessionOf(call.principal);
      const id = params.id.toLowerCase();
      const notFound = new FrameworkError(404, 'OAuth grant not found');
      if (grants.get(id)?.userId !== userId) throw notFound;
      const revoked = await grants.revoke(id, audit.entry(userId, 'agent.revoked', id, originOf(call)));
      if (!revoked.ok) throw notSaved(revoked.error);
      if (!revoked.value) throw notFound;
      return {};
    }),
  ];
}
