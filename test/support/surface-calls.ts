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
    /** @param id the first parameter of the path; `second` is the second one */
    const at = (id: string, body?: object, second = ''): SurfaceCall => ({
      path: path.replace(/\{\w+\}/, id).replace(/\{\w+\}/, second),
      ...(body === undefined ? {} : { body }),
    });
    const onNew = async (make: () => Promise<string>, body?: object) =>
      at(admitted ? await make() : NOBODY, body);
    const hook = () => this.#destination('webhooks', HOOK);
    const channel = () => this.#destination('notification-channels', CHANNEL);
    const opened = async () => this.#visitor.open(await this.#authorizeUrl());
    const signedIn = async () => (admitted ? this.#signedInInteraction() : 'nobody');
    const onSpare = () => at(this.#spareId);
    const onNobody = () => at(NOBODY);
    const onHook = async () => at(await hook());
    const onChannel = async () => at(await channel());
    const ofPaper = () => ({ path: `${path}?connector=paper` });
    const ofPair = () => ({ path: `${path}?connector=paper&long=BTC-PERP&short=ETH-PERP` });
    const outside = async () => {
      const { symbol, side } = OUTSIDE_ORDER;
      const headers = admitted ? await this.#oldOutsideFill() : undefined;
      return { path, body: { legs: [{ symbol, side }] }, ...(headers === undefined ? {} : { headers }) };
    };
    const onPosition = () => at(this.#positionId, {});
    const screen = () => ({ path: path.replace(/\{(\w+)\}/g, '$1') });
    const onConsent = async () => at(await opened());
    const onTerms = async () => at(await signedIn());
    const onLimitedKey = () => onNew(() => this.#limitedKey());
    const onGrant = () => onNew(() => this.#anotherGrant());
    const calls: Readonly<Record<string, () => SurfaceCall | Promise<SurfaceCall>>> = {
      'GET /docs/{asset}': () => ({ path: '/docs/swagger-ui.css' }),
      'POST /auth/register': () => ({
        path,
        body: { email: `user-${this.#made}@example.test`, password: PASSWORD },
      }),
      'POST /auth/login': () => ({ path, body: { method: 'email', email: EMAIL, password: PASSWORD } }),
      'POST /auth/nonce': () => ({ path, body: { address: WALLET } }),
      'POST /auth/session/refresh': () => ({ path, body: { refreshToken: this.#refreshToken } }),
      'DELETE /auth/sessions/{id}': () => onNew(() => this.#anotherSession()),
      'POST /auth/password': () => ({ path, body: { current: PASSWORD, next: PASSWORD } }),
      'POST /api-keys': () => ({ path, body: { label: `key ${this.#made}`, scope: 'read' } }),
      'DELETE /api-keys/{id}': () => onNew(() => this.#anotherKey()),
      'POST /trade-accounts': () => ({ path, body: { alias: `Account ${this.#made}`, connector: 'paper' } }),
      'GET /trade-accounts/{id}': () => at(this.#bot.accountId),
      'PATCH /trade-accounts/{id}': () => at(this.#spareId, { alias: `Renamed ${this.#made}` }),
      'DELETE /trade-accounts/{id}': () => onNew(() => this.#anotherAccount()),
      'PUT /trade-accounts/{id}/credentials': () =>
        at(this.#spareId, { apiKey: 'venue-key', apiSecret: 'venue-secret' }),
      'POST /trade-accounts/{id}/credentials': onSpare,
      'DELETE /trade-accounts/{id}/credentials': onSpare,
      'POST /trade-accounts/{id}/paper/reset': onSpare,
      'GET /trade-accounts/{id}/paper/faults': onSpare,
      'DELETE /trade-accounts/{id}/paper/faults': onSpare,
      'GET /trade-accounts/{id}/arming': onSpare,
      'DELETE /trade-accounts/{id}/arming': onSpare,
      'POST /trade-accounts/{id}/paper/faults': () =>
        at(this.#spareId, { kind: 'REJECT', symbol: 'DOGE-PERP', seconds: 1 }),
      'DELETE /trade-accounts/{id}/paper/faults/{faultId}': () => at(this.#spareId, undefined, NOBODY),
      'PUT /trade-accounts/{id}/arming': () =>
        at(this.#spareId, { alias: 'Spare', perOrderUsd: '100', totalUsd: '500' }),
      'GET /approvals/{id}': onNobody,
      'POST /approvals/{id}/deny': onNobody,
      'GET /approvals/mine/{id}': onNobody,
      'DELETE /approvals/mine/{id}': onNobody,
      'POST /approvals/{id}/approve': () => at(NOBODY, { planHash: '0'.repeat(64) }),
      'POST /connectors/{id}/wallet-approvals': () => at('paper', { address: WALLET, chainId: 1 }),
      'POST /connectors/{id}/wallet-approvals/{approvalId}': () =>
        at('paper', { signature: `0x${'0'.repeat(130)}` }, NOBODY),
      'DELETE /connectors/{id}/wallet-approvals/{approvalId}': () => at('paper', undefined, NOBODY),
      'POST /connectors/{id}/check': () => at('paper', {}),
      'GET /connectors/{id}/check': () => at('paper'),
      'GET /webhooks/{id}': onHook,
      'GET /webhooks/{id}/deliveries': onHook,
      'POST /webhooks/{id}/test': onHook,
      'PATCH /webhooks/{id}': async () => at(await hook(), { name: 'Hook' }),
      'POST /webhooks/{id}/rotate-secret': async () => at(await hook(), {}),
      'DELETE /webhooks/{id}': onNobody,
      'DELETE /notification-channels/{id}': onNobody,
      'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': async () =>
        at(await hook(), undefined, NOBODY),
      'POST /webhooks': async () => {
        await this.#removeDestinations('webhooks');
        return { path, body: HOOK };
      },
      'POST /notification-channels': async () => {
        await this.#removeDestinations('notification-channels');
        return { path, body: CHANNEL };
      },
      'GET /notification-channels/{id}/deliveries': onChannel,
      'POST /notification-channels/{id}/test': onChannel,
      'PATCH /notification-channels/{id}': async () => at(await channel(), { name: 'Phone' }),
      'GET /prices': ofPaper,
      'GET /funding': ofPaper,
      'GET /feeds': ofPaper,
      'GET /instruments': ofPaper,
      'GET /instruments/lite': ofPaper,
      'GET /instruments/symbol-to-id-map': ofPaper,
      'GET /markets': ofPaper,
      'GET /markets/baskets': ofPaper,
      'GET /analytics/screener': ofPaper,
      'GET /candles': () => ({ path: `${path}?connector=paper&symbol=BTC-PERP&interval=1h` }),
      'GET /candles/basket': () => ({
        path: `${path}?connector=paper&long=BTC-PERP&short=ETH-PERP&interval=1h`,
      }),
      'GET /analytics/pair': ofPair,
      'GET /analytics/pair/summary': ofPair,
      'GET /analytics/weights': ofPair,
      'GET /analytics/funding': ofPair,
      'GET /fills/{positionId}': () => at(this.#positionId),
      'POST /markets/baskets/positions': () => ({ path, body: { basketKeys: ['0'.repeat(64)] } }),
      'GET /books': () => ({ path: `${path}?connector=paper&symbols=BTC-PERP,ETH-PERP` }),
      'GET /fee': () => ({ path: `${path}?connector=paper&notional=100` }),
      'POST /integrations': () => ({ path, body: { clientId: `bot-${this.#made}`, name: 'Bot' } }),
      'PATCH /integrations/{id}': () => onNew(() => this.#integration(), { status: 'ACTIVE' }),
      'POST /saved-baskets': () => ({ path, body: { name: `Basket ${this.#made}`, legs: SAVED_LEGS } }),
      'PATCH /saved-baskets/{id}': () => onNew(() => this.#anotherSavedBasket(), { legs: SAVED_LEGS }),
      'DELETE /saved-baskets/{id}': () => onNew(() => this.#anotherSavedBasket()),
      'POST /trade-accounts/{id}/paper/outside-order': () => at(this.#outsideId, OUTSIDE_ORDER),
      'POST /sync/positions/plan': outside,
      'POST /sync/positions': outside,
      'PUT /leverage': () => ({ path, body: { symbol: 'LINK-PERP', leverage: 3, marginMode: 'cross' } }),
      'POST /trade/open': () => ({ path, body: { type: 'MARKET', legs: [usd('SOL', 'BUY', '100')] } }),
      'GET /executions/by-key': () => ({ path: `${path}?key=${SURFACE_KEY}` }),
      'GET /executions/{id}': () => at(this.#executionId),
      'POST /positions/{id}/adjust/plan': () => at(this.#positionId, { intent: 'INCREASE', usd: '100' }),
      'POST /positions/close-all/plan': () => ({ path, body: {} }),
      'POST /positions/{id}/close/plan': onPosition,
      'POST /positions/{id}/reverse/plan': onPosition,
      'GET /positions/{id}': () => at(this.#positionId),
      'POST /positions/{id}/close': async () =>
        at(admitted ? await this.#anotherPosition() : this.#positionId, { type: 'MARKET' }),
      'POST /positions/{id}/adjust': async () =>
        at(admitted ? await this.#anotherPosition() : this.#positionId, { intent: 'INCREASE', usd: '100' }),
      'POST /register': () => ({ path, body: { redirect_uris: [REDIRECT_URI] } }),
      'GET /authorize': async () => ({ path: (await this.#authorizeUrl()).replace(this.#gateway.url, '') }),
      'POST /token': async () => {
        const { clientId, redirectUri, code, verifier } = await this.#oauth.authorize(this.#visitor);
        const form = new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: clientId,
          code_verifier: verifier,
        });
        return { path, headers: FORM, body: form.toString() };
      },
      'POST /revoke': async () => ({
        path,
        body: { token: (await this.#oauth.connect(this.#visitor)).refresh_token },
      }),
      'GET /app/{screen}': screen,
      'GET /app/{screen}/{part}': screen,
      'GET /app/{screen}/{part}/{detail}': screen,
      'GET /app/assets/{asset}': async () => ({ path: `/app/assets/${await dashboardAssetName()}` }),
      'POST /auth/link': () => {
        const link = new URL(this.#gateway.gateway.signInLink());
        const headers = { origin: link.origin, 'sec-fetch-site': 'same-origin' };
        return { path, headers, body: { ticket: link.hash.slice(1) } };
      },
      'GET /consent/assets/{asset}': () => ({ path: '/consent/assets/consent.css' }),
      'GET /consent/{uid}': onConsent,
      'GET /interaction/{uid}': onConsent,
      'POST /interaction/{uid}/login': async () =>
        at(await opened(), { method: 'email', email: EMAIL, password: PASSWORD }),
      'POST /interaction/{uid}/confirm': async () => at(await signedIn(), { scopes: ['mcp:read'] }),
      'GET /interaction/{uid}/terms': onTerms,
      'POST /interaction/{uid}/abort': onTerms,
      'POST /interaction/{uid}/terms': async () =>
        at(await signedIn(), { mandate: smallMandate(this.#bot.accountId) }),
      'PUT /agents/{id}/mandate': () =>
        onNew(() => this.#limitedKey(), {
          mandate: smallMandate(this.#bot.accountId),
          ifVersion: admitted ? 1 : 0,
        }),
      'GET /agents/{id}/refused': onLimitedKey,
      'POST /agents/{id}/suspend': onLimitedKey,
      'POST /agents/{id}/resume': async () => {
        const id = admitted ? await this.#limitedKey() : NOBODY;
        if (admitted) await this.#asUser('POST', `/agents/${id}/suspend`);
        return at(id);
      },
      'PUT /agents/limits': async () => {
        const { version, limits } = (await this.#asUser('GET', '/agents/limits')).json;
        return { path, body: { limits, ifVersion: version } };
      },
      'GET /oauth2/grants/{id}/waiting': onGrant,
      'DELETE /oauth2/grants/{id}': onGrant,
      'GET /misc/exchange/uda/{walletAddress}': () => at(WALLET),
    };
    const make = calls[routeName(route)];
    if (make !== undefined) return make();
    const body = EXCHANGE_BODIES[path.replace('/misc/exchange/', '')];
    return body === undefined ? { path } : { path, body };
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
