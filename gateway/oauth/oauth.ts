/** Puts the parts of the authorization server together. */
import type { AuditTrail } from '../auth/audit.ts';
import type { Mandates } from '../auth/mandates.ts';
import type { AccessTokens } from '../auth/tokens.ts';
import type {
  DiscoveryDocument,
  OAuthClientBody,
  OAuthTokensBody,
  ProtectedResource,
} from '../contract/oauth-protocol.ts';
import type { Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import { createAuthorize } from './authorize.ts';
import { createCheckResource } from './checks/check-resource.ts';
import {
  bearerChallenge,
  discoveryDocument,
  type McpResource,
  mcpResources,
  protectedResource,
} from './discovery.ts';
import type { OAuthFailure } from './failure.ts';
import type { Grants } from './grants.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { endMisusedGrants } from './misused-grant.ts';
import { withOpenWritesInLine } from './open-writes.ts';
import { createRedeemCode } from './redeem-code.ts';
import { createRefresh } from './refresh.ts';
import { createRegister } from './register.ts';
import { createRevoke } from './revoke.ts';
import { createToken, type TokenSettings } from './token.ts';
import { createTokenAnswers } from './tokens.ts';

export interface OAuthSettings extends TokenSettings {
  /** Origin of the protocol endpoints, `http://127.0.0.1:7391`. */
  readonly issuer: string;
  /** Origin of the consent page, `http://tandem.localhost:7391`. */
  readonly consentOrigin: string;
  /** Authorities that the gateway answers on, port included: `127.0.0.1:7391`. */
  readonly ownHosts: readonly string[];
}

export interface OAuth {
  /** Discovery document, the same for every request. */
  readonly discovery: DiscoveryDocument;
  readonly resource: ProtectedResource;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge: string;
  /** The MCP endpoint by `Host`; undefined: not one of the gateway's. */
  mcpResource(host: string): McpResource | undefined;
  register(body: unknown): Promise<Result<OAuthClientBody, OAuthFailure>>;
  /** @returns address of the consent page, to which the browser is redirected */
  authorize(query: unknown): Promise<Result<string, OAuthFailure>>;
  token(body: unknown, ip: string): Promise<Result<OAuthTokensBody, OAuthFailure>>;
  revoke(body: unknown, ip: string): Promise<Result<void, OAuthFailure>>;
  readonly interactions: Interactions;
  readonly grants: Grants;
}

export function createOAuth(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  /** Grants in memory, loaded by the caller because authentication needs it too. */
  readonly grants: Grants;
  readonly tokens: AccessTokens;
  readonly audit: AuditTrail;
  readonly mandates: Pick<Mandates, 'adopt'>;
  readonly logger: Logger;
  readonly settings: OAuthSettings;
}): OAuth {
  const { settings, grants } = options;
  const mcp = mcpResources(settings.ownHosts, settings.issuer);
  const parts = {
    ...options,
    store: withOpenWritesInLine(options.store),
    endGrant: endMisusedGrants(options),
    checkResource: createCheckResource(settings.ownHosts),
    answers: createTokenAnswers(options.tokens, settings.accessTokenSeconds),
  };
  return {
    discovery: discoveryDocument(settings.issuer),
    resource: protectedResource(settings.issuer),
    challenge: bearerChallenge(settings.issuer),
    mcpResource: (host) => mcp.get(host),
    register: createRegister({ ...parts, ownHosts: settings.ownHosts }),
    authorize: createAuthorize({ ...parts, consentOrigin: settings.consentOrigin }),
    token: createToken({
      ...parts,
      redeemCode: createRedeemCode(parts),
      refresh: createRefresh(parts),
    }),
    revoke: createRevoke(parts),
    interactions: createInteractions({ ...parts, consentOrigin: settings.consentOrigin }),
    grants,
  };
}
