import { type GrantState, grantState, type OAuthGrant } from '../../domain/oauth.ts';
import { type Check, invalidRequest } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { checkScopes } from '../scopes.ts';

type RefreshCheck = Check<{
  readonly parameters: Parameters;
  readonly grant: OAuthGrant;
  readonly now: number;
}>;

const ENDED: Partial<Readonly<Record<GrantState, string>>> = {
  REVOKED: 'Token has been revoked',
  EXPIRED: 'Token has expired',
};

/** Passes when the client is the one that the grant was given to. */
const checkTokenClient: RefreshCheck = ({ grant, parameters }) =>
  grant.clientId === parameters.get('client_id') ? null : invalidRequest('Token is not linked to client');

/**
 * Passes when the grant is neither revoked nor past its window. Clients that name a `resource` (RFC 8707) restart by
 * themselves only after `invalid_grant`, so that is the error they get.
 */
export const checkGrantStands: RefreshCheck = ({ grant, parameters, now }) => {
  const description = ENDED[grantState(grant, now)];
  if (description === undefined) return null;
  const error = parameters.get('resource') === '' ? 'invalid_request' : 'invalid_grant';
  return { status: 400, error, description };
};

/** A refresh may ask for less than the grant has, never for more. */
const checkNarrowedScopes: RefreshCheck = ({ grant, parameters }) =>
  checkScopes(parameters.get('scope'), grant.scopes);

/** Checks of a refresh, in this order; the token is rotated after the last of them. */
export const REFRESH_CHECKS: readonly RefreshCheck[] = [
  checkTokenClient,
  checkGrantStands,
  checkNarrowedScopes,
];
