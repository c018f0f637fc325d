/** Every promised route, called for real with every kind of credential; nothing more is served, and nothing less. */
import { expect } from 'chai';
import { loadSigningKeys } from '../../gateway/auth/signing-keys.ts';
import { createAccessTokens } from '../../gateway/auth/tokens.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { openVault } from '../../gateway/vault/open-vault.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestAnswer, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { routeName, SERVICE_SURFACE, type SurfaceRoute } from '../support/service-surface.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type Login, SurfaceCalls } from '../support/surface-calls.ts';
import { traderForSuite } from '../support/trader.ts';

/** The exact messages of the service's table of authentication failures. */
const MISSING = [401, 'Missing authorization token'] as const;
const INVALID_TOKEN = [401, 'Invalid or expired access token'] as const;
const INVALID_KEY = [401, 'Invalid API key'] as const;
const EXPIRED_KEY = [401, 'API key has expired'] as const;
const REVOKED_GRANT = [401, 'Token has been revoked'] as const;
const READ_KEY = [403, 'API key does not have write access'] as const;
const READ_GRANT = [403, 'OAuth grant does not have write access'] as const;
const FIRST_PARTY = [403, 'OAuth grant tokens cannot access first-party account endpoints'] as const;
const notPermitted = (method: string) =>
  [403, `Auth method '${method}' is not permitted on this route`] as const;

type Refusal = readonly [number, string];
const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
};

const onlySession = (method: string) => (route: SurfaceRoute) =>
  route.auth === 'B' ? notPermitted(method) : null;
const forGrant = (route: SurfaceRoute): Refusal | null => {
  if (route.firstParty) return FIRST_PARTY;
  return route.auth === 'B' || route.noGrant ? notPermitted('oauth_grant') : null;
};
const writes = (route: SurfaceRoute) => route.method !== 'GET';

/** Expected answer to each kind of credential on a route that is not public; null: let in. */
const KINDS: Readonly<Record<string, (route: SurfaceRoute) => Refusal | null>> = {
  none: () => MISSING,
  'garbage bearer': () => INVALID_TOKEN,
  'session bearer': () => null,
  'session cookie': () => null,
  'key, read_write': onlySession('api_key'),
  'key, read': (route) => onlySession('api_key')(route) ?? (writes(route) ? READ_KEY : null),
  'expired key': () => EXPIRED_KEY,
  'revoked key': () => INVALID_KEY,
  'key with a garbage bearer': onlySession('api_key'),
  'unknown key with a session bearer': () => INVALID_KEY,
  'grant that does not stand': () => REVOKED_GRANT,
  'grant with mcp:write': forGrant,
  'grant with mcp:read': (route) => forGrant(route) ?? (writes(route) ? READ_GRANT : null),
};

const isUsersPause = ({ json }: TestAnswer) => json.details?.reason === 'PAUSED_BY_USER';

interface Caller {
  readonly kind: string;
  /** null: let in. */
  readonly refusal: Refusal | null;
}

/**
 * Every kind of caller that the route refuses, and those that it lets in.
 * @param place of the route; one kind for each place in turn is let in. null: all of them
 */
function callersOf(route: SurfaceRoute, place: number | null): readonly Caller[] {
  const callers = Object.entries(KINDS).map(([kind, refuse]) => ({
    kind,
    refusal: route.auth === 'P' ? null : refuse(route),
  }));
  const letIn = callers.filter(({ refusal }) => refusal === null);
  const chosen = place === null ? letIn : letIn.slice(place % letIn.length).slice(0, 1);
  return callers.filter((caller) => caller.refusal !== null || chosen.includes(caller));
}

/** Status for a kind of caller that is admitted. */
function statusFor(route: SurfaceRoute, kind: string): number {
  const name = routeName(route);
  const isWriter = kind === 'key, read_write' || kind === 'key with a garbage bearer';
  // A key of an order is its holder's, which is the API key that writes.
  if (name === 'GET /executions/by-key' && !isWriter) return 404;
  // An agent cannot resume an order that its user has paused.
  if (kind.startsWith('grant') && /^POST \/(triggers|schedules|positions)\/.*resume$/.test(name)) return 409;
  return route.status;
}

describe('the HTTP surface', () => {
  const gateway = openForSuite(() => startTestGateway({ clock }));
  const bot = traderForSuite(gateway);
  const calls = openForSuite(() => SurfaceCalls.prepare(gateway, bot, clock));
  let credentials: Record<string, Record<string, string>>;
  /** Moved on, so that a key expires. */
  const clock = createFakeClock();

  before(async () => {
    credentials = await makeCredentials();
  });

  const ownPage = () => ({ origin: gateway.url, 'sec-fetch-site': 'same-origin' });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const sessionHeaders = (kind: string, { accessToken, cookie }: Login): Record<string, string> =>
    kind === 'session cookie' ? { cookie, ...ownPage() } : bearer(accessToken);

  async function makeKey(over: object): Promise<{ id: string; key: string }> {
    const body = { label: 'test', scope: 'read_write', ...over };
    return (await gateway.request('POST', '/api-keys', { headers: bearer(bot.accessToken), body })).json;
  }

  async function makeCredentials(): Promise<Record<string, Record<string, string>>> {
    const login = await calls.login();
    const readKey = await makeKey({ scope: 'read' });
    const revoked = await makeKey({});
    await gateway.request('DELETE', `/api-keys/${revoked.id}`, { headers: bearer(bot.accessToken) });
    const expired = await makeKey({ expiresAt: new Date(clock.now() + 60_000).toISOString() });
    clock.leap(59_000);
    // The venue's next prices: those of before are too old to trade at.
    await clock.advance(2_000);
    const userId: string = (await gateway.request('GET', '/auth/me', { headers: bearer(bot.accessToken) }))
      .json.id;
    const visitor = consentVisitor(gateway);
    const agent = oauthClient(gateway);
    const writing = await agent.connect(visitor);
    const reading = await agent.connect(visitor, ['mcp:read']);
    const key = { 'x-api-key': bot.key };
    return {
      none: {},
      'garbage bearer': bearer('garbage'),
      'session bearer': sessionHeaders('session bearer', login),
      'session cookie': sessionHeaders('session cookie', login),
      'key, read_write': key,
      'key, read': { 'x-api-key': readKey.key },
      'expired key': { 'x-api-key': expired.key },
      'revoked key': { 'x-api-key': revoked.key },
      'key with a garbage bearer': { ...key, ...bearer('garbage') },
      'unknown key with a session bearer': { 'x-api-key': 'tdm_unknown', ...bearer(login.accessToken) },
      'grant that does not stand': bearer(await signedGrant(userId)),
      'grant with mcp:write': bearer(writing.access_token),
      'grant with mcp:read': bearer(reading.access_token),
    };
  }

  /** A token signed with the gateway's own key, for a grant that nobody keeps. */
  async function signedGrant(userId: string): Promise<string> {
    const vault = await openVault({ kind: 'file', dataDir: gateway.dataDir, logger: silentLogger });
    const tokens = createAccessTokens({
      keys: await loadSigningKeys(vault),
      clock: systemClock,
      ids: createIds(systemClock),
      issuer: gateway.url,
      audience: 'tandem-gateway',
    });
    const scopes = ['mcp:read', 'mcp:write'];
    return tokens.signGrant({ userId, grantId: 'gone', clientId: 'client', scopes, lifetimeSeconds: 600 });
  }

  it('is what the description promises: the same routes, the same auth column, the same account header', async () => {
    const document = (await gateway.request('GET', '/openapi.json')).json;
    const served = Object.entries<Record<string, Json>>(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const needed = (operation.parameters ?? []).filter((one: Json) => one.required === true);
        const names = needed.map((one: Json) => one.name);
        const schemes = operation.security.flatMap((one: object) => Object.keys(one));
        return {
          name: `${method.toUpperCase()} ${path}`,
          auth: schemes.length === 0 ? 'P' : schemes.includes('apiKey') ? 'K' : 'B',
          account: names.includes('x-trade-account-id'),
        };
      }),
    );
    const promised = SERVICE_SURFACE.map((route) => ({
      name: routeName(route),
      auth: route.auth,
      account: route.account === true,
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(served.sort(byName)).to.deep.equal(promised.sort(byName));
  });

  // `POST /auth/password` ends the other sessions, so it comes last.
  const last = 'POST /auth/password';
  const sorted = SERVICE_SURFACE.toSorted(
    (a, b) => Number(routeName(a) === last) - Number(routeName(b) === last),
  );
  for (const [place, route] of sorted.entries()) {
    const name = `${routeName(route)} (${route.auth}${route.account ? ', acct' : ''})`;
    it(name, () => answersAsPromised(route, callersOf(route, place)));
    it(`${name}, whoever is let in @long`, () => answersAsPromised(route, callersOf(route, null)));
  }

  async function answersAsPromised(route: SurfaceRoute, callers: readonly Caller[]): Promise<void> {
    for (const { kind, refusal } of callers) {
      const call = await calls.call(route, refusal === null);
      const usesUp = routeName(route) === 'POST /auth/logout' && refusal === null;
      const headers: Record<string, string> = usesUp
        ? sessionHeaders(kind, await calls.login())
        : (credentials[kind] ?? {});
      const send = () => {
        const answer = gateway.request(route.method, call.path, {
          headers: { 'x-trade-account-id': bot.accountId, ...headers, ...call.headers },
          body: call.body,
        });
        // Accepted calls may wait for a venue, and refused ones never do.
        return refusal === null ? whileTimePasses(clock, answer) : answer;
      };
      let answer = await send();
      // Its last action has ended for whoever reads it, and is about to let go of the position.
      while (answer.json?.errorCode === 'RESOURCE_BUSY' && !isUsersPause(answer)) answer = await send();
      if (refusal === null) {
        expect(answer.status, `${kind}: ${answer.text.slice(0, 300)}`).to.equal(statusFor(route, kind));
        await calls.settle(answer);
        continue;
      }
      const [status, message] = refusal;
      expect(answer.status, kind).to.equal(status);
      expect(answer.json, kind).to.deep.equal({ message, error: STATUS_TEXT[status], statusCode: status });
      // RFC 9110 §11.6.1: a 401 names its scheme; a key has none.
      const metadata = `${gateway.url}/.well-known/oauth-protected-resource`;
      const challenge =
        status === 401 && headers['x-api-key'] === undefined
          ? `Bearer resource_metadata="${metadata}", scope="mcp:read mcp:write"`
          : null;
      expect(answer.headers.get('www-authenticate'), kind).to.equal(challenge);
    }
  }

  it('a route that is not promised is a 404 in the framework shape, whoever asks', async () => {
    for (const [method, path] of [
      ['GET', '/index.html'],
      ['GET', '/admin'],
      ['DELETE', '/positions'],
      ['POST', '/executions'],
      ['GET', '/trade/open'],
      ['GET', '/api-keys/018f0000-0000-7000-8000-000000000000'],
      ['GET', '/positions/lite/x'],
    ] as const) {
      const answer = await gateway.request(method, path, { headers: { 'x-api-key': bot.key } });
      expect(answer.status, `${method} ${path}`).to.equal(404);
      expect(answer.json).to.deep.equal({
        message: `Cannot ${method} ${path}`,
        error: 'Not Found',
        statusCode: 404,
      });
    }
  });
});
