import { type GrantState, grantState, type OAuthGrant } from '../../domain/oauth.ts';
import type { OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

const ENDED: Partial<Readonly<Record<GrantState, string>>> = {
  REVOKED: 'Token has been revoked',
  EXPIRED: 'Token has expired',
};

/**
 * Passes when the grant is neither revoked nor past its window. Clients that name a `resource` (RFC 8707) restart by
 * themselves only after `invalid_grant`, so that is the error they get.
 */
export function checkGrantStands({
  grant,
  parameters,
  now,
}: {
  readonly grant: OAuthGrant;
  readonly parameters: Parameters;
  readonly now: number;
}): OAuthFailure | null {
  const description = ENDED[grantState(grant, now)];
  if (description === undefined) return null;
  const error = parameters.get('resource') === '' ? 'invalid_request' : 'invalid_grant';
  return { status: 400, error, description };
}
