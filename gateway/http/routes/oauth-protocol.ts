/** The OAuth protocol endpoints: answers of the authorization server in the protocol's own shapes. */
import {
  authorize,
  exchangeToken,
  getDiscovery,
  getMcpResource,
  getProtectedResource,
  type OAuthErrorBody,
  registerClient,
  revokeToken,
} from '../../contract/oauth-protocol.ts';
import type { Result } from '../../domain/result.ts';
import { failureBody, type OAuthFailure } from '../../oauth/failure.ts';
import type { OAuth } from '../../oauth/oauth.ts';
import type { ProtocolReply, ProtocolRoute } from '../protocol.ts';

function reply<T>(result: Result<T, OAuthFailure>, success: (value: T) => ProtocolReply): ProtocolReply {
  if (result.ok) return success(result.value);
  const body: OAuthErrorBody = failureBody(result.error);
  return { status: body.status, body };
}

export function oauthProtocolRoutes(oauth: OAuth): readonly ProtocolRoute[] {
  return [
    {
      contract: getDiscovery,
      handle: () => ({ status: 200, headers: { 'cache-control': 'no-cache' }, body: oauth.discovery }),
    },
    {
      contract: getProtectedResource,
      handle: () => ({ status: 200, headers: { 'cache-control': 'no-cache' }, body: oauth.resource }),
    },
    {
      contract: getMcpResource,
      handle({ headers }) {
        const resource = oauth.mcpResource(headers.host ?? '');
        if (resource === undefined) throw new Error('the guard lets no other host pass');
        return { status: 200, headers: { 'cache-control': 'no-cache' }, body: resource.document };
      },
    },
    {
      contract: registerClient,
      handle: async ({ body }) =>
        reply(await oauth.register(body), (client) => ({ status: 201, body: client })),
    },
    {
      contract: authorize,
      handle: async ({ query }) =>
        reply(await oauth.authorize(query), (location) => ({ status: 302, headers: { location } })),
    },
    {
      contract: exchangeToken,
      handle: async ({ body, ip }) =>
        reply(await oauth.token(body, ip), (tokens) => ({
          status: 200,
          headers: { pragma: 'no-cache' },
          body: tokens,
        })),
    },
    {
      contract: revokeToken,
      handle: async ({ body, ip }) => reply(await oauth.revoke(body, ip), () => ({ status: 200 })),
    },
  ];
}
