/** Programs and agents whose user has to be asked, each with a user and an account of its own on one gateway. */
import type { Mandate } from '../../gateway/domain/mandate.ts';
import { AskedDesk, TestMandates } from './asked-desk.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { expecting } from './gateway-client.ts';
import type { Json } from './json.ts';
import { callTool, newClient, type ToolAnswer } from './mcp-client.ts';
import { type TestLeg, trader, usd } from './trader.ts';

export class GuardedGateway {
  readonly mandates: TestMandates;
  readonly gateway: TestGateway;
  readonly #desks: GuardedDesk[] = [];

  private constructor(mandates: TestMandates, gateway: TestGateway) {
    this.mandates = mandates;
    this.gateway = gateway;
  }

  static async open(): Promise<GuardedGateway> {
    const mandates = new TestMandates();
    return new GuardedGateway(mandates, await startTestGateway({ overrides: { mandates } }));
  }

  /** A fresh user with a program. */
  async desk(over: Partial<Mandate> = {}): Promise<GuardedDesk> {
    const email = `user${this.#desks.length + 1}@example.test`;
    const { accountId } = await trader(this.gateway, { email });
    const desk = new GuardedDesk(await AskedDesk.beside(this.gateway, this.mandates, email, accountId));
    if (Object.keys(over).length > 0) this.mandates.set(desk.asked.keyId, { mandate: over });
    this.#desks.push(desk);
    return desk;
  }

  async close(): Promise<void> {
    for (const desk of this.#desks) await desk.close();
    await this.gateway.close();
  }
}

/** A program with a key and a mandate, over REST and MCP, beside its user. */
export class GuardedDesk {
  readonly asked: AskedDesk;
  #client: ReturnType<typeof newClient> | null = null;

  constructor(asked: AskedDesk) {
    this.asked = asked;
  }

  get accountId(): string {
    return this.asked.bot.accountId;
  }

  bind(mandate: Partial<Mandate>): void {
    this.asked.mandates.set(this.asked.keyId, { mandate });
  }

  asksWhen(when: Mandate['approval']['when'], over: Partial<Mandate['approval']> = {}): void {
    const { approval } = this.mandate;
    this.bind({ approval: { ...approval, when, aboveUsd: when === 'above' ? '250' : null, ...over } });
  }

  suspend(): void {
    this.asked.mandates.set(this.asked.keyId, { suspended: { reason: 'a test', at: 0 } });
  }

  get mandate(): Mandate {
    const bound = this.asked.mandates.of({ authorityKind: 'api_key', authorityId: this.asked.keyId });
    if (bound === null) throw new Error('no mandate');
    return bound.mandate;
  }

  /** The program over REST. */
  rest(method: string, path: string, body?: object) {
    return this.asked.bot.call(method, path, body);
  }

  /** The user, signed in. */
  user(method: string, path: string, body?: object) {
    return this.asked.user(method, path, body, { 'x-trade-account-id': this.accountId });
  }

  /** The JSON of an answer to the program or the user with this status; fails the test on any other. */
  expect(by: 'rest' | 'user', method: string, path: string, body?: object, status = 200): Promise<Json> {
    return expecting<object>((...asked) => this[by](...asked))(method, path, body, status);
  }

  /** The program over MCP. */
  async tool(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    this.#client ??= this.#connect();
    return callTool(await this.#client, name, args);
  }

  /** Text of a prompt of MCP. */
  async prompt(name: string, args: Readonly<Record<string, string>>): Promise<{ readonly text: string }> {
    this.#client ??= this.#connect();
    const { messages } = await (await this.#client).getPrompt({ name, arguments: { ...args } });
    const content = messages[0]?.content;
    return { text: content?.type === 'text' ? content.text : '' };
  }

  async #connect() {
    const client = await newClient(this.asked.gateway.url, { 'x-api-key': this.asked.bot.key });
    // The client checks results against the output schemas that it was told.
    await client.listTools();
    return client;
  }

  /** Sends an order of the program or the user and waits for its end; fails the test unless it was acknowledged. */
  async execute(by: 'rest' | 'user', path: string, body: object): Promise<Json> {
    const { status, json, text } = await this[by]('POST', path, body);
    if (status !== 202) throw new Error(`POST ${path}: ${status} ${text}`);
    return this.asked.bot.ended(json.execution.id);
  }

  /** An open position of the program, small enough for no question. */
  async opened(over: object = {}, legs: readonly TestLeg[] = [usd('BTC', 'BUY', '100')]): Promise<Json> {
    const { positionId } = await this.execute('rest', '/trade/open', { type: 'MARKET', legs, ...over });
    return this.position(positionId);
  }

  /** An open position of the user. @param brought take-profit and stop-loss that come with the order */
  async openedByUser(legs: readonly TestLeg[], brought: object = {}): Promise<Json> {
    const { positionId } = await this.execute('user', '/trade/open', { type: 'MARKET', legs, ...brought });
    return this.position(positionId);
  }

  async position(id: string): Promise<Json> {
    return (await this.rest('GET', `/positions/${id}`)).json;
  }

  /** The user's pending approvals. */
  async questions(): Promise<Json[]> {
    const { approvals } = (await this.user('GET', '/approvals')).json;
    return approvals.filter(({ status }: Json) => status === 'PENDING');
  }

  async approve({ id, planHash }: Json) {
    return this.asked.approve(id, planHash);
  }

  /** Notifications of a category, newest first. */
  async notices(category: string): Promise<Json[]> {
    const { notifications } = (await this.user('GET', '/notifications')).json;
    return notifications.filter((one: Json) => one.category === category);
  }

  async audited(action: string): Promise<Json[]> {
    const { auditEntries: entries } = (await this.user('GET', '/audit-log')).json;
    return entries.filter((one: Json) => one.action === action);
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }
}
