/**
 * A gateway that trades on an emulated live venue in a process of its own, which outlives it. What the venue executed is
 * added up here from the venue's own list, and compared with what the gateway says it holds and did.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import type { CrashVenue } from '../../real-time/support/live-crash-venues.ts';
import type { GatewayClient, TestAnswer } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { type BotCrashOptions, BotCrashRig, type BotOrder, COINS } from './bot-crash-rig.ts';

/** Share of requests of which the venue refuses a leg. */
const REFUSED = 0.1;
const POLICIES = ['KEEP', 'UNWIND', 'RETRY'];
const ENDED = ['COMPLETED', 'PARTIALLY_FILLED', 'FAILED', 'CANCELLED'];

interface Asked extends BotOrder {
  executionId: string | null;
}

export class LiveCrashRig extends BotCrashRig<Asked> {
  readonly #venue: CrashVenue;
  readonly #asked: Asked[] = [];
  #slowestRestMs = 0;
  #counts = { fills: 0, executions: 0 };

  constructor(options: BotCrashOptions, venue: CrashVenue) {
    super(options, venue, { count: 2, pauseMs: 150, stream: 31 });
    this.#venue = venue;
  }

  get figures(): string {
    const acknowledged = this.#asked.filter(({ executionId }) => executionId !== null).length;
    return [
      `${this.gateway.starts} starts (${Math.round(this.gateway.startMs)} ms each)`,
      `${this.#asked.length} requests, ${acknowledged} acknowledged`,
      `${this.#counts.executions} executions, ${this.#counts.fills} fills at the venue`,
      `all at rest within ${this.#slowestRestMs} ms`,
    ].join('; ');
  }

  protected keyRequest(): object {
    return { label: 'bot', scope: 'read_write' };
  }

  protected async killWhileRunning(atMostMs: number): Promise<void> {
    await this.gateway.start();
    await sleep(this.random.uniform() * atMostMs);
    await this.gateway.kill();
  }

  protected async audit(client: GatewayClient, deadline: number): Promise<void> {
    const began = performance.now();
    await this.untilEnded(client, ENDED, deadline);
    // Differences remain until the account stream and the history have told the last orders.
    let differs = await this.#differences(client);
    while (differs.length > 0 && performance.now() < deadline) {
      await sleep(500);
      differs = await this.#differences(client);
    }
    this.complaints.push(...differs);
    this.#slowestRestMs = Math.max(this.#slowestRestMs, Math.round(performance.now() - began));
    await this.gateway.stop();
  }

  protected noteAnswer(order: Asked, { status, json }: TestAnswer): void {
    const isTaken = status === 202 || status === 200 || status === 201;
    if (isTaken) order.executionId = json.execution.id;
  }

  protected async nextOrder(): Promise<Asked | null> {
    const wanted = await this.#wanted();
    if (wanted === null) return null;
    if (this.random.uniform() < REFUSED) await this.#venue.refuseLeg();
    const asked: Asked = { executionId: null, ...wanted };
    this.#asked.push(asked);
    return asked;
  }

  async #wanted(): Promise<BotOrder | null> {
    const running = await this.gateway.whenRunning();
    if (running === null) return null;
    const positions = await running.client
      .request('GET', '/positions', { headers: this.headers, timeoutMs: 5_000 })
      .then(({ json }) => (json.positions ?? []) as Json[])
      .catch(() => null);
    if (positions === null) return null;
    const held = positions[Math.floor(this.random.uniform() * positions.length)];
    const chance = this.random.uniform();
    if (held !== undefined && chance < 0.5) {
      const share = chance < 0.25 ? {} : { fraction: '0.5' };
      return { path: `/positions/${held.id}/close`, body: { type: 'MARKET', ...share } };
    }
    const first = Math.floor(this.random.uniform() * COINS.length);
    const second = (first + 1 + Math.floor(this.random.uniform() * (COINS.length - 1))) % COINS.length;
    const amount = String(40 + Math.floor(this.random.uniform() * 200));
    return {
      path: '/trade/open',
      body: {
        type: 'MARKET',
        onLegFailure: POLICIES[Math.floor(this.random.uniform() * POLICIES.length)],
        legs: [
          { symbol: `${COINS[first]}-PERP`, side: 'BUY', mode: 'USD', amount },
          { symbol: `${COINS[second]}-PERP`, side: 'SELL', mode: 'USD', amount },
        ],
      },
    };
  }

  async #differences(client: GatewayClient): Promise<string[]> {
    const found: string[] = [];
    const truth = await this.#venue.truth();
    const get = async (path: string) => (await client.request('GET', path, { headers: this.headers })).json;

    // Lost: what was acknowledged is there.
    const executions = await this.list(client, 'executions');
    const ids = new Set(executions.map(({ id }) => id as string));
    for (const { executionId, path } of this.#asked)
      if (executionId !== null && !ids.has(executionId)) found.push(`lost: ${path} ${executionId}`);
    // Repeated: two requests never share an execution, and one has one.
    const told = this.#asked.flatMap(({ executionId }) => executionId ?? []);
    if (new Set(told).size !== told.length) found.push('two requests have one execution');
    if (new Set(truth.orders.map(({ clientOrderId }) => clientOrderId)).size !== truth.orders.length)
      found.push('the venue has a client order id twice');

    // Every fill of the venue is booked once, with its quantity, and no other.
    const signed = (side: string, size: string) => (side === 'BUY' ? new Big(size) : new Big(size).neg());
    const booked = await this.list(client, 'fills');
    if (booked.length !== truth.fills.length)
      found.push(`${truth.fills.length} fills at the venue, ${booked.length} here`);
    const outside = booked.filter(({ executionId }) => executionId === null);
    if (outside.length > 0) found.push(`unexplained: ${JSON.stringify(outside[0])}`);
    const wanted = new Map<string, Big>();
    const has = new Map<string, Big>();
    const add = (to: Map<string, Big>, symbol: string, size: Big) =>
      to.set(symbol, (to.get(symbol) ?? new Big(0)).plus(size));
    for (const { symbol, side, quantity } of truth.fills) add(wanted, symbol, signed(side, quantity));
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
      const there = new Big(truth.positions.find(({ symbol }) => symbol === `${coin}-PERP`)?.quantity ?? 0);
      const here = holds.get(`${coin}-PERP`) ?? new Big(0);
      if (!here.eq(there)) found.push(`${coin}: the account holds ${there}, the baskets ${here}`);
    }
    this.#counts = { fills: truth.fills.length, executions: executions.length };
    return found;
  }
}
