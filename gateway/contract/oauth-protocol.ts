/** The OAuth protocol endpoints follow their RFCs: unknown fields and parameters pass, errors have their own shape. */
import { z } from 'zod';
import { DOCS, uuid } from './common.ts';
import type { ProtocolContract } from './route.ts';

const TAG = 'OAuth';
const MAX_REDIRECT_URIS = 10;
const MAX_NAME_CHARS = 256;

export const oauthError = z
  .strictObject({
    status: z.int(),
    message: z.string().register(DOCS, { description: '`error: error_description`' }),
    error: z.string(),
    error_description: z.string(),
  })
  .register(DOCS, { id: 'OAuthError', description: 'Refusals of the OAuth protocol endpoints' });
export type OAuthErrorBody = z.infer<typeof oauthError>;

/** A field that also accepts null as absent: some clients serialise empty fields as null. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const grantType = z.enum(['authorization_code', 'refresh_token']);

export const clientMetadata = z
  .object({
    redirect_uris: z
      .array(z.string())
      .min(1)
      .max(MAX_REDIRECT_URIS)
      .register(DOCS, {
        description:
          'Each `https`, or `http` on `localhost`, `127.0.0.1` or `[::1]`; compared as the exact string',
        example: ['http://127.0.0.1:33418/callback'],
      }),
    token_endpoint_auth_method: optional(z.literal('none')),
    grant_types: optional(z.array(grantType).max(8)).register(DOCS, {
      description: 'Default both; without `refresh_token` the client gets no refresh token',
    }),
    response_types: optional(z.array(z.literal('code')).min(1).max(8)),
    client_name: optional(z.string().max(MAX_NAME_CHARS)).register(DOCS, {
      description: 'Shown on the consent page and in the list of connected agents; default the client id',
    }),
  })
  .register(DOCS, { id: 'OAuthClientMetadata' });

export const oauthClient = z
  .strictObject({
    client_id: uuid,
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(grantType),
    response_types: z.array(z.literal('code')),
    client_name: z.string().optional(),
    client_id_issued_at: z.int().register(DOCS, { description: 'Unix seconds' }),
  })
  .register(DOCS, { id: 'OAuthClient' });
export type OAuthClientBody = z.infer<typeof oauthClient>;

export const discoveryDocument = z
  .strictObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    scopes_supported: z.array(z.string()),
  })
  .register(DOCS, { id: 'AuthorizationServerMetadata', description: 'RFC 8414: exactly these ten fields' });
export type DiscoveryDocument = z.infer<typeof discoveryDocument>;

export const protectedResource = z
  .strictObject({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
    authorization_details_types_supported: z.array(z.string()).optional(),
  })
  .register(DOCS, { id: 'ProtectedResourceMetadata', description: 'RFC 9728' });
export type ProtectedResource = z.infer<typeof protectedResource>;

export const oauthTokens = z
  .strictObject({
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive().register(DOCS, { description: 'Life of the access token in seconds' }),
    access_token: z.string(),
    refresh_token: z
      .string()
      .optional()
      .register(DOCS, { description: 'Single use; absent for a client registered without `refresh_token`' }),
    scope: z.string().register(DOCS, { description: 'Space-delimited' }),
  })
  .register(DOCS, { id: 'OAuthTokens' });
export type OAuthTokensBody = z.infer<typeof oauthTokens>;

export const getDiscovery: ProtocolContract = {
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  tag: TAG,
  summary: 'Authorization server metadata',
  success: { 200: discoveryDocument },
  errors: [],
};

export const getProtectedResource: ProtocolContract = {
  method: 'GET',
  path: '/.well-known/oauth-protected-resource',
  tag: TAG,
  summary: 'Protected resource metadata',
  success: { 200: protectedResource },
  errors: [],
};

export const getMcpResource: ProtocolContract = {
  method: 'GET',
  path: '/.well-known/oauth-protected-resource/mcp',
  tag: TAG,
  summary: 'Protected resource metadata of the MCP endpoint',
  description:
    '`resource` is `/mcp` at the host that was asked, because clients compare it with the address that their user typed.',
  success: { 200: protectedResource },
  errors: [],
};

export const registerClient: ProtocolContract = {
  method: 'POST',
  path: '/register',
  tag: TAG,
  summary: 'Register a client',
  description:
    'RFC 7591, open to every program that reaches the port; clients are public and have no secret. A registration cannot be read, changed or deleted. Of more than 10,000 the oldest that nobody has connected is forgotten.',
  accepts: ['json'],
  body: clientMetadata,
  success: { 201: oauthClient },
  errors: [400],
};

export const authorize: ProtocolContract = {
  method: 'GET',
  path: '/authorize',
  tag: TAG,
  summary: 'Start a flow: the browser is sent to the consent page',
  description:
    'For a top-level navigation. Whatever is wrong is answered as JSON, never by a redirect to the client. Of more than 1,000 open requests the oldest is forgotten.',
  query: z.object({
    response_type: z.literal('code'),
    client_id: uuid,
    redirect_uri: z.string().register(DOCS, { description: 'One of the registered, to the letter' }),
    code_challenge: z.string().register(DOCS, { description: 'base64url SHA-256 of the verifier' }),
    code_challenge_method: z.literal('S256'),
    scope: z
      .string()
      .optional()
      .register(DOCS, { description: 'Space-delimited; none: a grant that cannot write' }),
    state: z
      .string()
      .max(4_096)
      .optional()
      .register(DOCS, { description: 'Opaque; comes back on the callback' }),
  }),
  success: { 302: null },
  errors: [400, 401],
};

export const exchangeToken: ProtocolContract = {
  method: 'POST',
  path: '/token',
  tag: TAG,
  summary: 'Exchange a code, or refresh',
  description:
    'A code works once and for 60 seconds; a wrong verifier does not use it up. Refreshing replaces the refresh token and moves its expiry; `scope` narrows this answer only. With `resource` (RFC 8707) a revoked or expired grant is `invalid_grant`.',
  accepts: ['form'],
  body: z.discriminatedUnion('grant_type', [
    z.object({
      grant_type: z.literal('authorization_code'),
      code: z.string(),
      redirect_uri: z.string(),
      client_id: uuid,
      code_verifier: z.string().min(43).max(128),
    }),
    z.object({
      grant_type: z.literal('refresh_token'),
      refresh_token: z.string(),
      client_id: uuid,
      scope: z.string().optional(),
    }),
  ]),
  success: { 200: oauthTokens },
  errors: [400, 401],
};

export const revokeToken: ProtocolContract = {
  method: 'POST',
  path: '/revoke',
  tag: TAG,
  summary: 'Hand back a grant',
  description:
    'RFC 7009, as JSON or form. The current refresh token ends its grant at once, the access token included, and cancels what it left waiting that could open something; anything else changes nothing and is answered alike.',
  accepts: ['json', 'form'],
  body: z.object({ token: z.string(), token_type_hint: z.string().optional() }),
  success: { 200: null },
  errors: [400],
};

/** Contracts of the OAuth protocol endpoints, in the order in which the documentation lists them. */
export const OAUTH_PROTOCOL: readonly ProtocolContract[] = [
  getDiscovery,
  getProtectedResource,
  getMcpResource,
  registerClient,
  authorize,
  exchangeToken,
  revokeToken,
];
