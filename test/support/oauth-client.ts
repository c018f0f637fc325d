/** A third-party client in its plainest form: the requests of the protocol, each sent as a test wants it. */
import { createHash, randomBytes } from 'node:crypto';
import type { ConsentVisitor } from './consent-visitor.ts';
import type { GatewayClient, TestAnswer } from './gateway-client.ts';
import type { Json } from './json.ts';

export const REDIRECT_URI = 'http://127.0.0.1:9201/callback';
export const READ_WRITE = ['mcp:read', 'mcp:write'] as const;

type Sent = Readonly<Record<string, string>>;

/** A code and what its redemption needs. */
export interface Authorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly code: string;
  readonly verifier: string;
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Server = Pick<GatewayClient, 'request'> & { readonly url: string };

export function oauthClient(gateway: Server) {
  const form = (path: string, parameters: Sent): Promise<TestAnswer> =>
    gateway.request('POST', path, { headers: FORM, body: new URLSearchParams(parameters).toString() });

  async function register(metadata: object = {}): Promise<string> {
    const body = { redirect_uris: [REDIRECT_URI], client_name: 'Test agent', ...metadata };
    const answer = await gateway.request('POST', '/register', { body });
    if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.text}`);
    return answer.json.client_id;
  }

  /** Path and query of a good request; `over` replaces parameters. */
  function authorizePath(clientId: string, challenge: string, over: Sent = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: READ_WRITE.join(' '),
      state: 'a state',
      ...over,
    });
    return `/authorize?${query}`;
  }

  /** A new client (unless one is named) and a code that `visitor` has allowed with `scopes`. */
  async function authorize(
    visitor: ConsentVisitor,
    scopes: readonly string[] = READ_WRITE,
    over: {
      readonly clientId?: string;
      readonly redirectUri?: string;
      /** Fields that the page sends besides the scopes. */
      readonly consent?: object;
      readonly parameters?: Sent;
    } = {},
  ): Promise<Authorization> {
    const redirectUri = over.redirectUri ?? REDIRECT_URI;
    const clientId = over.clientId ?? (await register({ redirect_uris: [redirectUri] }));
    const { verifier, challenge } = newPkce();
    const path = authorizePath(clientId, challenge, { redirect_uri: redirectUri, ...over.parameters });
    const callback = await visitor.allow(`${gateway.url}${path}`, scopes, over.consent);
    const code = callback.searchParams.get('code');
    if (code === null) throw new Error(`no code in ${callback.href}`);
    return { clientId, redirectUri, code, verifier };
  }

  const redeem = (
    { clientId, redirectUri, code, verifier }: Authorization,
    over: Sent = {},
  ): Promise<TestAnswer> =>
    form('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifier,
      ...over,
    });

  return {
    form,
    register,
    authorizePath,
    authorize,
    redeem,
    refresh: (clientId: string, refreshToken: string, over: Sent = {}) =>
      form('/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        ...over,
      }),
    revoke: (token: string) => form('/revoke', { token }),
    /** The whole way. @returns the answer of `/token` with the client's id */
    async connect(
      visitor: ConsentVisitor,
      scopes: readonly string[] = READ_WRITE,
      over: Parameters<typeof authorize>[2] = {},
    ): Promise<Json> {
      const authorization = await authorize(visitor, scopes, over);
      const answer = await redeem(authorization);
      if (answer.status !== 200) throw new Error(`token: ${answer.status} ${answer.text}`);
      return { ...answer.json, clientId: authorization.clientId };
    },
  };
}
