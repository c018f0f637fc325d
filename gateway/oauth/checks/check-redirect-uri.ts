import type { OAuthClient } from '../../domain/oauth.ts';
import { badParameter, INVALID_CLIENT, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** One of the client's own, to the letter: a browser is sent there. */
export function checkRedirectUri(facts: {
  readonly parameters: Parameters;
  readonly client: OAuthClient | null;
}): OAuthFailure | null {
  const redirectUri = facts.parameters.get('redirect_uri');
  if (redirectUri === '') return badParameter('redirect_uri');
  return facts.client?.redirectUris.includes(redirectUri) === true ? null : INVALID_CLIENT;
}
