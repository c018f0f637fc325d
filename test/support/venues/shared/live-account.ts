/** An armed live account in the composed gateway, whatever its venue: asked, traded, looked at. */

import type { TestAnswer, TestGateway } from '../../gateway.ts';
import { expecting, signIn } from '../../gateway-client.ts';
import type { Json } from '../../json.ts';
import { until } from '../../until.ts';

export type LiveLeg = readonly [symbol: string, side: 'BUY' | 'SELL', usd: string];

/** A signed-in user of a test gateway. */
export class LiveUser {
  gateway: TestGateway;
  #token: string;
  readonly #connector: string;

  /** @param connector of its accounts */
  constructor(gateway: TestGateway, token: string, connector: string) {
    this.gateway = gateway;
    this.#token = token;
    this.#connector = connector;
  }

  ask(method: string, path: string, body?: object, accountId?: string): Promise<TestAnswer> {
    const account = accountId === undefined ? {} : { 'x-trade-account-id': accountId };
    return this.gateway.request(method, path, {
      headers: { authorization: `Bearer ${this.#token}`, ...account },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** The JSON of an answer with this status; fails the test on any other. */
  readonly expect = expecting<object>((method, path, body) => this.ask(method, path, body));

  /** Signs in again: an access token ends after 15 minutes. */
  async signIn(): Promise<void> {
    this.#token = (await signIn(this.gateway)).tokens.accessToken;
  }

  async status(): Promise<Json> {
    const { json } = await this.ask('GET', '/connectors');
    return json.connectors.find(({ id }: Json) => id === this.#connector);
  }

  /** Moves time until `look` finds what is wanted. */
  until<T>(what: string, look: Parameters<typeof until<T>>[2], withinMs?: number): Promise<T> {
    return until(this.gateway.clock, what, look, withinMs);
  }

  untilStatus(wanted: string): Promise<unknown> {
    return this.until(`the connector is ${wanted}`, async () => (await this.status())?.status === wanted);
  }

  /** Connects an account. @return its id */
  async add(alias: string, credentials: object): Promise<string> {
    const account = { alias, connector: this.#connector, credentials };
    return (await this.expect('POST', '/trade-accounts', account, 201)).id;
  }

  /** Moves time until the account's prices and history are there. */
  untilSynced(id: string): Promise<unknown> {
    const isSynced = async () => (await this.ask('POST', '/sync', {}, id)).status === 200;
    return this.until('prices and history are there', isSynced);
  }

  /** Connects an account, waits until its history has begun, and arms it. @return its id */
  async connect(alias: string, credentials: object): Promise<string> {
    const id = await this.add(alias, credentials);
    const terms = { alias, perOrderUsd: '1000', totalUsd: '5000' };
    await this.until('it can be armed', async () => {
      const armed = await this.ask('PUT', `/trade-accounts/${id}/arming`, terms, id);
      return armed.status === 200;
    });
    await this.untilSynced(id);
    return id;
  }
}

export class LiveAccountBase {
  readonly #user: LiveUser;
  readonly id: string;

  constructor(user: LiveUser, id: string) {
    this.#user = user;
    this.id = id;
  }

  ask(method: string, path: string, body?: object): Promise<TestAnswer> {
    return this.#user.ask(method, path, body, this.id);
  }

  /** The JSON of an answer with this status; fails the test on any other. */
  readonly expect = expecting<object>((method, path, body) => this.ask(method, path, body));

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
    const closing = await this.expect('POST', `/positions/${positionId}/close`, { type: 'MARKET' }, 202);
    return closing.execution.id;
  }

  async close(positionId: string): Promise<Json> {
    return this.ended(await this.beginClose(positionId));
  }

  async execution(id: string): Promise<Json> {
    return (await this.ask('GET', `/executions/${id}`)).json.execution;
  }

  ended(id: string): Promise<Json> {
    return this.#user.until('the execution ends', async () => {
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

  /** Instruments whose holdings in the gateway, in baskets and outside of them, differ from the venue's. */
  async unexplained(): Promise<readonly Json[] | null> {
    const { json } = await this.sync();
    return (
      json.differences?.filter(
        ({ baskets, unassigned, venue }: Json) => Number(baskets) + Number(unassigned) !== Number(venue),
      ) ?? null
    );
  }
}
