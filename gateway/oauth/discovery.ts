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

/** Path of the endpoint that agents connect to. */
export const MCP_PATH = '/mcp';

/** Discovery document for an agent at one of the gateway's own MCP addresses. */
export interface McpResource {
  readonly document: ProtectedResource;
  /** @param isRefused a token was shown, and it is not valid */
  challenge(isRefused: boolean): string;
}

/**
 * By `Host`: clients compare the address that their user typed with `resource`, so each of the gateway's addresses has a
 * document. Made from the guard's list, never from a request.
 */
export function mcpResources(hosts: readonly string[], issuer: string): ReadonlyMap<string, McpResource> {
  return new Map(
    hosts.map((host) => {
      const origin = `http://${host}`;
      const where = `resource_metadata="${origin}${PROTECTED_RESOURCE_PATH}${MCP_PATH}", scope="${SCOPES.join(' ')}"`;
      const document = {
        ...protectedResource(issuer),
        resource: `${origin}${MCP_PATH}`,
        authorization_details_types_supported: ['tandem_mandate'],
      };
      const challenge = (isRefused: boolean) =>
        `Bearer ${isRefused ? 'error="invalid_token", ' : ''}${where}`;
      return [host, { document, challenge }];
    }),
  );
}

/** `WWW-Authenticate` of a 401 (RFC 9728 §5.1): leads an unconfigured client to the discovery document. */
export function bearerChallenge(issuer: string): string {
  return `Bearer resource_metadata="${issuer}${PROTECTED_RESOURCE_PATH}", scope="${SCOPES.join(' ')}"`;
}
