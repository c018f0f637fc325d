/**
 * Everything that may ask in one user's name: two keys, a session and an agent. What each of them asks for is placed by it,
 * whatever dies in between.
 */
import { consentVisitor } from '../../support/consent-visitor.ts';
import { type GatewayClient, PASSWORD } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { oauthClient } from '../../support/oauth-client.ts';
import { KEY_LABEL, type Trader } from '../../support/trader.ts';

const SECOND_KEY = 'second';
const AGENT = 'Test agent';
/** Tokens live a quarter of an hour. */
const RENEWED_AFTER_MS = 300_000;

export interface Asker {
  readonly kind: 'api_key' | 'session' | 'oauth_grant';
  /** As the user is told it. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Askers {
  readonly all: readonly Asker[];
  named(name: string): Asker;
  /** Signs in and refreshes again, where that was long ago. To be called while nobody kills the gateway. */
  renew(gateway: Reached): Promise<void>;
}

interface Reached {
  readonly client: Pick<GatewayClient, 'request'>;
  readonly port: number;
}

/** Makes the second key, signs in and connects the agent. */
export async function askersOf(
  gateway: Reached,
  { key, accessToken }: Pick<Trader, 'key' | 'accessToken'>,
  email: string,
): Promise<Askers> {
  const serverOf = ({ client, port }: Reached) => ({
    request: client.request,
    url: `http://127.0.0.1:${port}`,
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function call(at: Reached, path: string, body: object, token?: string): Promise<Json> {
    const headers = token === undefined ? {} : bearer(token);
    const { status, json, text } = await at.client.request('POST', path, { body, headers });
    if (status !== 200 && status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return json;
  }

  const signIn = async (at: Reached): Promise<string> =>
    (await call(at, '/auth/login', { method: 'email', email, password: PASSWORD })).accessToken;
  const visitor = consentVisitor({ port: gateway.port }, { email });
  let granted: Json = await oauthClient(serverOf(gateway)).connect(visitor);
  let session = await signIn(gateway);
  let renewedAt = performance.now();
  const second: string = (
    await call(gateway, '/api-keys', { label: SECOND_KEY, scope: 'read_write' }, accessToken)
  ).key;

  const all: readonly Asker[] = [
    { kind: 'api_key', name: KEY_LABEL, headers: { 'x-api-key': key } },
    { kind: 'api_key', name: SECOND_KEY, headers: { 'x-api-key': second } },
    {
      kind: 'session',
      name: 'you',
      get headers() {
        return bearer(session);
      },
    },
    {
      kind: 'oauth_grant',
      name: AGENT,
      get headers() {
        return bearer(granted.access_token);
      },
    },
  ];
  return {
    all,
    named(name) {
      const found = all.find((asker) => asker.name === name);
      if (found === undefined) throw new Error(`nobody is called ${name}`);
      return found;
    },
    async renew(at) {
      if (performance.now() - renewedAt < RENEWED_AFTER_MS) return;
      renewedAt = performance.now();
      session = await signIn(at);
      const { clientId, refresh_token: token } = granted;
      const answer = await oauthClient(serverOf(at)).refresh(clientId, token);
      if (answer.status !== 200) throw new Error(`refresh: ${answer.status} ${answer.text}`);
      granted = { ...answer.json, clientId };
    },
  };
}
