/** Makes a good call of each route of the surface, with what it needs (a position to close, a session to end) made before. */
import { type ConsentVisitor, consentVisitor } from './consent-visitor.ts';
import { dashboardAssetName } from './dashboard.ts';
import type { FakeClock } from './fake-clock.ts';
import type { TestGateway } from './gateway.ts';
import { PASSWORD, type TestAnswer } from './gateway-client.ts';
import { newPkce, oauthClient, REDIRECT_URI } from './oauth-client.ts';
import { RestingCalls } from './resting-calls.ts';
import type { SurfaceRoute } from './service-surface.ts';
import { routeName } from './service-surface.ts';
import { smallMandate } from './small-mandate.ts';
import { PAIR, type Trader, usd } from './trader.ts';

export interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** `name=value`. */
  readonly cookie: string;
}

export interface SurfaceCall {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const EMAIL = 'ada@example.test';
const OTHER_EMAIL = 'bob@example.test';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const SURFACE_KEY = 'surface';
const WALLET = '0xA0Cf798816D4b9b9866b5330EEa46a18382f251e';
/** Nobody listens there. */
const HOOK = { url: 'http://127.0.0.1:9/hook', events: ['execution.failed'] };
const CHANNEL = { to: { service: 'NTFY', server: 'http://127.0.0.1:9', topic: 'tandem' }, kinds: ['FAILED'] };
const SAVED_LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY', weight: 0.5 },
  { symbol: 'ETH-PERP', side: 'SELL', weight: 0.5 },
];
const OUTSIDE_ORDER = { symbol: 'BTC-PERP', side: 'BUY', usd: '100' };
const SIGNER = { accountIndex: 1, apiKeyIndex: 4 };
const SIGNED = { txInfo: 'opaque', signature: `0x${'0'.repeat(130)}` };
/** Bodies of `POST /misc/exchange/…`. */
const EXCHANGE_BODIES: Readonly<Record<string, object>> = {
  'create-api-key': { walletAddress: WALLET },
  'change-pub-key': SIGNED,
  'prepare-approve-integrator': SIGNER,
  'submit-approve-integrator': SIGNED,
  'create-auth-token': SIGNER,
  'prepare-fast-withdraw': { ...SIGNER, amount: '10' },
  'submit-fast-withdraw': { ...SIGNED, toAddress: WALLET },
  'change-account-tier': { ...SIGNER, tier: 'plus' },
  uda: { walletAddress: WALLET },
};
const NOBODY = '018f0000-0000-7000-8000-000000000000';

export class SurfaceCalls {
  readonly #gateway: TestGateway;
  readonly #bot: Trader;
  readonly #positionId: string;
  readonly #executionId: string;
  /** An account without positions. */
  readonly #spareId: string;
  /** An account that is traded outside the gateway only. */
  readonly #outsideId: string;
  readonly #clock: FakeClock;
  readonly #visitor: ConsentVisitor;
  readonly #oauth: ReturnType<typeof oauthClient>;
  readonly #resting: RestingCalls;
  #refreshToken: string;
  #made = 0;

  private constructor(
    gateway: TestGateway,
    bot: Trader,
    clock: FakeClock,
    standing: {
      positionId: string;
      executionId: string;
      spareId: string;
      outsideId: string;
      refreshToken: string;
    },
  ) {
    this.#clock = clock;
    this.#outsideId = standing.outsideId;
    this.#gateway = gateway;
    this.#bot = bot;
    this.#positionId = standing.positionId;
    this.#executionId = standing.executionId;
    this.#spareId = standing.spareId;
    this.#refreshToken = standing.refreshToken;
    this.#visitor = consentVisitor(gateway, { email: EMAIL });
    this.#oauth = oauthClient(gateway);
    this.#resting = new RestingCalls(gateway, bot);
  }

  /**
   * @param bot the user `ada@example.test`
   * @param clock the gateway's
   */
  static async prepare(gateway: TestGateway, bot: Trader, clock: FakeClock): Promise<SurfaceCalls> {
    const keyed = { 'idempotency-key': SURFACE_KEY };
    const opened = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, keyed);
    const execution = await bot.ended(opened.json.execution.id);
    const spare = await bot.call('POST', '/trade-accounts', { alias: 'Spare', connector: 'paper' });
    const outside = await bot.call('POST', '/trade-accounts', { alias: 'Outside', connector: 'paper' });
    const other = await gateway.register(OTHER_EMAIL);
    return new SurfaceCalls(gateway, bot, clock, {
      outsideId: outside.json.id,
      positionId: execution.positionId,
      executionId: execution.id,
      spareId: spare.json.id,
      refreshToken: other.refreshToken,
    });
  }

  async login(): Promise<Login> {
    const body = { method: 'email', email: EMAIL, password: PASSWORD };
    const { json, headers } = await this.#gateway.request('POST', '/auth/login', { body });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    return { accessToken: json.accessToken, refreshToken: json.refreshToken, cookie };
  }

  /** @param admitted the call will be let in, so what it uses up must be there */
  async call(route: SurfaceRoute, admitted: boolean): Promise<SurfaceCall> {
    this.#made += 1;
    const { path } = route;
    const waiting = await this.#resting.call(route, admitted);
    if (waiting !== null) return waiting;
    const withId = (id: string) => path.replace('{id}', id);
    switch (routeName(route)) {
      case 'GET /docs/{asset}':
        return { path: '/docs/swagger-ui.css' };
      case 'POST /auth/register':
        return { path, body: { email: `user-${this.#made}@example.test`, password: PASSWORD } };
      case 'POST /auth/login':
        return { path, body: { method: 'email', email: EMAIL, password: PASSWORD } };
      case 'POST /auth/nonce':
        return { path, body: { address: WALLET } };
      case 'POST /auth/session/refresh':
        return { path, body: { refreshToken: this.#refreshToken } };
      case 'DELETE /auth/sessions/{id}':
        return { path: withId(admitted ? await this.#anotherSession() : NOBODY) };
      case 'POST /auth/password':
        return { path, body: { current: PASSWORD, next: PASSWORD } };
      case 'POST /api-keys':
        return { path, body: { label: `key ${this.#made}`, scope: 'read' } };
      case 'DELETE /api-keys/{id}':
        return { path: withId(admitted ? await this.#anotherKey() : NOBODY) };
      case 'POST /trade-accounts':
        return { path, body: { alias: `Account ${this.#made}`, connector: 'paper' } };
      case 'GET /trade-accounts/{id}':
        return { path: withId(this.#bot.accountId) };
      case 'PATCH /trade-accounts/{id}':
        return { path: withId(this.#spareId), body: { alias: `Renamed ${this.#made}` } };
      case 'DELETE /trade-accounts/{id}':
        return { path: withId(admitted ? await this.#anotherAccount() : NOBODY) };
      case 'PUT /trade-accounts/{id}/credentials':
        return { path: withId(this.#spareId), body: { apiKey: 'venue-key', apiSecret: 'venue-secret' } };
      case 'POST /trade-accounts/{id}/credentials':
      case 'DELETE /trade-accounts/{id}/credentials':
      case 'POST /trade-accounts/{id}/paper/reset':
      case 'GET /trade-accounts/{id}/paper/faults':
      case 'DELETE /trade-accounts/{id}/paper/faults':
      case 'GET /trade-accounts/{id}/arming':
      case 'DELETE /trade-accounts/{id}/arming':
        return { path: withId(this.#spareId) };
      case 'POST /trade-accounts/{id}/paper/faults':
        return { path: withId(this.#spareId), body: { kind: 'REJECT', symbol: 'DOGE-PERP', seconds: 1 } };
      case 'DELETE /trade-accounts/{id}/paper/faults/{faultId}':
        return { path: withId(this.#spareId).replace('{faultId}', NOBODY) };
      case 'PUT /trade-accounts/{id}/arming':
        return { path: withId(this.#spareId), body: { alias: 'Spare', perOrderUsd: '100', totalUsd: '500' } };
      case 'GET /approvals/{id}':
      case 'POST /approvals/{id}/deny':
      case 'GET /approvals/mine/{id}':
      case 'DELETE /approvals/mine/{id}':
        return { path: withId(NOBODY) };
      case 'POST /approvals/{id}/approve':
        return { path: withId(NOBODY), body: { planHash: '0'.repeat(64) } };
      case 'POST /connectors/{id}/wallet-approvals':
        return { path: withId('paper'), body: { address: WALLET, chainId: 1 } };
      case 'POST /connectors/{id}/wallet-approvals/{approvalId}':
        return {
          path: withId('paper').replace('{approvalId}', NOBODY),
          body: { signature: `0x${'0'.repeat(130)}` },
        };
      case 'DELETE /connectors/{id}/wallet-approvals/{approvalId}':
        return { path: withId('paper').replace('{approvalId}', NOBODY) };
      case 'POST /connectors/{id}/check':
        return { path: withId('paper'), body: {} };
      case 'GET /connectors/{id}/check':
        return { path: withId('paper') };
      case 'GET /webhooks/{id}':
      case 'GET /webhooks/{id}/deliveries':
      case 'POST /webhooks/{id}/test':
        return { path: withId(await this.#destination('webhooks', HOOK)) };
      case 'PATCH /webhooks/{id}':
        return { path: withId(await this.#destination('webhooks', HOOK)), body: { name: 'Hook' } };
      case 'POST /webhooks/{id}/rotate-secret':
        return { path: withId(await this.#destination('webhooks', HOOK)), body: {} };
      case 'DELETE /webhooks/{id}':
      case 'DELETE /notification-channels/{id}':
        return { path: withId(NOBODY) };
      case 'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver':
        return {
          path: withId(await this.#destination('webhooks', HOOK)).replace('{deliveryId}', NOBODY),
        };
      case 'POST /webhooks':
        await this.#removeDestinations('webhooks');
        return { path, body: HOOK };
      case 'POST /notification-channels':
        await this.#removeDestinations('notification-channels');
        return { path, body: CHANNEL };
      case 'GET /notification-channels/{id}/deliveries':
      case 'POST /notification-channels/{id}/test':
        return { path: withId(await this.#destination('notification-channels', CHANNEL)) };
      case 'PATCH /notification-channels/{id}':
        return {
          path: withId(await this.#destination('notification-channels', CHANNEL)),
          body: { name: 'Phone' },
        };
      case 'GET /prices':
      case 'GET /funding':
      case 'GET /feeds':
      case 'GET /instruments':
      case 'GET /instruments/lite':
      case 'GET /instruments/symbol-to-id-map':
      case 'GET /markets':
      case 'GET /markets/baskets':
      case 'GET /analytics/screener':
        return { path: `${path}?connector=paper` };
      case 'GET /candles':
        return { path: `${path}?connector=paper&symbol=BTC-PERP&interval=1h` };
      case 'GET /candles/basket':
        return { path: `${path}?connector=paper&long=BTC-PERP&short=ETH-PERP&interval=1h` };
      case 'GET /analytics/pair':
      case 'GET /analytics/pair/summary':
      case 'GET /analytics/weights':
      case 'GET /analytics/funding':
        return { path: `${path}?connector=paper&long=BTC-PERP&short=ETH-PERP` };
      case 'GET /fills/{positionId}':
        return { path: path.replace('{positionId}', this.#positionId) };
      case 'POST /markets/baskets/positions':
        return { path, body: { basketKeys: ['0'.repeat(64)] } };
      case 'GET /books':
        return { path: `${path}?connector=paper&symbols=BTC-PERP,ETH-PERP` };
      case 'GET /fee':
        return { path: `${path}?connector=paper&notional=100` };
      case 'POST /integrations':
        return { path, body: { clientId: `bot-${this.#made}`, name: 'Bot' } };
      case 'PATCH /integrations/{id}':
        return { path: withId(admitted ? await this.#integration() : NOBODY), body: { status: 'ACTIVE' } };
      case 'POST /saved-baskets':
        return { path, body: { name: `Basket ${this.#made}`, legs: SAVED_LEGS } };
      case 'PATCH /saved-baskets/{id}':
        return {
          path: withId(admitted ? await this.#anotherSavedBasket() : NOBODY),
          body: { legs: SAVED_LEGS },
        };
      case 'DELETE /saved-baskets/{id}':
        return { path: withId(admitted ? await this.#anotherSavedBasket() : NOBODY) };
      case 'POST /trade-accounts/{id}/paper/outside-order':
        return { path: withId(this.#outsideId), body: OUTSIDE_ORDER };
      case 'POST /sync/positions/plan':
      case 'POST /sync/positions': {
        const { symbol, side } = OUTSIDE_ORDER;
        const headers = admitted ? await this.#oldOutsideFill() : undefined;
        return { path, body: { legs: [{ symbol, side }] }, ...(headers === undefined ? {} : { headers }) };
      }
      case 'PUT /leverage':
        return { path, body: { symbol: 'LINK-PERP', leverage: 3, marginMode: 'cross' } };
      case 'POST /trade/open':
        return { path, body: { type: 'MARKET', legs: [usd('SOL', 'BUY', '100')] } };
      case 'GET /executions/by-key':
        return { path: `${path}?key=${SURFACE_KEY}` };
      case 'GET /executions/{id}':
        return { path: withId(this.#executionId) };
      case 'POST /positions/{id}/adjust/plan':
        return { path: withId(this.#positionId), body: { intent: 'INCREASE', usd: '100' } };
      case 'POST /positions/close-all/plan':
        return { path, body: {} };
      case 'POST /positions/{id}/close/plan':
      case 'POST /positions/{id}/reverse/plan':
        return { path: withId(this.#positionId), body: {} };
      case 'GET /positions/{id}':
        return { path: withId(this.#positionId) };
      case 'POST /positions/{id}/close':
        return {
          path: withId(admitted ? await this.#anotherPosition() : this.#positionId),
          body: { type: 'MARKET' },
        };
      case 'POST /positions/{id}/adjust':
        return {
          path: withId(admitted ? await this.#anotherPosition() : this.#positionId),
          body: { intent: 'INCREASE', usd: '100' },
        };
      case 'POST /register':
        return { path, body: { redirect_uris: [REDIRECT_URI] } };
      case 'GET /authorize':
        return { path: (await this.#authorizeUrl()).replace(this.#gateway.url, '') };
      case 'POST /token': {
        const { clientId, redirectUri, code, verifier } = await this.#oauth.authorize(this.#visitor);
        const form = new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: clientId,
          code_verifier: verifier,
        });
        return { path, headers: FORM, body: form.toString() };
      }
      case 'POST /revoke':
        return { path, body: { token: (await this.#oauth.connect(this.#visitor)).refresh_token } };
      case 'GET /app/{screen}':
      case 'GET /app/{screen}/{part}':
      case 'GET /app/{screen}/{part}/{detail}':
        return { path: path.replace(/\{(\w+)\}/g, '$1') };
      case 'GET /app/assets/{asset}':
        return { path: `/app/assets/${await dashboardAssetName()}` };
      case 'POST /auth/link': {
        const link = new URL(this.#gateway.gateway.signInLink());
        const headers = { origin: link.origin, 'sec-fetch-site': 'same-origin' };
        return { path, headers, body: { ticket: link.hash.slice(1) } };
      }
      case 'GET /consent/assets/{asset}':
        return { path: '/consent/assets/consent.css' };
      case 'GET /consent/{uid}':
      case 'GET /interaction/{uid}':
        return { path: path.replace('{uid}', await this.#visitor.open(await this.#authorizeUrl())) };
      case 'POST /interaction/{uid}/login':
        return {
          path: path.replace('{uid}', await this.#visitor.open(await this.#authorizeUrl())),
          body: { method: 'email', email: EMAIL, password: PASSWORD },
        };
      case 'POST /interaction/{uid}/confirm':
        return {
          path: path.replace('{uid}', admitted ? await this.#signedInInteraction() : 'nobody'),
          body: { scopes: ['mcp:read'] },
        };
      case 'GET /interaction/{uid}/terms':
      case 'POST /interaction/{uid}/abort':
        return { path: path.replace('{uid}', admitted ? await this.#signedInInteraction() : 'nobody') };
      case 'POST /interaction/{uid}/terms':
        return {
          path: path.replace('{uid}', admitted ? await this.#signedInInteraction() : 'nobody'),
          body: { mandate: smallMandate(this.#bot.accountId) },
        };
      case 'PUT /agents/{id}/mandate':
        return {
          path: withId(admitted ? await this.#limitedKey() : NOBODY),
          body: { mandate: smallMandate(this.#bot.accountId), ifVersion: admitted ? 1 : 0 },
        };
      case 'GET /agents/{id}/refused':
      case 'POST /agents/{id}/suspend':
        return { path: withId(admitted ? await this.#limitedKey() : NOBODY) };
      case 'POST /agents/{id}/resume': {
        const id = admitted ? await this.#limitedKey() : NOBODY;
        if (admitted) await this.#asUser('POST', `/agents/${id}/suspend`);
        return { path: withId(id) };
      }
      case 'PUT /agents/limits': {
        const { version, limits } = (await this.#asUser('GET', '/agents/limits')).json;
        return { path, body: { limits, ifVersion: version } };
      }
      case 'GET /oauth2/grants/{id}/waiting':
      case 'DELETE /oauth2/grants/{id}':
        return { path: withId(admitted ? await this.#anotherGrant() : NOBODY) };
      case 'GET /misc/exchange/uda/{walletAddress}':
        return { path: path.replace('{walletAddress}', WALLET) };
      default: {
        const body = EXCHANGE_BODIES[path.replace('/misc/exchange/', '')];
        return body === undefined ? { path } : { path, body };
      }
    }
  }

  /** After the answer: what the next call depends on. */
  async settle(answer: TestAnswer): Promise<void> {
    if (answer.status === 202 && answer.json.execution !== undefined)
      await this.#bot.ended(answer.json.execution.id);
    await this.#resting.settle(answer);
    // A user has room for ten agents only.
    if (answer.json?.refresh_token !== undefined) await this.#oauth.revoke(answer.json.refresh_token);
    // Paused agents are needed for the next calls.
    if (Array.isArray(answer.json?.suspended))
      for (const id of answer.json.suspended) await this.#asUser('POST', `/agents/${id}/resume`);
    if (answer.status === 200 && answer.json?.refreshToken !== undefined && answer.json.user === undefined)
      this.#refreshToken = answer.json.refreshToken;
  }

  async #authorizeUrl(): Promise<string> {
    const clientId = await this.#oauth.register();
    return `${this.#gateway.url}${this.#oauth.authorizePath(clientId, newPkce().challenge)}`;
  }

  async #signedInInteraction(): Promise<string> {
    const uid = await this.#visitor.open(await this.#authorizeUrl());
    await this.#visitor.login(uid);
    return uid;
  }

  async #anotherGrant(): Promise<string> {
    await this.#oauth.connect(this.#visitor);
    return (await this.#asUser('GET', '/oauth2/grants')).json.grants[0].id;
  }

  async #limitedKey(): Promise<string> {
    const body = { label: 'small', scope: 'read_write', mandate: smallMandate(this.#bot.accountId) };
    return (await this.#asUser('POST', '/api-keys', body)).json.id;
  }

  #asUser(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    const headers = { authorization: `Bearer ${this.#bot.accessToken}` };
    return this.#gateway.request(method, path, { headers, body });
  }

  async #integration(): Promise<string> {
    const body = { clientId: `bot-of-${this.#made}`, name: 'Bot' };
    return (await this.#asUser('POST', '/integrations', body)).json.id;
  }

  async #destinations(of: 'webhooks' | 'notification-channels'): Promise<readonly string[]> {
    const { json } = await this.#bot.call('GET', `/${of}`);
    return (json.webhooks ?? json.notificationChannels).map(({ id }: { id: string }) => id);
  }

  async #destination(of: 'webhooks' | 'notification-channels', body: object): Promise<string> {
    const [id] = await this.#destinations(of);
    return id ?? (await this.#bot.call('POST', `/${of}`, body)).json.id;
  }

  async #removeDestinations(of: 'webhooks' | 'notification-channels'): Promise<void> {
    for (const id of await this.#destinations(of)) await this.#bot.call('DELETE', `/${of}/${id}`);
  }

  async #anotherSavedBasket(): Promise<string> {
    const body = { name: `To be changed ${this.#made}`, legs: SAVED_LEGS };
    return (await this.#bot.call('POST', '/saved-baskets', body)).json.id;
  }

  /** A fill that is old enough to be made a position of. @returns the header of its account */
  async #oldOutsideFill(): Promise<Readonly<Record<string, string>>> {
    await this.#bot.call('POST', `/trade-accounts/${this.#outsideId}/paper/outside-order`, OUTSIDE_ORDER);
    this.#clock.leap(16_000);
    // The venue's next prices: those of before are too old to trade at.
    await this.#clock.advance(2_000);
    return { 'x-trade-account-id': this.#outsideId };
  }

  async #anotherSession(): Promise<string> {
    await this.login();
    const { json } = await this.#asUser('GET', '/auth/sessions');
    return json.sessions.find((session: { current: boolean }) => !session.current).id;
  }

  async #anotherKey(): Promise<string> {
    return (await this.#asUser('POST', '/api-keys', { label: 'to be revoked', scope: 'read' })).json.id;
  }

  async #anotherAccount(): Promise<string> {
    const body = { alias: 'To be removed', connector: 'paper' };
    return (await this.#asUser('POST', '/trade-accounts', body)).json.id;
  }

  async #anotherPosition(): Promise<string> {
    return (await this.#bot.open([usd('AVAX', 'SELL', '100')])).positionId;
  }
}
