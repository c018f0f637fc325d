import type { OAuthCode } from '../../domain/oauth.ts';
import { invalidRequest, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';

/** Passes when the redirect URI is, letter for letter, the one of `/authorize`. */
export function checkSameRedirectUri({
  code,
  parameters,
}: {
  readonly code: OAuthCode;
  readonly parameters: Parameters;
}): OAuthFailure | null {
  return code.redirectUri === parameters.get('redirect_uri') ? null : invalidRequest('Invalid redirect URI');
}
