import type { OAuthGrant } from '../../domain/oauth.ts';
import { invalidRequest, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** Passes when the client is the one that the grant was given to. */
export function checkTokenClient({
  grant,
  parameters,
}: {
  readonly grant: OAuthGrant;
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return grant.clientId === parameters.get('client_id')
    ? null
    : invalidRequest('Token is not linked to client');
}
