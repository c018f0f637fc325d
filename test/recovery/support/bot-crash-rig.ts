/** A gateway that is killed while bots order on it: a request is repeated with its key until somebody answers, as one order. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import type { CrashVenue } from '../../real-time/support/live-crash-venues.ts';
import { MortalGateway } from '../../real-time/support/mortal-gateway.ts';
import { wholeList } from '../../support/account-state.ts';
import type { GatewayClient, TestAnswer } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';

export const COINS = ['BTC', 'ETH', 'SOL'] as const;
const REST_WITHIN_MS = 120_000;
/** A rest comes after so many kills. */
const REST_EVERY = 25;

export interface BotOrder {
  readonly path: string;
  readonly body: object;
}

export interface BotCrashOptions {
  readonly dataDir: string;
  readonly seed: number;
}

/** Chances as bounds of a number from 0 to 1, and longest lives. */
export interface Lives {
  readonly starting: number;
  readonly short: number;
  readonly shortMs: number;
  readonly longMs: number;
}

export abstract class BotCrashRig<Order extends BotOrder = BotOrder> {
  readonly complaints: string[] = [];
  protected readonly random: Random;
  protected readonly gateway: MortalGateway;
  protected session: Record<string, string> = {};
  protected headers: Record<string, string> = {};
  protected accountId = '';
  protected keyId = '';
  readonly #venue: CrashVenue | null;
  readonly #bots: { readonly count: number; readonly pauseMs: number };
  #running: Promise<void>[] = [];
  #paused = false;
  #stopped = false;
  #busy = 0;

  /** @param venue null: paper, inside the gateway */
  protected constructor(
    { dataDir, seed }: BotCrashOptions,
    venue: CrashVenue | null,
    bots: { readonly count: number; readonly pauseMs: number; readonly stream: number },
  ) {
    this.#venue = venue;
    this.#bots = bots;
    this.random = new Random(seed, bots.stream);
    this.gateway = new MortalGateway(
      () => ({
        dataDir,
        ...(venue === null
          ? { profile: 'realistic' as const }
          : { flags: ['--allow-file-vault'], env: venue.env }),
      }),
      (complaint) => {
        // Asked before the account is open at the venue, a bot hears so and asks again.
        if (!complaint.includes('"msg":"Not yet: ')) this.complaints.push(complaint);
      },
    );
  }

  /** Body of the request for the bots' API key. */
  protected abstract keyRequest(): object;
  /** The next order of a bot; null: none. */
  protected abstract nextOrder(): Promise<Order | null>;
  protected abstract noteAnswer(order: Order, answer: TestAnswer): void;
  /** Lets the gateway run for a random time. */
  protected abstract killWhileRunning(atMostMs: number): Promise<void>;
  /** Compares the gateway with what is true. @param deadline by `performance.now` */
  protected abstract audit(client: GatewayClient, deadline: number): Promise<void>;

  async begin(): Promise<void> {
    const venue = this.#venue;
    await venue?.begin();
    const { client } = await this.gateway.start();
    this.session = { authorization: `Bearer ${(await client.register()).accessToken}` };
    const headers = this.session;
    const credentials = venue === null ? {} : { credentials: venue.credentials };
    const body = { alias: 'Main', connector: this.#connector, ...credentials };
    this.accountId = (await client.expect('POST', '/trade-accounts', { headers, body }, 201)).id;
    if (venue !== null)
      await client.expect('PUT', `/trade-accounts/${this.accountId}/arming`, {
        headers,
        body: { alias: 'Main', perOrderUsd: '100000', totalUsd: '900000', allow: { apiKeys: true } },
      });
    const key = await client.expect('POST', '/api-keys', { headers, body: this.keyRequest() }, 201);
    this.keyId = key.id;
    this.headers = { 'x-api-key': key.key, 'x-trade-account-id': this.accountId };
    await this.#isUp(client);
    this.#running = Array.from({ length: this.#bots.count }, () => this.#trade());
    await sleep(1_000);
    await this.gateway.kill();
  }

  /** Kills it so often: during a start, after a short life, or after a longer one. */
  async kill(times: number, random: Random, lives: Lives): Promise<void> {
    for (let killed = 1; killed <= times && this.complaints.length === 0; killed += 1) {
      const chance = random.uniform();
      if (chance < lives.starting) await this.#killWhileStarting();
      else await this.killWhileRunning(chance < lives.short ? lives.shortMs : lives.longMs);
      if (killed % REST_EVERY === 0 || killed === times) await this.#rest();
    }
  }

  async end(): Promise<void> {
    this.#stopped = true;
    await this.gateway.close();
    await Promise.all(this.#running);
    await this.#venue?.end();
  }

  async #killWhileStarting(): Promise<void> {
    this.gateway.launch();
    await sleep(this.random.uniform() * 1.5 * this.gateway.startMs);
    await this.gateway.kill();
  }

  /** Lets everything come to its end, audits, stops. */
  async #rest(): Promise<void> {
    const { client } = await this.gateway.start();
    this.#paused = true;
    const deadline = performance.now() + REST_WITHIN_MS;
    while (this.#busy > 0 && performance.now() < deadline) await sleep(50);
    await this.#isUp(client);
    await this.audit(client, deadline);
    this.#paused = false;
  }

  protected async untilEnded(
    client: GatewayClient,
    ended: readonly string[],
    deadline: number,
  ): Promise<void> {
    for (;;) {
      const open = (await this.list(client, 'executions')).filter(({ status }) => !ended.includes(status));
      if (open.length === 0) return;
      if (performance.now() > deadline) {
        this.complaints.push(`not ended: ${JSON.stringify(open.slice(0, 2))}`);
        return;
      }
      await sleep(200);
    }
  }

  protected list(client: GatewayClient, name: 'executions' | 'fills'): Promise<readonly Json[]> {
    return wholeList(client, { key: this.headers['x-api-key'] ?? '', accountId: this.accountId }, name);
  }

  get #connector(): string {
    return this.#venue?.connector ?? 'paper';
  }

  async #isUp(client: GatewayClient): Promise<void> {
    const deadline = performance.now() + REST_WITHIN_MS;
    for (;;) {
      const { json } = await client.request('GET', '/connectors', { headers: this.headers });
      if (json.connectors.some(({ id, status }: Json) => id === this.#connector && status === 'UP')) return;
      if (performance.now() > deadline)
        throw new Error(`the venue did not come up: ${JSON.stringify(json.connectors)}`);
      await sleep(50);
    }
  }

  async #trade(): Promise<void> {
    while (!this.#stopped) {
      await sleep(this.#bots.pauseMs * (0.5 + this.random.uniform()));
      if (this.#paused) continue;
      this.#busy += 1;
      try {
        const order = await this.nextOrder();
        if (order !== null) await this.#ask(order);
      } finally {
        this.#busy -= 1;
      }
    }
  }

  async #ask(order: Order): Promise<void> {
    const headers = { ...this.headers, 'idempotency-key': randomUUID() };
    for (;;) {
      const running = await this.gateway.whenRunning();
      if (running === null || this.#stopped) return;
      try {
        const asked = { headers, body: order.body, timeoutMs: 15_000 };
        this.noteAnswer(order, await running.client.request('POST', order.path, asked));
        return;
      } catch {
        await sleep(20);
      }
    }
  }
}
