/** Programs with mandates beside their users, over HTTP and MCP, on a gateway and a paper venue in processes of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { MandateBody } from '../../../gateway/contract/mandate.ts';
import { type Caller, callerWith } from '../../support/agents.ts';
import { type GatewayClient, PASSWORD } from '../../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../../support/gateway-process.ts';
import type { Json } from '../../support/json.ts';
import { callTool, newClient } from '../../support/mcp-client.ts';
import { type SimInspector, type SimProcess, startSim } from '../../support/sim-client.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Trader, trader } from '../../support/trader.ts';
import { processClient } from './process-client.ts';

export const SURFACES = ['REST', 'MCP'] as const;
export type Surface = (typeof SURFACES)[number];

export type RestCall = readonly [method: string, path: string, body?: object, headers?: object];
export type ToolCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Answer of the agent's request, in what REST and MCP have in common. */
export interface Asked {
  /** The gateway did it, or begins to. */
  readonly isTaken: boolean;
  readonly text: string;
  /** Content of the last answer: the body, or the tool's structured content. */
  readonly data: Json;
}

/** Longest time until an accepted request shows its effect. */
const HARM_MS = 8_000;
const LOOK_MS = 100;

/** Everything is allowed within the one account, nobody is asked, and no limit is near. */
const WIDE: Partial<MandateBody> = {
  kinds: ['now', 'when', 'over_time', 'ladder', 'protect', 'rebalance', 'reverse', 'margin'],
  ...{ maxOrderUsd: null, maxOpenedUsd24h: null, maxGrossUsd: null, maxLeverage: null },
  ...{ maxPositions: null, maxSlippage: null, lossStop: null },
  manage: 'ALL',
  rate: { perMinute: 600, perDay: 10_000, coolDownSeconds: 0 },
  runaway: { refusals: null, reopenings: null, feesUsd: null },
  rights: {
    ...{ readCredentials: false, manageAccounts: false, exchangeSetup: false },
    ...{ changeLeverage: true, attributeTrades: false },
  },
};

/** Terms of a mandate that asks the user. */
export const asks = (
  when: 'never' | 'above' | 'always',
  over: Partial<MandateBody['approval']> = {},
): Pick<MandateBody, 'approval'> => ({
  approval: {
    ...{ when, aboveUsd: when === 'above' ? '250' : null, kinds: [], passwordAboveUsd: null },
    ...{ lifeSeconds: 600, driftBps: 500, firsts: 'off', duplicates: 'allow' },
    ...over,
  },
});

interface Sim {
  readonly process: SimProcess;
  readonly inspector: SimInspector;
}

export class AuthorityGateway {
  readonly client: GatewayClient;
  readonly url: string;
  readonly #gateway: GatewayProcess;
  readonly #sim: Sim | null;
  readonly #desks: AuthorityDesk[] = [];

  private constructor(url: string, gateway: GatewayProcess, sim: Sim | null) {
    this.url = url;
    this.client = processClient(url);
    this.#gateway = gateway;
    this.#sim = sim;
  }

  /**
   * @param options `dataDir`: default a folder of its own. `isEmbedded`: the paper venue runs in the gateway, which has candles
   * of the past then
   */
  static async open(
    options: { readonly dataDir?: string; readonly isEmbedded?: boolean } = {},
  ): Promise<AuthorityGateway> {
    buildGateway();
    const process = options.isEmbedded ? null : await startSim({ dataDir: await temporaryFolder() });
    const dataDir = options.dataDir ?? (await temporaryFolder());
    const gateway = launchGateway({ dataDir, ...(process === null ? {} : { simPort: process.port }) });
    const { url } = await gateway.ready;
    const sim = process === null ? null : { process, inspector: await process.inspect() };
    return new AuthorityGateway(url, gateway, sim);
  }

  /** Opens one for `work` alone. */
  static async during(
    options: Parameters<typeof AuthorityGateway.open>[0],
    work: (gateway: AuthorityGateway) => Promise<void>,
  ): Promise<void> {
    const gateway = await AuthorityGateway.open(options);
    await work(gateway).finally(() => gateway.close());
  }

  get venue(): SimInspector {
    if (this.#sim === null) throw new Error('the venue is embedded');
    return this.#sim.inspector;
  }

  /** Lines that the gateway has written to standard error. */
  get errorLines(): readonly string[] {
    return this.#gateway.errorLines;
  }

  /** A new user with an account, and an agent with a key whose mandate is for that account. */
  async desk(over: Partial<MandateBody> = {}): Promise<AuthorityDesk> {
    const email = `ada${this.#desks.length + 1}@example.test`;
    const desk = new AuthorityDesk(this, email, await trader(this.client, { email }));
    await desk.bind(over);
    this.#desks.push(desk);
    return desk;
  }

  async close(): Promise<void> {
    for (const desk of this.#desks) await desk.disconnect();
    await this.#gateway.stop('SIGKILL');
    this.#sim?.inspector.close();
    await this.#sim?.process.stop();
  }
}

export class AuthorityDesk {
  /** The user's own program, without a mandate. */
  readonly bot: Trader;
  readonly email: string;
  readonly #at: AuthorityGateway;
  #key = { id: '', key: '' };
  #client: ReturnType<typeof newClient> | null = null;
  /** Id of the agent's latest preview over MCP. */
  lastPreview = '';

  constructor(at: AuthorityGateway, email: string, bot: Trader) {
    this.#at = at;
    this.email = email;
    this.bot = bot;
  }

  get accountId(): string {
    return this.bot.accountId;
  }
  get keyId(): string {
    return this.#key.id;
  }

  /** Gives the agent a new key with this mandate. */
  async bind(over: Partial<MandateBody>): Promise<void> {
    await this.disconnect();
    const mandate = smallMandate(this.accountId, { ...WIDE, ...asks('never'), ...over });
    const body = { label: 'agent', scope: 'read_write', mandate };
    this.#key = await this.user().expect('POST', '/api-keys', body, 201);
  }

  /** Changes the agent's mandate, with the user's password. */
  async rebind(over: Partial<MandateBody>): Promise<void> {
    const { agents } = await this.user().expect('GET', '/agents');
    const known = agents.find(({ id }: Json) => id === this.keyId);
    await this.user().expect('PUT', `/agents/${this.keyId}/mandate`, {
      mandate: { ...known.mandate.terms, ...over },
      ifVersion: known.mandate.version,
      password: PASSWORD,
    });
  }

  suspend(): Promise<Json> {
    return this.user().expect('POST', `/agents/${this.keyId}/suspend`, { reason: 'a test' });
  }

  /** The user, signed in. */
  user(accountId = this.accountId, headers: object = {}): Caller {
    const authorization = `Bearer ${this.bot.accessToken}`;
    return callerWith(this.#at.client, { authorization, ...headers }, accountId);
  }

  /** The agent over REST. */
  agent(accountId = this.accountId, headers: object = {}): Caller {
    return callerWith(this.#at.client, { 'x-api-key': this.#key.key, ...headers }, accountId);
  }

  /** The agent over MCP. */
  async tool(...[name, args]: ToolCall): Promise<Asked> {
    this.#client ??= newClient(this.#at.url, { 'x-api-key': this.#key.key });
    const isPreview = name.startsWith('preview_');
    const sent = isPreview ? { account: this.accountId, ...args } : args;
    const { isError, text, data } = await callTool(await this.#client, name, sent);
    return { isTaken: !isError, text, data };
  }

  /** The agent asks on one of its surfaces. Over MCP a preview is placed where it is allowed. */
  async ask(
    surface: Surface,
    rest: RestCall,
    mcp: ToolCall,
    { isPlaced = mcp[0].startsWith('preview_') } = {},
  ): Promise<Asked> {
    if (surface === 'REST') {
      const [method, path, body, headers] = rest;
      const { status, text, json } = await this.agent(this.accountId, headers).call(method, path, body);
      return { isTaken: status < 300, text: `${status} ${text}`, data: json };
    }
    const shown = await this.tool(...mcp);
    if (!isPlaced) return shown;
    if (typeof shown.data?.preview_id !== 'string') return { ...shown, isTaken: false };
    const { preview_id, summary } = shown.data;
    this.lastPreview = preview_id;
    const placed = await this.tool('place_order', { preview_id, summary, reason: 'a test' });
    const isTaken = /^(ACCEPTED|RESTING|FILLED|PARTLY)/.test(placed.data?.outcome ?? '');
    return { ...placed, isTaken };
  }

  /** Looks for harm that an answer has announced, or briefly after a refusal. null: none. */
  async harm<T>(
    { isTaken }: Pick<Asked, 'isTaken'>,
    look: () => Promise<T | null>,
    withinMs = HARM_MS,
  ): Promise<T | null> {
    const until = performance.now() + (isTaken ? withinMs : 0);
    for (;;) {
      const found = await look();
      if (found !== null || performance.now() > until) return found;
      await sleep(LOOK_MS);
    }
  }

  /** Opens a position at the market and waits until it has filled. @returns the position's id */
  async opened(by: Caller, legs: readonly object[], over: object = {}): Promise<string> {
    const { execution } = await by.expect('POST', '/trade/open', { type: 'MARKET', legs, ...over }, 202);
    const { positionId, status, error } = await this.bot.ended(execution.id);
    expect(status, error).to.equal('COMPLETED');
    return positionId;
  }

  position(id: string): Promise<Json> {
    return this.bot.expect('GET', `/positions/${id}`);
  }

  /** Identity, distance and status of the position's stop-loss; null: it has none. */
  async stop(id: string): Promise<string | null> {
    const { stopLoss } = await this.position(id);
    return stopLoss === null ? null : `${stopLoss.triggerId} ${stopLoss.value} ${stopLoss.status}`;
  }

  /** Requests of the agent that wait for the user. */
  async questions(): Promise<Json[]> {
    const { approvals } = await this.user().expect('GET', '/approvals');
    return approvals.filter(({ status }: Json) => status === 'PENDING');
  }

  approve({ id, planHash }: Json) {
    return this.user().call('POST', `/approvals/${id}/approve`, { planHash });
  }

  async disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await (await client)?.close();
  }
}
