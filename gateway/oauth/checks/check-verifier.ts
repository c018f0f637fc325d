import type { OAuthCode } from '../../domain/oauth.ts';
import { invalidGrant, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { matchesChallenge } from '../pkce.ts';

/** Checks the verifier before the code is claimed, so a wrong verifier does not use the code up. */
export function checkVerifier({
  code,
  parameters,
}: {
  readonly code: OAuthCode;
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return matchesChallenge(parameters.get('code_verifier'), code.codeChallenge)
    ? null
    : invalidGrant('Failed to verify code challenge.');
}
