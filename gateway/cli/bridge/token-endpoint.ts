/** The gateway's OAuth endpoints, as a client without a secret calls them. */
import type { GatewayLine } from './gateway-line.ts';
import { Away, textOf } from './gateway-line.ts';
import { type Fields, isFields, parsed } from './messages.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly livesForMs: number;
}

/** The gateway's no: what was shown is not good any more. */
export class Refusal extends Error {}

export interface TokenEndpoint {
  /** @returns the new client's id */
  register(name: string, redirectUri: string): Promise<string>;
  redeem(
    code: string,
    made: { readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
  ): Promise<Tokens>;
  /** @param scope what the access token may do; undefined: all that the grant allows */
  refresh(clientId: string, refreshToken: string, scope?: string): Promise<Tokens>;
}

const PATIENCE_MS = 15_000;

/** All reject with Away or Refusal. */
export function tokenEndpoint(line: GatewayLine): TokenEndpoint {
  async function ask(path: string, type: string, body: string): Promise<Fields> {
    const answer = await line.post({
      path,
      headers: { 'content-type': type, accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const value = parsed(await textOf(answer));
    const status = answer.statusCode ?? 0;
    if ((status === 200 || status === 201) && isFields(value)) return value;
    // Only an OAuth error is about the token; anything else (a guard, a program that starts) is about the moment.
    if (isFields(value) && typeof value['error'] === 'string' && (status === 400 || status === 401))
      throw new Refusal(`${value['error']}: ${String(value['error_description'] ?? '')}`);
    throw new Away(`the gateway answered ${path} with status ${status}`, true);
  }

  async function tokens(parameters: Readonly<Record<string, string>>): Promise<Tokens> {
    const body = new URLSearchParams({ ...parameters, resource: `${line.origin()}/mcp` }).toString();
    const answer = await ask('/token', 'application/x-www-form-urlencoded', body);
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
    if (typeof accessToken !== 'string' || typeof refreshToken !== 'string' || typeof seconds !== 'number')
      throw new Away('the gateway gave no tokens', true);
    return { accessToken, refreshToken, livesForMs: seconds * 1_000 };
  }

  return {
    async register(name, redirectUri) {
      const metadata = {
        client_name: name,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
      const { client_id: id } = await ask('/register', 'application/json', JSON.stringify(metadata));
      if (typeof id !== 'string') throw new Away('the gateway gave no client id', true);
      return id;
    },
    redeem: (code, { clientId, redirectUri, verifier }) =>
      tokens({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
      }),
    refresh: (clientId, refreshToken, scope) =>
      tokens({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...(scope === undefined ? {} : { scope }),
      }),
  };
}
