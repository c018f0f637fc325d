/** Audit log: the security-relevant actions on a user's credentials. */
import { z } from 'zod';
import { AUDIT_METHODS } from '../domain/enumerations.ts';
import { DOCS, isoTime, uuid } from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { route } from './route.ts';

export const auditEntry = z
  .strictObject({
    id: uuid,
    action: z.enum([
      'user.registered',
      'session.opened',
      'session.refused',
      'session.ended',
      'password.changed',
      'api_key.created',
      'api_key.revoked',
      'credentials.stored',
      'credentials.read',
      'credentials.removed',
      'account.armed',
      'account.disarmed',
      'venue_key.created',
      'venue_key.registered',
      'venue_token.created',
      'integrator.approved',
      'withdrawal.submitted',
      'account_tier.changed',
      'approval.requested',
      'approval.approved',
      'approval.denied',
      'approval.expired',
      'approval.withdrawn',
      'agent.approved',
      'agent.denied',
      'agent.connected',
      'agent.revoked',
      'agent.token_reused',
      'agent.code_replayed',
      'agent.suspended',
      'agent.resumed',
      'agent.order.placed',
      'mandate.changed',
      'house_limits.changed',
      'destination.created',
      'destination.changed',
      'destination.secret_rotated',
      'destination.removed',
      'protection.loosened',
      'trading.paused',
      'trading.resumed',
      'trading.panic',
    ]),
    subjectId: z.string().nullable().register(DOCS, {
      description:
        'What it was about: user, session, API key, trade account, OAuth grant, approval, webhook or notification channel; of `agent.order.placed` the execution, what waits, or the position',
    }),
    method: z.enum(AUDIT_METHODS).register(DOCS, {
      description:
        'How the caller was known; `link`: the sign-in link of the start; `gateway`: Tandem itself',
    }),
    client: z.string().nullable().register(DOCS, {
      description: 'User agent; for `api_key` the id of the key, for OAuth the id of the client',
    }),
    ip: z.string().nullable(),
    says: z.string().nullable().register(DOCS, {
      description: "Why, in the words of the agent or program: a stranger's text; null: none was given",
    }),
    at: isoTime,
  })
  .register(DOCS, { id: 'AuditEntry' });

export const listAuditLog = route({
  method: 'GET',
  path: '/audit-log',
  auth: 'B',
  tag: 'Authentication',
  summary: "The user's security-relevant actions, newest first",
  description:
    'Sign-ins, the making and revoking of keys, the storing and reading of venue credentials, live accounts armed and disarmed, agents connected, limited, suspended and revoked, what an agent or program placed with a reason, orders that wait for you asked about and decided, protection that agents took away, webhooks and notification channels made, changed and removed, trading paused, resumed and closed in a panic. A wrong password is there as `session.refused`, at most once a minute. Kept 365 days.',
  query: z.object(pageQuery(200, 50)),
  success: { 200: z.strictObject({ auditEntries: z.array(auditEntry), nextCursor }) },
});
