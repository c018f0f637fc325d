/**
 * A gateway that is killed while programs with a mandate ask for more than it allows: what they have opened is added up here
 * from the executions that the gateway tells, and held against the limit of then.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Big from 'big.js';
import type { MandateBody } from '../../../gateway/contract/mandate.ts';
import { openStore } from '../../../gateway/store/open-store.ts';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { CrashVenue } from '../../real-time/support/live-crash-venues.ts';
import { MortalGateway } from '../../real-time/support/mortal-gateway.ts';
import { type GatewayClient, PASSWORD } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { smallMandate } from '../../support/small-mandate.ts';

const BOTS = 6;
const COINS = ['BTC', 'ETH', 'SOL'] as const;
const REST_WITHIN_MS = 120_000;
/** Amount added to the limit with each life, USD: less than the bots ask for. */
const STEP_USD = 260;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];

export class MandateCrashRig {
  readonly complaints: string[] = [];
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #gateway: MortalGateway;
  readonly #venue: CrashVenue | null;
  #session: Record<string, string> = {};
  #headers: Record<string, string> = {};
  #accountId = '';
  #keyId = '';
  #version = 1;
  #limit = STEP_USD;
  #paused = true;
  #stopped = false;
  #busy = 0;
  #bots: Promise<void>[] = [];
  #counts = { asked: 0, taken: 0, refused: 0, audited: 0, past: new Big(0), opened: new Big(0), left: 0 };

  /** @param venue null: paper, inside the gateway */
  constructor(options: {
    readonly dataDir: string;
    readonly seed: number;
    readonly venue: CrashVenue | null;
  }) {
    this.#dataDir = options.dataDir;
    this.#venue = options.venue;
    this.#random = new Random(options.seed, 53);
    this.#gateway = new MortalGateway(
      () => ({
        dataDir: options.dataDir,
        ...(options.venue === null
          ? { profile: 'realistic' as const }
          : { flags: ['--allow-file-vault'], env: options.venue.env }),
      }),
      (complaint) => {
        if (!complaint.includes('"msg":"Not yet: ')) this.complaints.push(complaint);
      },
    );
  }

  get figures(): string {
    const { asked, taken, refused, audited, past, opened, left } = this.#counts;
    return [
      `${this.#gateway.starts} starts`,
      `${asked} orders asked for, ${taken} taken, ${refused} refused by the mandate`,
      `${opened.toFixed(2)} of ${this.#limit} USD opened in ${audited} audits, ${past.toFixed(2)} USD past the limit`,
      `${left} reservations left over`,
    ].join('; ');
  }

  async begin(): Promise<void> {
    await this.#venue?.begin();
    const { client } = await this.#gateway.start();
    const user = await client.register();
    this.#session = { authorization: `Bearer ${user.accessToken}` };
    const made = await client.request('POST', '/trade-accounts', {
      headers: this.#session,
      body: {
        alias: 'Agents',
        connector: this.#venue?.connector ?? 'paper',
        ...(this.#venue === null ? {} : { credentials: this.#venue.credentials }),
      },
    });
    if (made.status !== 201) throw new Error(`connect: ${made.text}`);
    this.#accountId = made.json.id;
    if (this.#venue !== null) {
      const armed = await client.request('PUT', `/trade-accounts/${this.#accountId}/arming`, {
        headers: this.#session,
        body: { alias: 'Agents', perOrderUsd: '100000', totalUsd: '900000', allow: { apiKeys: true } },
      });
      if (armed.status !== 200) throw new Error(`arm: ${armed.text}`);
    }
    const key = await client.request('POST', '/api-keys', {
      headers: this.#session,
      body: { label: 'bot', scope: 'read_write', mandate: this.#terms() },
    });
    if (key.status !== 201) throw new Error(`key: ${key.text}`);
    this.#keyId = key.json.id;
    this.#headers = { 'x-api-key': key.json.key, 'x-trade-account-id': this.#accountId };
    await this.#isUp(client);
    this.#bots = Array.from({ length: BOTS }, () => this.#trade());
    this.#paused = false;
    await sleep(1_000);
    await this.#gateway.kill();
  }

  async killWhileStarting(): Promise<void> {
    this.#gateway.launch();
    await sleep(this.#random.uniform() * 1.5 * this.#gateway.startMs);
    await this.#gateway.kill();
  }

  /** A life whose limit is a little above what was opened before, and far below what its bots ask for. */
  async killWhileRunning(atMostMs: number): Promise<void> {
    const { client } = await this.#gateway.start();
    await this.#audit(client, 'after a start');
    await this.#raise(client);
    await sleep(this.#random.uniform() ** 2 * atMostMs);
    await this.#gateway.kill();
  }

  /** Lets everything end, audits, and looks for what is still reserved on disk. */
  async rest(): Promise<void> {
    const { client } = await this.#gateway.start();
    this.#paused = true;
    const deadline = performance.now() + REST_WITHIN_MS;
    while (this.#busy > 0 && performance.now() < deadline) await sleep(50);
    await this.#isUp(client);
    for (;;) {
      const open = (await this.#executions(client)).filter(({ status }) => !ENDED.includes(status));
      if (open.length === 0) break;
      if (performance.now() > deadline) {
        this.complaints.push(`not ended: ${JSON.stringify(open.slice(0, 2))}`);
        break;
      }
      await sleep(200);
    }
    await this.#audit(client, 'at rest');
    await this.#gateway.stop();
    await this.#onDisk();
    this.#paused = false;
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.#gateway.close();
    await Promise.all(this.#bots);
    await this.#venue?.end();
  }

  #terms(): MandateBody {
    return smallMandate(this.#accountId, {
      kinds: ['now', 'when'],
      maxOrderUsd: '400',
      maxOpenedUsd24h: String(this.#limit),
      maxGrossUsd: null,
      maxLeverage: null,
      maxPositions: null,
      maxResting: null,
      maxSlippage: null,
      validUntil: null,
      lossStop: null,
      // Its budget alone is to hold: whoever is refused so often would be suspended.
      runaway: { refusals: null, reopenings: null, feesUsd: null },
      approval: NOBODY_ASKED,
      rate: { perMinute: 600, perDay: 100_000, coolDownSeconds: 0 },
    });
  }

  async #raise(client: GatewayClient): Promise<void> {
    const limit = this.#limit + STEP_USD;
    this.#limit = limit;
    const changed = await client.request('PUT', `/agents/${this.#keyId}/mandate`, {
      headers: this.#session,
      body: { mandate: this.#terms(), ifVersion: this.#version, password: PASSWORD },
    });
    if (changed.status === 401) {
      const again = await client.request('POST', '/auth/login', {
        body: { email: 'ada@example.test', password: PASSWORD },
      });
      this.#session = { authorization: `Bearer ${again.json.accessToken}` };
    }
    if (changed.status === 200) this.#version = changed.json.mandate.version;
    else if (changed.status !== 401) this.complaints.push(`raise: ${changed.status} ${changed.text}`);
    if (changed.status === 401) this.#limit -= STEP_USD;
  }

  /** Checks that the total opened by the mandate's holder is within the current limit. */
  async #audit(client: GatewayClient, when: string): Promise<void> {
    const opened = (await this.#executions(client)).reduce((sum: Big, { intent, orders }: Json) => {
      if (intent !== 'OPEN' && intent !== 'ADJUST') return sum;
      const filled = (orders as Json[]).filter(({ reduceOnly }) => reduceOnly !== true);
      return filled.reduce(
        (all: Big, { filledQuantity, averagePrice }: Json) =>
          all.plus(new Big(filledQuantity).mul(averagePrice ?? 0)),
        sum,
      );
    }, new Big(0));
    this.#counts.audited += 1;
    this.#counts.opened = opened;
    const past = opened.minus(this.#limit);
    if (past.lte(0)) return;
    if (past.gt(this.#counts.past)) this.#counts.past = past;
    this.complaints.push(`${when}: ${opened.toFixed(4)} USD opened, ${this.#limit} allowed`);
  }

  /** Checks the stopped gateway's file: no reservation without an execution in progress. */
  async #onDisk(): Promise<void> {
    const clock = { now: () => Date.now() };
    const store = await openStore({ file: join(this.#dataDir, 'tandem.db'), clock, logger: silentLogger });
    try {
      const { executions, waiting } = await store.reservations(0);
      const left = [
        ...executions.filter(({ finishedAt }) => finishedAt === null),
        ...waiting.filter(({ waits }) => waits),
      ];
      this.#counts.left += left.length;
      if (left.length > 0) this.complaints.push(`left over: ${JSON.stringify(left.slice(0, 2))}`);
    } finally {
      await store.close();
    }
  }

  async #isUp(client: GatewayClient): Promise<void> {
    const connector = this.#venue?.connector ?? 'paper';
    const deadline = performance.now() + REST_WITHIN_MS;
    for (;;) {
      const { json } = await client.request('GET', '/connectors', { headers: this.#headers });
      if (json.connectors.some(({ id, status }: Json) => id === connector && status === 'UP')) return;
      if (performance.now() > deadline) throw new Error('the venue did not come up');
      await sleep(50);
    }
  }

  async #trade(): Promise<void> {
    while (!this.#stopped) {
      await sleep(30 * (0.5 + this.#random.uniform()));
      if (this.#paused) continue;
      this.#busy += 1;
      try {
        await this.#once();
      } finally {
        this.#busy -= 1;
      }
    }
  }

  /** Each asks again with its key until somebody answers. */
  async #once(): Promise<void> {
    const first = Math.floor(this.#random.uniform() * COINS.length);
    const amount = String(20 + Math.floor(this.#random.uniform() * 150));
    const legs = [
      { symbol: `${COINS[first]}-PERP`, side: 'BUY', mode: 'USD', amount },
      { symbol: `${COINS[(first + 1) % COINS.length]}-PERP`, side: 'SELL', mode: 'USD', amount },
    ];
    const key = randomUUID();
    this.#counts.asked += 1;
    for (;;) {
      const running = await this.#gateway.whenRunning();
      if (running === null || this.#stopped) return;
      try {
        const { status, json } = await running.client.request('POST', '/trade/open', {
          headers: { ...this.#headers, 'idempotency-key': key },
          body: { type: 'MARKET', legs, onLegFailure: this.#random.uniform() < 0.5 ? 'RETRY' : 'KEEP' },
          timeoutMs: 15_000,
        });
        if (status === 202) this.#counts.taken += 1;
        if (json?.errorCode === 'AGENT_LIMIT') this.#counts.refused += 1;
        return;
      } catch {
        await sleep(20);
      }
    }
  }

  async #executions(client: GatewayClient): Promise<Json[]> {
    const all: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json }: { json: Json } = await client.request(
        'GET',
        `/executions?limit=200&includeTriggers=true${more}`,
        { headers: this.#headers },
      );
      all.push(...json.executions);
      cursor = json.nextCursor ?? null;
    }
    return all;
  }
}

const NOBODY_ASKED: MandateBody['approval'] = {
  when: 'never',
  aboveUsd: null,
  kinds: [],
  passwordAboveUsd: null,
  lifeSeconds: 600,
  driftBps: 50,
  firsts: 'off',
};
