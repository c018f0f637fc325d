/**
 * Ends grants whose refresh token or code is used a second time. Two parties then hold a secret that only one was
 * given, and the gateway cannot tell the agent from the other: the grant ends for both, and the agent asks its user
 * again.
 */
import type { AuditTrail } from '../auth/audit.ts';
import type { OAuthGrant } from '../domain/oauth.ts';
import type { Logger } from '../engine/ports/system.ts';
import type { Grants } from './grants.ts';

export type Misuse = 'token_reused' | 'code_replayed';

/** Resolves when the grant has ended, or is refused as `unavailable` because its end could not be written. */
export type EndMisusedGrant = (grant: OAuthGrant, why: Misuse, ip: string) => Promise<void>;

export function endMisusedGrants(options: {
  readonly grants: Pick<Grants, 'revoke'>;
  readonly audit: AuditTrail;
  readonly logger: Pick<Logger, 'warn'>;
}): EndMisusedGrant {
  const { grants, audit, logger } = options;
  return async (grant, why, ip) => {
    const origin = { method: 'oauth_client', client: grant.clientId, ip } as const;
    const ended = await grants.revoke(grant.id, audit.entry(grant.userId, `agent.${why}`, grant.id, origin));
    if (ended.ok && ended.value)
      logger.warn({ grantId: grant.id, why }, 'A grant ended: its secrets were used twice');
  };
}
