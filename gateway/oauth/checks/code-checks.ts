import { CODE_TRANSITIONS, codeState, type OAuthCode } from '../../domain/oauth.ts';
import { transition } from '../../domain/transition.ts';
import { badParameter, type Check, invalidGrant, invalidRequest } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { isVerifier, matchesChallenge } from '../pkce.ts';
import { INVALID_CODE } from '../refusals.ts';

interface Exchanged {
  readonly parameters: Parameters;
  readonly code: OAuthCode;
  readonly now: number;
}

/** Check of a code exchange that is made before the code is looked up. */
export const checkCodeRequest: Check<Pick<Exchanged, 'parameters'>> = ({ parameters }) => {
  for (const name of ['redirect_uri', 'code', 'code_verifier']) {
    if (parameters.get(name) === '') return badParameter(name);
  }
  return isVerifier(parameters.get('code_verifier'))
    ? null
    : invalidRequest('Code verifier must follow the specifications of RFC-7636');
};

/** Passes when the code is neither expired nor redeemed. */
const checkCodeIsLive: Check<Exchanged> = ({ code, now }) =>
  transition(CODE_TRANSITIONS, codeState(code, now), 'redeem').ok ? null : INVALID_CODE;

/** A code of another client is refused like a code that does not exist. */
const checkCodeClient: Check<Exchanged> = ({ code, parameters }) =>
  code.clientId === parameters.get('client_id') ? null : INVALID_CODE;

/** Passes when the redirect URI is, letter for letter, the one of `/authorize`. */
const checkSameRedirectUri: Check<Exchanged> = ({ code, parameters }) =>
  code.redirectUri === parameters.get('redirect_uri') ? null : invalidRequest('Invalid redirect URI');

/** Checks the verifier before the code is claimed, so a wrong verifier does not use the code up. */
export const checkVerifier: Check<Omit<Exchanged, 'now'>> = ({ code, parameters }) =>
  matchesChallenge(parameters.get('code_verifier'), code.codeChallenge)
    ? null
    : invalidGrant('Failed to verify code challenge.');

/** Checks of the request against the code, in this order; the code is claimed after the last of them. */
export const CODE_CHECKS: readonly Check<Exchanged>[] = [
  checkCodeIsLive,
  checkCodeClient,
  checkSameRedirectUri,
  checkVerifier,
];
