/** The composed gateway with armed live accounts at an emulated Hyperliquid. */
import { randomBytes } from 'node:crypto';
import { hyperliquid, hyperliquidInfo } from '../../../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { addressOf, toHex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { createLazyVenue } from '../../../../gateway/venues/live/kit/lazy-venue.ts';
import { paper } from '../../../../gateway/venues/paper/connector.ts';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../gateway.ts';
import type { Json } from '../../json.ts';
import { until } from '../../until.ts';
import { type Emulator, startEmulator } from './emulator.ts';

/** The connector as it is, but with room for many accounts: connecting one takes a tenth of a minute's requests. */
function manyAccounts({ url, wsUrl }: Emulator): typeof hyperliquid {
  const info = hyperliquidInfo('mainnet', url);
  const create: (typeof hyperliquid)['create'] = async (_, host) => [
    createLazyVenue({
      info,
      clock: host.clock,
      load: async () =>
        createHyperliquid({
          ...{ info, network: 'mainnet', origin: url, streamUrl: wsUrl, host },
          weightPerMinute: 1_000_000,
        }),
    }),
  ];
  return { ...hyperliquid, create };
}

export type LiveLeg = readonly [symbol: string, side: 'BUY' | 'SELL', usd: string];

export class LiveGateway {
  readonly emulator: Emulator;
  readonly gateway: TestGateway;
  readonly #token: string;

  private constructor(emulator: Emulator, gateway: TestGateway, token: string) {
    this.emulator = emulator;
    this.gateway = gateway;
    this.#token = token;
  }

  /** @param dataDir a temporary folder, which whoever made it removes */
  static async start(
    dataDir: string,
    prepare: (emulator: Emulator) => void = () => {},
  ): Promise<LiveGateway> {
    const emulator = await startEmulator({ pulseMs: 100 });
    prepare(emulator);
    const gateway = await startTestGateway({
      dataDir,
      settings: { allowFileVault: true, live: true, hyperliquidUrl: emulator.url },
      overrides: { venues: [paper, manyAccounts(emulator)] as never },
    });
    return new LiveGateway(emulator, gateway, (await gateway.register()).accessToken);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.emulator.close();
  }

  ask(method: string, path: string, body?: object, accountId?: string): Promise<TestAnswer> {
    const account = accountId === undefined ? {} : { 'x-trade-account-id': accountId };
    return this.gateway.request(method, path, {
      headers: { authorization: `Bearer ${this.#token}`, ...account },
      ...(body === undefined ? {} : { body }),
    });
  }

  async status(): Promise<Json> {
    const { json } = await this.ask('GET', '/connectors');
    return json.connectors.find(({ id }: Json) => id === 'hyperliquid');
  }

  untilStatus(wanted: string): Promise<unknown> {
    return until(`the connector is ${wanted}`, async () => (await this.status())?.status === wanted);
  }

  /**
   * A new account with 10,000 USDC, connected, its history begun, armed.
   * @param prepare called before it is connected
   */
  async account(prepare: (emulator: Emulator, address: string) => void = () => {}): Promise<LiveAccount> {
    const address = addressOf(randomBytes(32));
    const agent = randomBytes(32);
    const { script } = this.emulator;
    script.addAccount({ address, deposit: '10000' });
    script.addAgent(address, addressOf(agent));
    prepare(this.emulator, address);
    const alias = `live ${address.slice(2, 8)}`;
    const credentials = { accountAddress: address, agentPrivateKey: toHex(agent) };
    const made = await this.ask('POST', '/trade-accounts', { alias, connector: 'hyperliquid', credentials });
    if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
    const account = new LiveAccount(this, made.json.id, address, addressOf(agent));
    const terms = { alias, perOrderUsd: '1000', totalUsd: '5000' };
    await until('it can be armed', async () => {
      const armed = await account.ask('PUT', `/trade-accounts/${account.id}/arming`, terms);
      return armed.status === 200;
    });
    await until('prices and history are there', async () => (await account.sync()).status === 200);
    return account;
  }
}

export class LiveAccount {
  readonly #live: LiveGateway;
  readonly id: string;
  /** At the venue, lower case. */
  readonly address: string;
  readonly agent: string;

  constructor(live: LiveGateway, id: string, address: string, agent: string) {
    this.#live = live;
    this.id = id;
    this.address = address.toLowerCase();
    this.agent = agent;
  }

  get script(): Emulator['script'] {
    return this.#live.emulator.script;
  }

  ask(method: string, path: string, body?: object): Promise<TestAnswer> {
    return this.#live.ask(method, path, body, this.id);
  }

  sync(): Promise<TestAnswer> {
    return this.ask('POST', '/sync', {});
  }

  tryOpen(legs: readonly LiveLeg[], terms: object = {}): Promise<TestAnswer> {
    return this.ask('POST', '/trade/open', {
      type: 'MARKET',
      legs: legs.map(([symbol, side, amount]) => ({ symbol: `${symbol}-PERP`, side, mode: 'USD', amount })),
      ...terms,
    });
  }

  /** @return the id of the execution */
  async beginOpen(legs: readonly LiveLeg[], terms: object = {}): Promise<string> {
    const answer = await this.tryOpen(legs, terms);
    if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json.execution.id;
  }

  async open(legs: readonly LiveLeg[], terms: object = {}): Promise<Json> {
    return this.ended(await this.beginOpen(legs, terms));
  }

  async beginClose(positionId: string): Promise<string> {
    const answer = await this.ask('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
    if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json.execution.id;
  }

  async close(positionId: string): Promise<Json> {
    return this.ended(await this.beginClose(positionId));
  }

  async execution(id: string): Promise<Json> {
    return (await this.ask('GET', `/executions/${id}`)).json.execution;
  }

  ended(id: string): Promise<Json> {
    return until('the execution ends', async () => {
      const execution = await this.execution(id);
      return execution.status === 'IDLE' || execution.status === 'ACTIVE' ? null : execution;
    });
  }

  async position(id: string): Promise<Json> {
    return (await this.ask('GET', `/positions/${id}`)).json;
  }

  async fills(): Promise<readonly Json[]> {
    return (await this.ask('GET', '/fills')).json.fills;
  }

  async categories(): Promise<readonly string[]> {
    const { notifications } = (await this.ask('GET', '/notifications')).json;
    return notifications
      .filter(({ parameters }: Json) => parameters?.tradeAccountId === this.id)
      .map(({ category }: Json) => category);
  }

  /** Signed base units at the venue, by coin. */
  held(): Record<string, string> {
    return Object.fromEntries(
      this.script.state(this.address).positions.map(({ coin, size }) => [coin, size]),
    );
  }

  /** What the gateway has in baskets and outside of them that the venue does not, or the other way round. */
  async unexplained(): Promise<readonly Json[] | null> {
    const { json } = await this.sync();
    return (
      json.differences?.filter(
        ({ baskets, unassigned, venue }: Json) => Number(baskets) + Number(unassigned) !== Number(venue),
      ) ?? null
    );
  }

  /** Client ids of its orders at the venue, each as often as the venue saw it. */
  orderIds(): readonly (string | null)[] {
    return this.script.state(this.address).orders.map(({ cloid }) => cloid);
  }
}
