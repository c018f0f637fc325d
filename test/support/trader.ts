/** A registered user with an API key and an account: the shortest way for a test to trade. */
import { expecting, type GatewayClient, type TestAnswer } from './gateway-client.ts';
import type { Json } from './json.ts';
import { openForEachTest, openForSuite } from './open-for-tests.ts';
import { settled } from './outstanding.ts';

/** Looks at an execution until it has ended. */
const LOOKS = 2_000;

export interface Trader {
  readonly key: string;
  readonly accountId: string;
  readonly accessToken: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestAnswer>;
  /** The JSON of an answer with this status; fails the test on any other. */
  expect(method: string, path: string, body?: unknown, status?: number): Promise<Json>;
  /** Sends an order and waits for the end of its execution; fails the test unless it was acknowledged. */
  execute(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Json>;
  /** Opens and waits for the end; fails the test unless it was acknowledged. */
  open(legs: readonly TestLeg[], over?: Readonly<Record<string, unknown>>): Promise<Json>;
  /** Reads the execution until it has ended. */
  ended(executionId: string): Promise<Json>;
  positions(query?: string): Promise<Json[]>;
}

export interface TestLeg {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly mode: 'USD' | 'BASE' | 'WEIGHT';
  readonly amount: string;
}

export const usd = (symbol: string, side: 'BUY' | 'SELL', amount: string): TestLeg => ({
  symbol: `${symbol}-PERP`,
  side,
  mode: 'USD',
  amount,
});

/** Label of a trader's API key. */
export const KEY_LABEL = 'test';

export const PAIR = [usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '1000')] as const;

export interface TraderOptions {
  readonly email?: string;
  readonly connector?: string;
}

/** One trader for all tests of a suite. Call it in `describe`. */
export const traderForSuite = (gateway: GatewayClient, options?: TraderOptions): Trader =>
  openForSuite(() => trader(gateway, options));

/** A new trader for each test of a suite. Call it in `describe`. */
export const traderForEachTest = (gateway: GatewayClient, options?: TraderOptions): Trader =>
  openForEachTest(() => trader(gateway, options));

export async function trader(gateway: GatewayClient, options: TraderOptions = {}): Promise<Trader> {
  const user = await gateway.register(options.email ?? 'ada@example.test');
  const bearer = { authorization: `Bearer ${user.accessToken}` };
  const created = await gateway.request('POST', '/api-keys', {
    headers: bearer,
    body: { label: KEY_LABEL, scope: 'read_write' },
  });
  if (created.status !== 201) throw new Error(`api key: ${created.status} ${created.text}`);
  const key: string = created.json.key;
  let accountId: string = user.tradeAccount?.id ?? '';
  if (accountId === '' || options.connector !== undefined) {
    const account = await gateway.request('POST', '/trade-accounts', {
      headers: bearer,
      body: { alias: 'Test', connector: options.connector ?? 'paper' },
    });
    if (account.status !== 201) throw new Error(`account: ${account.status} ${account.text}`);
    accountId = account.json.id;
  }
  return traderOn(gateway, { key, accountId, accessToken: user.accessToken });
}

/** The same user on another gateway, or on the same one after a restart. */
export function traderOn(
  gateway: Pick<GatewayClient, 'request' | 'pass'>,
  { key, accountId, accessToken }: Pick<Trader, 'key' | 'accountId' | 'accessToken'>,
): Trader {
  const call: Trader['call'] = (method, path, body, headers) =>
    gateway.request(method, path, {
      headers: { 'x-api-key': key, 'x-trade-account-id': accountId, ...headers },
      body,
    });
  const ended: Trader['ended'] = async (id) => {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const { json, status } = await call('GET', `/executions/${id}`);
      if (status !== 200) throw new Error(`GET /executions/${id}: ${status}`);
      if (json.execution.status !== 'IDLE' && json.execution.status !== 'ACTIVE') return json.execution;
      // Time stands still for what needs none.
      if (looks === 0) await settled();
      else await gateway.pass();
    }
    throw new Error(`execution ${id} did not end`);
  };
  const execute: Trader['execute'] = async (path, body, headers) => {
    const answer = await call('POST', path, body, headers);
    if (answer.status !== 202) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return ended(answer.json.execution.id);
  };
  return {
    key,
    accountId,
    accessToken,
    call,
    expect: expecting(call),
    ended,
    execute,
    open: (legs, over) => execute('/trade/open', { type: 'MARKET', legs, ...over }),
    async positions(query = 'status=OPEN') {
      return (await call('GET', `/positions?${query}`)).json.positions;
    },
  };
}
