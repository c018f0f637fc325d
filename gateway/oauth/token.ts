/** `POST /token`: reads the request, looks the client up and calls the exchange of its grant type. */
import type { OAuthTokensBody } from '../contract/oauth-protocol.ts';
import type { OAuthClient } from '../domain/oauth.ts';
import { fail, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import { checkClient } from './checks/check-client.ts';
import type { CheckResource } from './checks/check-resource.ts';
import { badParameter, INVALID_CLIENT, type OAuthFailure } from './failure.ts';
import type { GrantLife } from './grant-window.ts';
import { type Parameters, readParameters } from './parameters.ts';

export interface TokenSettings extends GrantLife {
  readonly accessTokenSeconds: number;
  /** Time without a refresh after which a grant ends. */
  readonly refreshWindowSeconds: number;
}

export interface TokenRequest {
  readonly parameters: Parameters;
  readonly ip: string;
}

type Exchange = (
  request: TokenRequest,
  client: OAuthClient,
) => Promise<Result<OAuthTokensBody, OAuthFailure>>;

const UNSUPPORTED_GRANT_TYPE: OAuthFailure = {
  status: 400,
  error: 'unsupported_grant_type',
  description: 'Must be `authorization_code` or `refresh_token`',
};

export function createToken(options: {
  readonly store: OAuthStore;
  readonly redeemCode: Exchange;
  readonly refresh: Exchange;
  readonly checkResource: CheckResource;
}): (body: unknown, ip: string) => Promise<Result<OAuthTokensBody, OAuthFailure>> {
  const { store, checkResource } = options;
  const exchanges: ReadonlyMap<string, Exchange> = new Map([
    ['authorization_code', options.redeemCode],
    ['refresh_token', options.refresh],
  ]);
  return async (body, ip) => {
    const read = readParameters(body);
    if (!read.ok) return read;
    const parameters = read.value;
    const grantType = parameters.get('grant_type');
    if (grantType === '') return fail(badParameter('grant_type'));
    const exchange = exchanges.get(grantType);
    if (exchange === undefined) return fail(UNSUPPORTED_GRANT_TYPE);
    const client = await store.client(parameters.get('client_id'));
    const refused = checkClient({ parameters, client }) ?? checkResource({ parameters });
    if (refused !== null || client === null) return fail(refused ?? INVALID_CLIENT);
    return exchange({ parameters, ip }, client);
  };
}
