import type { OAuthClient } from '../../domain/oauth.ts';
import { badParameter, type Check, INVALID_CLIENT, invalidRequest } from '../failure.ts';
import type { Parameters } from '../parameters.ts';
import { isChallenge } from '../pkce.ts';
import { checkScopes, SCOPES } from '../scopes.ts';
import { checkClient } from './check-client.ts';

type AuthorizeCheck = Check<{ readonly parameters: Parameters; readonly client: OAuthClient | null }>;

/** Maximum length of `state`, which is stored until the user has decided. */
const MAX_STATE_CHARS = 4_096;

/** Passes when the redirect URI is, letter for letter, one that the client registered. */
const checkRedirectUri: AuthorizeCheck = ({ parameters, client }) => {
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === '') return badParameter('redirect_uri');
  return client?.redirectUris.includes(redirectUri) === true ? null : INVALID_CLIENT;
};

/** Passes when the client is registered for the authorization code grant (RFC 6749 §4.1.2.1). */
const checkGrantType: AuthorizeCheck = ({ client }) => {
  if (client?.grantTypes.includes('authorization_code') === true) return null;
  return {
    status: 400,
    error: 'unauthorized_client',
    description: 'The client is not registered for `authorization_code`',
  };
};

const checkResponseType: AuthorizeCheck = ({ parameters }) => {
  const responseType = parameters.get('response_type');
  if (responseType === '') return badParameter('response_type');
  if (responseType === 'code') return null;
  return { status: 400, error: 'unsupported_response_type', description: 'Must be `code`' };
};

/** PKCE is mandatory. An omitted method means `plain`, which is refused. */
const checkChallenge: AuthorizeCheck = ({ parameters }) => {
  const challenge = parameters.get('code_challenge');
  if (challenge === '') return invalidRequest('requires public clients to use PKCE');
  if (parameters.get('code_challenge_method') !== 'S256') return invalidRequest('Must be `S256`');
  return isChallenge(challenge) ? null : badParameter('code_challenge');
};

/** Checks in this order. No refusal redirects: only the user's decision sends the browser to the client. */
export const AUTHORIZE_CHECKS: readonly AuthorizeCheck[] = [
  checkClient,
  checkRedirectUri,
  checkGrantType,
  checkResponseType,
  checkChallenge,
  ({ parameters }) => checkScopes(parameters.get('scope'), SCOPES),
  ({ parameters }) => (parameters.get('state').length > MAX_STATE_CHARS ? badParameter('state') : null),
];
