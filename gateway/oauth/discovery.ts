/** The two discovery documents of OAuth. Made once from the settings, never from a request's Host. */
import type { DiscoveryDocument, ProtectedResource } from '../contract/oauth-protocol.ts';
import { SCOPES } from './scopes.ts';

export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';

export function discoveryDocument(issuer: string): DiscoveryDocument {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: [...SCOPES],
  };
}

export function protectedResource(issuer: string): ProtectedResource {
  return {
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: 'Tandem',
  };
}

/** `WWW-Authenticate` of a 401 (RFC 9728 §5.1): leads an unconfigured client to the discovery document. */
export function bearerChallenge(issuer: string): string {
  return `Bearer resource_metadata="${issuer}${PROTECTED_RESOURCE_PATH}", scope="${SCOPES.join(' ')}"`;
}
