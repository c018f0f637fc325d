import type { OAuthGrant } from '../../domain/oauth.ts';
import type { OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { checkScopes } from '../scopes.ts';

/** A refresh may ask for less than the grant has, never for more. */
export function checkNarrowedScopes({
  grant,
  parameters,
}: {
  readonly grant: OAuthGrant;
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return checkScopes(parameters.get('scope'), grant.scopes);
}
