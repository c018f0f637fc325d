/** A gateway on which a program and an agent have to ask their user about every order above 250 USD. */
import type { Mandate, MandateHolder } from '../../gateway/domain/mandate.ts';
import type { BoundMandate, MandateBook, Suspension } from '../../gateway/engine/ports/mandate-book.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { PASSWORD, signIn, type TestAnswer } from './gateway-client.ts';
import type { Json } from './json.ts';
import { askingMandate } from './mandates.ts';
import { openForEachTest } from './open-for-tests.ts';
import { type Trader, trader, traderOn, usd } from './trader.ts';

/** Small enough for no question, and large enough for one. */
export const SMALL = [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')];
export const LARGE = [usd('BTC', 'BUY', '400'), usd('ETH', 'SELL', '400')];
/** Never met. */
export const LADDER = {
  legs: [usd('BTC', 'BUY', '900')],
  metric: 'PRICE',
  direction: 'LESS_THAN',
  start: '9000',
  end: '8000',
  levels: 3,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
};

/** Mandates in the test's hands. */
export class TestMandates implements MandateBook {
  readonly #bound = new Map<string, BoundMandate>();

  of({ authorityId }: Parameters<MandateBook['of']>[0]): BoundMandate | null {
    return this.#bound.get(authorityId ?? '') ?? null;
  }
  house(): null {
    return null;
  }
  all(): readonly BoundMandate[] {
    return [...this.#bound.values()];
  }
  suspend({ id }: MandateHolder, reason: string): void {
    this.set(id, { suspended: { reason, at: 0 } });
  }

  bind(holder: MandateHolder, userId: string, accountId: string): void {
    const mandate = { ...askingMandate([accountId], { driftBps: 500 }), maxOpenedUsd24h: '5000' };
    this.#bound.set(holder.id, {
      holder,
      mandate,
      version: 1,
      since: 0,
      userId,
      suspended: null,
      lineage: [],
    });
  }

  /** Changes what binds; a change of the mandate is another version of it. */
  set(
    id: string,
    { mandate, suspended }: { mandate?: Partial<Mandate>; suspended?: Suspension | null },
  ): void {
    const before = this.#bound.get(id);
    if (before === undefined) throw new Error(`no mandate of ${id}`);
    this.#bound.set(id, {
      ...before,
      mandate: { ...before.mandate, ...mandate },
      version: before.version + (mandate === undefined ? 0 : 1),
      suspended: suspended === undefined ? before.suspended : suspended,
    });
  }

  end(id: string): void {
    this.#bound.delete(id);
  }
}

export class AskedDesk {
  readonly mandates: TestMandates;
  readonly gateway: TestGateway;
  readonly bot: Trader;
  readonly keyId: string;
  /** Tokens of the user's session. */
  tokens: { readonly accessToken: string; readonly refreshToken: string };

  private constructor(
    mandates: TestMandates,
    gateway: TestGateway,
    bot: Trader,
    keyId: string,
    tokens: AskedDesk['tokens'],
  ) {
    this.mandates = mandates;
    this.gateway = gateway;
    this.bot = bot;
    this.keyId = keyId;
    this.tokens = tokens;
  }

  static async open(options: TestGatewayOptions = {}): Promise<AskedDesk> {
    const mandates = new TestMandates();
    const gateway = await startTestGateway({
      ...options,
      overrides: { mandates, ...options.overrides },
    });
    const bot = await trader(gateway);
    const bearer = { authorization: `Bearer ${bot.accessToken}` };
    const [key] = (await gateway.request('GET', '/api-keys', { headers: bearer })).json.apiKeys;
    const { id: userId } = (await gateway.request('GET', '/auth/me', { headers: bearer })).json;
    mandates.bind({ kind: 'api_key', id: key.id }, userId, bot.accountId);
    const { tokens } = await signIn(gateway);
    return new AskedDesk(mandates, gateway, bot, key.id, tokens);
  }

  /** For a user who is there already. */
  static async beside(
    gateway: TestGateway,
    mandates: TestMandates,
    email: string,
    accountId: string,
  ): Promise<AskedDesk> {
    const { tokens, headers } = await signIn(gateway, email);
    const made = await gateway.request('POST', '/api-keys', {
      headers,
      body: { label: 'test', scope: 'read_write' },
    });
    const { id: userId } = (await gateway.request('GET', '/auth/me', { headers })).json;
    mandates.bind({ kind: 'api_key', id: made.json.id }, userId, accountId);
    const bot = traderOn(gateway, { key: made.json.key, accountId, accessToken: tokens.accessToken });
    return new AskedDesk(mandates, gateway, bot, made.json.id, tokens);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }

  /** The same on another gateway, after a restart. */
  on(gateway: TestGateway): AskedDesk {
    return new AskedDesk(this.mandates, gateway, traderOn(gateway, this.bot), this.keyId, this.tokens);
  }

  /** The same session goes on with new tokens, as a page does by itself. */
  async refresh(): Promise<void> {
    const body = { refreshToken: this.tokens.refreshToken };
    this.tokens = (await this.gateway.request('POST', '/auth/session/refresh', { body })).json;
  }

  /** The user, signed in. */
  user(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> {
    return this.gateway.request(method, path, {
      headers: { authorization: `Bearer ${this.tokens.accessToken}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** The program asks for an order that its user has to be asked about. */
  ask(key?: string, over: object = {}, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.bot.call(
      'POST',
      '/trade/open',
      { type: 'MARKET', legs: LARGE, ...over },
      { ...(key === undefined ? {} : { 'idempotency-key': key }), ...headers },
    );
  }

  /** Asks, and reads what waits. */
  async waiting(...asked: Parameters<AskedDesk['ask']>): Promise<Json> {
    const answer = await this.ask(...asked);
    if (answer.json.details?.reason !== 'APPROVAL') throw new Error(`not asked: ${answer.text}`);
    return this.read(answer.json.details.approvalId);
  }

  async read(id: string): Promise<Json> {
    const answer = await this.user('GET', `/approvals/${id}`);
    if (answer.status !== 200) throw new Error(`GET /approvals/${id}: ${answer.text}`);
    return answer.json;
  }

  approve(id: string, planHash: string, password?: string): Promise<TestAnswer> {
    return this.user('POST', `/approvals/${id}/approve`, {
      planHash,
      ...(password === undefined ? {} : { password }),
    });
  }

  deny(id: string): Promise<TestAnswer> {
    return this.user('POST', `/approvals/${id}/deny`);
  }

  async executions(): Promise<Json[]> {
    return (await this.bot.call('GET', '/executions')).json.executions;
  }
}

export { PASSWORD };

/** A new desk for each test of a suite. Call it in `describe`. */
export const askedDeskForEachTest = (): AskedDesk => openForEachTest(() => AskedDesk.open());
