import type { OAuthClient } from '../../domain/oauth.ts';
import { badParameter, INVALID_CLIENT, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** Passes when the redirect URI is, letter for letter, one that the client registered. */
export function checkRedirectUri(facts: {
  readonly parameters: Parameters;
  readonly client: OAuthClient | null;
}): OAuthFailure | null {
  const redirectUri = facts.parameters.get('redirect_uri');
  if (redirectUri === '') return badParameter('redirect_uri');
  return facts.client?.redirectUris.includes(redirectUri) === true ? null : INVALID_CLIENT;
}
