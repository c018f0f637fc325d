import type { OAuthClient } from '../../domain/oauth.ts';
import type { OAuthFailure } from '../failure.ts';

/** Passes when the client is registered for the authorization code grant (RFC 6749 §4.1.2.1). */
export function checkGrantType({ client }: { readonly client: OAuthClient | null }): OAuthFailure | null {
  if (client?.grantTypes.includes('authorization_code') === true) return null;
  return {
    status: 400,
    error: 'unauthorized_client',
    description: 'The client is not registered for `authorization_code`',
  };
}
