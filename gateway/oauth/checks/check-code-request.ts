import { badParameter, invalidRequest, type OAuthFailure } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { isVerifier } from '../pkce.ts';

/** Checks of a code exchange that need no look-up of the code. */
export function checkCodeRequest({ parameters }: { readonly parameters: Parameters }): OAuthFailure | null {
  for (const name of ['redirect_uri', 'code', 'code_verifier']) {
    if (parameters.get(name) === '') return badParameter(name);
  }
  return isVerifier(parameters.get('code_verifier'))
    ? null
    : invalidRequest('Code verifier must follow the specifications of RFC-7636');
}
