/**
 * A gateway that trades on an emulated live venue in a process of its own, which outlives it. What the venue executed is
 * added up here from the venue's own list, and compared with what the gateway says it holds and did.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import type { CrashVenue } from './live-crash-venues.ts';
import { MortalGateway } from './mortal-gateway.ts';

const COINS = ['BTC', 'ETH', 'SOL'] as const;
const REST_WITHIN_MS = 120_000;
const BOTS = 2;
const PAUSE_MS = 150;
/** Share of requests of which the venue refuses a leg. */
const REFUSED = 0.1;
const POLICIES = ['KEEP', 'UNWIND', 'RETRY'];
const ENDED = ['COMPLETED', 'PARTIALLY_FILLED', 'FAILED', 'CANCELLED'];

interface Asked {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  executionId: string | null;
}

export class LiveCrashRig {
  readonly complaints: string[] = [];
  readonly #random: Random;
  readonly #gateway: MortalGateway;
  readonly #venue: CrashVenue;
  #headers: Record<string, string> = {};
  #accountId = '';
  #asked: Asked[] = [];
  #paused = false;
  #stopped = false;
  #bots: Promise<void>[] = [];
  #busy = 0;
  #slowestRestMs = 0;
  #counts = { fills: 0, executions: 0 };

  constructor(options: { readonly dataDir: string; readonly seed: number; readonly venue: CrashVenue }) {
    this.#venue = options.venue;
    this.#random = new Random(options.seed, 31);
    this.#gateway = new MortalGateway(
      () => ({
        dataDir: options.dataDir,
        flags: ['--allow-file-vault'],
        env: this.#venue.env,
      }),
      (complaint) => {
        // Asked before the account is open at the venue, a bot hears so and asks again.
        if (!complaint.includes('"msg":"Not yet: ')) this.complaints.push(complaint);
      },
    );
  }

  get figures(): string {
    const acknowledged = this.#asked.filter(({ executionId }) => executionId !== null).length;
    return [
      `${this.#gateway.starts} starts (${Math.round(this.#gateway.startMs)} ms each)`,
      `${this.#asked.length} requests, ${acknowledged} acknowledged`,
      `${this.#counts.executions} executions, ${this.#counts.fills} fills at the venue`,
      `all at rest within ${this.#slowestRestMs} ms`,
    ].join('; ');
  }

  async begin(): Promise<void> {
    await this.#venue.begin();
    const { connector, credentials } = this.#venue;
    const { client } = await this.#gateway.start();
    const { accessToken } = await client.register();
    const session = { authorization: `Bearer ${accessToken}` };
    const made = await client.expect(
      'POST',
      '/trade-accounts',
      {
        headers: session,
        body: { alias: 'Main', connector, credentials },
      },
      201,
    );
    this.#accountId = made.id;
    await client.expect('PUT', `/trade-accounts/${this.#accountId}/arming`, {
      headers: session,
      body: { alias: 'Main', perOrderUsd: '100000', totalUsd: '900000', allow: { apiKeys: true } },
    });
    const key = await client.request('POST', '/api-keys', {
      headers: session,
      body: { label: 'bot', scope: 'read_write' },
    });
    this.#headers = { 'x-api-key': key.json.key, 'x-trade-account-id': this.#accountId };
    await this.#isUp(client);
    this.#bots = Array.from({ length: BOTS }, () => this.#trade());
    await sleep(1_000);
    await this.#gateway.kill();
  }

  async killWhileStarting(): Promise<void> {
    this.#gateway.launch();
    await sleep(this.#random.uniform() * 1.5 * this.#gateway.startMs);
    await this.#gateway.kill();
  }

  async killWhileRunning(atMostMs: number): Promise<void> {
    await this.#gateway.start();
    await sleep(this.#random.uniform() * atMostMs);
    await this.#gateway.kill();
  }

  /** Lets everything come to its end, compares with the venue, stops. */
  async rest(): Promise<void> {
    const { client } = await this.#gateway.start();
    this.#paused = true;
    const began = performance.now();
    while (this.#busy > 0 && performance.now() - began < REST_WITHIN_MS) await sleep(50);
    await this.#isUp(client);
    await this.#untilEnded(client, began + REST_WITHIN_MS);
    // Differences remain until the account stream and the history have told the last orders.
    let differs = await this.#differences(client);
    while (differs.length > 0 && performance.now() - began < REST_WITHIN_MS) {
      await sleep(500);
      differs = await this.#differences(client);
    }
    this.complaints.push(...differs);
    this.#slowestRestMs = Math.max(this.#slowestRestMs, Math.round(performance.now() - began));
    await this.#gateway.stop();
    this.#paused = false;
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#gateway.close();
    await Promise.all(this.#bots);
    await this.#venue.end();
  }

  async #isUp(client: GatewayClient): Promise<void> {
    const deadline = performance.now() + REST_WITHIN_MS;
    for (;;) {
      const { json } = await client.request('GET', '/connectors', { headers: this.#headers });
      if (json.connectors.some(({ id, status }: Json) => id === this.#venue.connector && status === 'UP'))
        return;
      if (performance.now() > deadline) {
        this.complaints.push(`the venue did not come up: ${JSON.stringify(json.connectors)}`);
        return;
      }
      await sleep(50);
    }
  }

  async #trade(): Promise<void> {
    while (!this.#stopped) {
      await sleep(PAUSE_MS * (0.5 + this.#random.uniform()));
      if (this.#paused) continue;
      this.#busy += 1;
      try {
        await this.#once();
      } finally {
        this.#busy -= 1;
      }
    }
  }

  async #once(): Promise<void> {
    const wanted = await this.#next();
    if (wanted === null) return;
    if (this.#random.uniform() < REFUSED) await this.#venue.refuseLeg();
    const asked: Asked = { key: randomUUID(), executionId: null, ...wanted };
    this.#asked.push(asked);
    // An unanswered request is repeated with its key until somebody answers: it is one order.
    for (;;) {
      const running = await this.#gateway.whenRunning();
      if (running === null || this.#stopped) return;
      try {
        const { status, json } = await running.client.request('POST', asked.path, {
          headers: { ...this.#headers, 'idempotency-key': asked.key },
          body: asked.body,
          timeoutMs: 15_000,
        });
        if (status === 202 || status === 200 || status === 201) asked.executionId = json.execution.id;
        return;
      } catch {
        await sleep(20);
      }
    }
  }

  async #next(): Promise<{ readonly path: string; readonly body: object } | null> {
    const running = await this.#gateway.whenRunning();
    if (running === null) return null;
    const positions = await running.client
      .request('GET', '/positions', { headers: this.#headers, timeoutMs: 5_000 })
      .then(({ json }) => (json.positions ?? []) as Json[])
      .catch(() => null);
    if (positions === null) return null;
    const held = positions[Math.floor(this.#random.uniform() * positions.length)];
    const chance = this.#random.uniform();
    if (held !== undefined && chance < 0.5) {
      const share = chance < 0.25 ? {} : { fraction: '0.5' };
      return { path: `/positions/${held.id}/close`, body: { type: 'MARKET', ...share } };
    }
    const first = Math.floor(this.#random.uniform() * COINS.length);
    const second = (first + 1 + Math.floor(this.#random.uniform() * (COINS.length - 1))) % COINS.length;
    const amount = String(40 + Math.floor(this.#random.uniform() * 200));
    return {
      path: '/trade/open',
      body: {
        type: 'MARKET',
        onLegFailure: POLICIES[Math.floor(this.#random.uniform() * POLICIES.length)],
        legs: [
          { symbol: `${COINS[first]}-PERP`, side: 'BUY', mode: 'USD', amount },
          { symbol: `${COINS[second]}-PERP`, side: 'SELL', mode: 'USD', amount },
        ],
      },
    };
  }

  async #executions(client: GatewayClient): Promise<Json[]> {
    const all: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json }: { json: Json } = await client.request('GET', `/executions?limit=200${more}`, {
        headers: this.#headers,
      });
      all.push(...json.executions);
      cursor = json.nextCursor ?? null;
    }
    return all;
  }

  async #untilEnded(client: GatewayClient, deadline: number): Promise<void> {
    for (;;) {
      const open = (await this.#executions(client)).filter(({ status }) => !ENDED.includes(status));
      if (open.length === 0) return;
      if (performance.now() > deadline) {
        this.complaints.push(`not ended: ${JSON.stringify(open.slice(0, 2))}`);
        return;
      }
      await sleep(200);
    }
  }

  async #differences(client: GatewayClient): Promise<string[]> {
    const found: string[] = [];
    const truth = await this.#venue.truth();
    const get = async (path: string) => (await client.request('GET', path, { headers: this.#headers })).json;

    // Lost: what was acknowledged is there.
    const executions = await this.#executions(client);
    const ids = new Set(executions.map(({ id }) => id as string));
    for (const { executionId, path } of this.#asked)
      if (executionId !== null && !ids.has(executionId)) found.push(`lost: ${path} ${executionId}`);
    // Repeated: two requests never share an execution, and one has one.
    const told = this.#asked.flatMap(({ executionId }) => executionId ?? []);
    if (new Set(told).size !== told.length) found.push('two requests have one execution');
    if (new Set(truth.orders).size !== truth.orders.length)
      found.push('the venue has a client order id twice');

    // Every fill of the venue is booked once, with its quantity, and no other.
    const signed = (side: string, size: string) => (side === 'BUY' ? new Big(size) : new Big(size).neg());
    const booked: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Json = await get(
        `/fills?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      booked.push(...page.fills);
      cursor = page.nextCursor ?? null;
    }
    if (booked.length !== truth.fills.length)
      found.push(`${truth.fills.length} fills at the venue, ${booked.length} here`);
    const outside = booked.filter(({ executionId }) => executionId === null);
    if (outside.length > 0) found.push(`unexplained: ${JSON.stringify(outside[0])}`);
    const wanted = new Map<string, Big>();
    const has = new Map<string, Big>();
    const add = (to: Map<string, Big>, symbol: string, size: Big) =>
      to.set(symbol, (to.get(symbol) ?? new Big(0)).plus(size));
    for (const { coin, isBuy, size } of truth.fills)
      add(wanted, `${coin}-PERP`, signed(isBuy ? 'BUY' : 'SELL', size));
    for (const { symbol, side, quantity } of booked) add(has, symbol, signed(side, quantity));
    for (const [symbol, size] of wanted)
      if (!(has.get(symbol) ?? new Big(0)).eq(size))
        found.push(`${symbol}: executed ${size}, booked ${has.get(symbol)}`);

    // The baskets hold as much as the account.
    const { positions } = await get('/positions?limit=200');
    const holds = new Map<string, Big>();
    for (const { legs } of positions as Json[])
      for (const { symbol, side, quantity } of legs) add(holds, symbol, signed(side, quantity));
    const { unassigned } = { unassigned: JSON.stringify(await get('/positions/unassigned')) };
    if (/"quantity":"(?!0")/.test(unassigned)) found.push(`in no basket: ${unassigned}`);
    for (const coin of COINS) {
      const there = new Big(truth.positions.find((one) => one.coin === coin)?.size ?? 0);
      const here = holds.get(`${coin}-PERP`) ?? new Big(0);
      if (!here.eq(there)) found.push(`${coin}: the account holds ${there}, the baskets ${here}`);
    }
    this.#counts = { fills: truth.fills.length, executions: executions.length };
    return found;
  }
}
