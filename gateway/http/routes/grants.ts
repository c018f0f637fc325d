/** `/oauth2/grants`: the user's connected agents. */
import type { AuditTrail } from '../../auth/audit.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { FrameworkError } from '../../call/errors.ts';
import { grantWaiting, listGrants, revokeGrant } from '../../contract/oauth.ts';
import { agentName } from '../../domain/oauth.ts';
import type { LeftWaiting } from '../../engine/resting/left-waiting.ts';
import type { Grants } from '../../oauth/grants.ts';
import { iso } from '../present/time.ts';
import { originOf } from './origin.ts';
import { notSaved } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

export function grantRoutes(
  grants: Grants,
  audit: AuditTrail,
  leftWaiting: Pick<LeftWaiting, 'count'>,
): readonly BoundRoute[] {
  const notFound = () => new FrameworkError(404, 'OAuth grant not found');
  return [
    bind(listGrants, ({ principal }) => ({
      body: {
        grants: grants.activeOf(sessionOf(principal).userId).map((grant) => ({
          id: grant.id,
          name: agentName(grant),
          scopes: [...grant.scopes],
          connectedAt: iso(grant.connectedAt),
        })),
      },
    })),

    bind(grantWaiting, async ({ principal, params }) => {
      const { userId } = sessionOf(principal);
      const id = params.id.toLowerCase();
      if (!grants.activeOf(userId).some((grant) => grant.id === id)) throw notFound();
      return { body: await leftWaiting.count(id) };
    }),

    bind(revokeGrant, async (call) => {
      const { params, query } = call;
      const { userId } = sessionOf(call.principal);
      const id = params.id.toLowerCase();
      if (grants.get(id)?.userId !== userId) throw notFound();
      const revoked = await grants.revoke(
        id,
        audit.entry(userId, 'agent.revoked', id, originOf(call)),
        query.leftWaiting === 'keep' ? 'KEPT' : 'CANCEL',
      );
      if (!revoked.ok) throw notSaved(revoked.error);
      if (!revoked.value) throw notFound();
      return {};
    }),
  ];
}
