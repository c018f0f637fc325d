/**
 * A careless trader as a machine: opens, adds, halves, turns over, closes, sets and removes stops, lets baskets share
 * instruments, trades past the gateway right before it closes, presses panic, while its venue refuses single legs. It
 * remembers what was promised to it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayClient, TestAnswer } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import type { StormRandom } from '../../support/storm-random.ts';
import { type TestLeg, usd } from '../../support/trader.ts';
import type { RunningGateway } from './mortal-gateway.ts';
import { type PausableLoad, startLoad } from './pausable-load.ts';
import type { StormAccount, StormPromises } from './storm-account.ts';

const TICKERS = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP', 'LINK'] as const;
const BASKETS = 9;
const WORKERS = 2;
const TIMEOUT_MS = 30_000;

export function startStormLoad(options: {
  readonly accounts: readonly StormAccount[];
  readonly random: StormRandom;
  readonly gateway: () => Promise<RunningGateway | null>;
  /** Milliseconds between two actions of one worker, on average. */
  readonly pauseMs: number;
}): PausableLoad {
  let serial = 0;
  const key = () => `storm-${serial++}`;
  const workers = options.accounts.flatMap((account, index) => {
    const baskets = basketsOf(options.random.fork(index), account.tickers ?? TICKERS);
    return Array.from({ length: WORKERS }, (_, worker) => {
      const random = options.random.fork(100 + index * WORKERS + worker);
      const hand = new StormHand(account, baskets, random, key);
      return {
        turn: ({ client }: RunningGateway) => hand.act(client),
        pauseMs: () => random.between(0.2, 1.8) * options.pauseMs,
        complain: (complaint: string) => void hand.promises.complaints.push(complaint),
      };
    });
  });
  return startLoad(workers, options.gateway);
}

class StormHand {
  readonly random: StormRandom;
  readonly #account: StormAccount;
  readonly #baskets: readonly (readonly TestLeg[])[];
  readonly promises: StormPromises;
  readonly #key: () => string;

  constructor(
    account: StormAccount,
    baskets: readonly (readonly TestLeg[])[],
    random: StormRandom,
    key: () => string,
  ) {
    this.#account = account;
    this.#baskets = baskets;
    this.random = random;
    this.promises = account.promises;
    this.#key = key;
  }

  async act(client: GatewayClient): Promise<void> {
    const { random } = this;
    const chance = random.uniform();
    if (chance < 0.3) return this.#open(client);
    if (chance < 0.36)
      return this.#outside(
        client,
        random.pick(this.#account.tickers ?? TICKERS),
        random.side(),
        random.between(20, 400),
      );
    if (chance < 0.4) return this.#trigger(client);
    if (chance < 0.415) return this.#closeAll(client);
    if (chance < 0.423) return this.#panic(client);
    if (chance < 0.453) return this.#refuseLegs(client);
    if (chance < 0.473) return this.#openTwap(client);
    const position = await this.#anyPosition(client);
    if (position === undefined) return this.#open(client);
    if (chance < 0.66) return this.#close(client, position);
    if (chance < 0.78) return this.#adjust(client, position);
    if (chance < 0.83) return this.#reverse(client, position);
    if (chance < 0.96) return this.#brackets(client, position);
    return this.#twap(client, position);
  }

  async #open(client: GatewayClient): Promise<void> {
    const { random } = this;
    const amount = random.between(15, random.uniform() < 0.2 ? 9_000 : 900);
    const legs = random.pick(this.#baskets).map((leg) => ({ ...leg, amount: amount.toFixed(0) }));
    const stopLoss =
      random.uniform() < 0.5 ? { type: 'PERCENTAGE', value: random.between(0.3, 4).toFixed(2) } : undefined;
    const body = {
      type: 'MARKET',
      legs,
      onLegFailure: random.pick(['KEEP', 'UNWIND', 'RETRY']),
      slippage: random.pick(['0.01', '0.03', '0.1']),
      ...(stopLoss === undefined ? {} : { stopLoss }),
    };
    const at = Date.now();
    const placed = await this.#place(client, '/trade/open', body);
    if (placed !== null && stopLoss !== undefined)
      this.promises.stopsToCome.set(placed, { why: 'opened with a stop-loss', at });
  }

  async #close(client: GatewayClient, position: Json): Promise<void> {
    const { random } = this;
    // Like a careless trader: sells at the venue first, then presses close here.
    if (random.uniform() < 0.35) {
      const leg = random.pick<Json>(position.legs);
      const side = leg.side === 'BUY' ? 'SELL' : 'BUY';
      const share = random.pick([0.3, 1, 1, 1.4]);
      const traded = this.#outside(client, leg.ticker, side, share * Number(leg.notional));
      if (random.uniform() < 0.7) await traded;
      else traded.catch(() => undefined);
    }
    const fraction = random.uniform() < 0.75 ? '1' : random.pick(['0.5', '0.97']);
    await this.#place(client, `/positions/${position.id}/close`, {
      type: 'MARKET',
      fraction,
      slippage: random.pick(['0.01', '0.05', '0.1']),
    });
  }

  async #adjust(client: GatewayClient, position: Json): Promise<void> {
    const { random } = this;
    const chance = random.uniform();
    const body =
      chance < 0.4
        ? { intent: 'INCREASE', fraction: '0.4', onLegFailure: random.pick(['KEEP', 'UNWIND', 'RETRY']) }
        : chance < 0.7
          ? { intent: 'REDUCE', fraction: random.pick(['0.3', '0.99']) }
          : { intent: 'REDUCE', targets: this.#dustTargets(position) };
    await this.#place(client, `/positions/${position.id}/adjust`, body);
  }

  /** Leaves one leg with about one unit of its last digit. */
  #dustTargets(position: Json): readonly Json[] {
    const leg = this.random.pick<Json>(position.legs);
    const [, part = ''] = leg.quantity.split('.');
    const least = part === '' ? '1' : `0.${'0'.repeat(part.length - 1)}1`;
    return [{ symbol: leg.symbol, quantity: least }];
  }

  async #reverse(client: GatewayClient, position: Json): Promise<void> {
    const had = this.promises.stops.get(position.id);
    const at = Date.now();
    const placed = await this.#place(client, `/positions/${position.id}/reverse`, {});
    if (placed !== null && had !== undefined)
      this.promises.stopsToCome.set(placed, { why: 'reversed with a stop-loss', at });
  }

  async #brackets(client: GatewayClient, position: Json): Promise<void> {
    const { random } = this;
    const chance = random.uniform();
    const percent = (low: number, high: number) => ({
      type: 'PERCENTAGE',
      value: random.between(low, high).toFixed(2),
    });
    const path = `/positions/${position.id}/brackets`;
    if (chance < 0.15) {
      // Removed: from here on nothing is promised, also where no answer comes.
      this.promises.stops.delete(position.id);
      this.promises.removed.set(position.id, Number.POSITIVE_INFINITY);
      await this.#call(client, 'PUT', path, { stopLoss: null });
      this.promises.removed.set(position.id, Date.now());
      return;
    }
    const body = {
      stopLoss: percent(0.5, 5),
      ...(chance < 0.6 ? {} : { takeProfit: percent(0.3, 5) }),
    };
    const answer = await this.#call(client, 'PUT', path, body);
    if (answer.status === 200)
      this.promises.stops.set(position.id, `stop-loss set ${JSON.stringify(body.stopLoss)}`);
  }

  async #twap(client: GatewayClient, position: Json): Promise<void> {
    await this.#call(client, 'POST', `/positions/${position.id}/close`, {
      type: 'TWAP',
      fraction: '1',
      durationSeconds: 60,
      intervalSeconds: 5,
    });
  }

  /** A pair in twelve slices, half of them with a stop-loss. */
  async #openTwap(client: GatewayClient): Promise<void> {
    const [bought, sold] = randomPair(this.random, this.#account.tickers ?? TICKERS);
    const stopLoss = { type: 'PERCENTAGE', value: this.random.between(0.3, 4).toFixed(2) };
    await this.#call(client, 'POST', '/schedules', {
      legs: [usd(bought, 'BUY', '900'), usd(sold, 'SELL', '900')],
      durationSeconds: 60,
      intervalSeconds: 5,
      ...(this.random.uniform() < 0.5 ? { stopLoss } : {}),
    });
  }

  /** The venue refuses the next orders of one instrument, or fills a part of them. Other venues have faults of their own. */
  async #refuseLegs(client: GatewayClient): Promise<void> {
    const { connector, accountId } = this.#account;
    if (connector !== 'paper-cross') return;
    const { random } = this;
    const kind = random.pick([
      { kind: 'REJECT' },
      { kind: 'REJECT' },
      { kind: 'PARTIAL_FILL', fraction: random.between(0.05, 0.95).toFixed(2) },
    ]);
    await this.#call(client, 'POST', `/trade-accounts/${accountId}/paper/faults`, {
      ...kind,
      symbol: `${random.pick(TICKERS)}-PERP`,
      times: 1 + Math.floor(random.uniform() * 5),
      seconds: 20,
    });
  }

  async #trigger(client: GatewayClient): Promise<void> {
    const { random } = this;
    const legs = random.pick(this.#baskets).map((leg) => ({ ...leg, amount: '60' }));
    const symbol = legs[0]?.symbol ?? '';
    const { json } = await this.#call(
      client,
      'GET',
      `/markets?connector=${this.#account.connector}&search=${symbol.replace('-PERP', '')}`,
    );
    const price = Number(json.markets?.[0]?.price ?? 0) * random.between(1.0005, 1.01);
    await this.#call(client, 'POST', '/triggers/open', {
      legs,
      condition: { type: 'PRICE', direction: 'MORE_THAN', value: price.toPrecision(5), symbol },
      allowImmediate: true,
    });
  }

  async #outside(client: GatewayClient, ticker: string, side: string, dollars: number): Promise<void> {
    const { tradeOutside } = this.#account;
    if (tradeOutside !== null) {
      await tradeOutside(ticker, side, Math.max(12, dollars));
      this.promises.trail.push({
        at: new Date().toISOString(),
        said: `outside ${side} ${ticker} ${dollars} USD`,
      });
      return;
    }
    await this.#call(client, 'POST', `/trade-accounts/${this.#account.accountId}/paper/outside-order`, {
      symbol: `${ticker}-PERP`,
      side,
      usd: Math.max(12, dollars).toFixed(2),
    });
  }

  async #closeAll(client: GatewayClient): Promise<void> {
    await this.#call(client, 'POST', '/positions/close-all', { slippage: '0.1' });
  }

  /** Panic takes the stops along; what it cannot close it has to go on with. */
  async #panic(client: GatewayClient): Promise<void> {
    this.promises.stops.clear();
    this.promises.stopsToCome.clear();
    await this.#call(client, 'POST', '/safety/panic', { confirm: 'CLOSE ALL' });
    await sleep(this.random.between(200, 6_000));
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await this.#call(client, 'POST', '/safety/resume');
      if (status === 200 || status === 409) return;
    }
  }

  async #anyPosition(client: GatewayClient): Promise<Json | undefined> {
    const { json, status } = await this.#call(client, 'GET', '/positions?status=OPEN&limit=100');
    if (status !== 200 || json.positions.length === 0) return undefined;
    return this.random.pick<Json>(json.positions);
  }

  /** The acknowledged execution; null: refused, or no answer. */
  async #place(client: GatewayClient, path: string, body: object): Promise<string | null> {
    const key = this.#key();
    const answer = await this.#call(client, 'POST', path, body, { 'idempotency-key': key });
    if (answer.status !== 202) return null;
    const { id } = answer.json.execution;
    this.promises.acknowledged.set(key, id);
    if (this.random.uniform() < 0.1) {
      const again = await this.#call(client, 'POST', path, body, { 'idempotency-key': key });
      if (again.status !== 202 || again.json.execution.id !== id)
        this.promises.complaints.push(
          `doubled: ${path} under key ${key} was ${id}, then ${again.status} ${again.text.slice(0, 120)}`,
        );
    }
    return id;
  }

  async #call(
    client: GatewayClient,
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const { key, accountId } = this.#account;
    const noted = method !== 'GET';
    const note = (said: string) => noted && this.promises.trail.push({ at: new Date().toISOString(), said });
    try {
      const answer = await client.request(method, path, {
        headers: { 'x-api-key': key, 'x-trade-account-id': accountId, ...headers },
        ...(body === undefined ? {} : { body }),
        timeoutMs: TIMEOUT_MS,
      });
      note(
        `${method} ${path} ${JSON.stringify(body ?? {})} → ${answer.status} ${answer.json?.execution?.id ?? answer.json?.errorCode ?? ''} ${bracketsIn(answer.json)}`,
      );
      const what = `${path.replace(/[0-9a-f-]{36}/, ':id').split('?')[0]} ${answer.status}`;
      if (noted) this.promises.counts.set(what, (this.promises.counts.get(what) ?? 0) + 1);
      if (answer.status >= 500 && answer.status !== 501)
        this.promises.complaints.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch (error) {
      note(`${method} ${path} ${JSON.stringify(body ?? {})} → no answer`);
      throw error;
    }
  }
}

/** Text of an order's answer about its brackets. */
function bracketsIn(answer: Json): string {
  const { carried, dropped, kept, set } = answer?.brackets ?? {};
  const said = Object.entries({ carried, dropped, kept, set }).filter(([, all]) => all?.length > 0);
  return said
    .map(([fate, all]) => `${fate} ${all.map((one: Json) => `${one.bracketType} ${one.reason ?? ''}`)}`)
    .join('; ');
}

function randomPair(random: StormRandom, listed: readonly string[]): readonly [string, string] {
  const first = Math.floor(random.uniform() * listed.length);
  const second = (first + 1 + Math.floor(random.uniform() * (listed.length - 1))) % listed.length;
  return [listed[first] ?? '', listed[second] ?? ''];
}

/** Few instruments, so that they are shared: long in one basket, short in another. */
function basketsOf(random: StormRandom, listed: readonly string[]): readonly (readonly TestLeg[])[] {
  return Array.from({ length: BASKETS }, () => {
    const tickers: string[] = [...listed];
    return Array.from({ length: 1 + Math.floor(random.uniform() * 3) }, () => {
      const [ticker = ''] = tickers.splice(Math.floor(random.uniform() * tickers.length), 1);
      return usd(ticker, random.side(), '100');
    });
  });
}
