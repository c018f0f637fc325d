import { badParameter, invalidRequest, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { isChallenge } from '../pkce.ts';

/** PKCE is not optional, and an omitted method means `plain`, which is refused. */
export function checkChallenge({ parameters }: { readonly parameters: Parameters }): OAuthFailure | null {
  const challenge = parameters.get('code_challenge');
  if (challenge === '') return invalidRequest('requires public clients to use PKCE');
  if (parameters.get('code_challenge_method') !== 'S256') return invalidRequest('Must be `S256`');
  return isChallenge(challenge) ? null : badParameter('code_challenge');
}
