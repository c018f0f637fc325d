/**
 * A gateway that is killed and started again on one data folder under a load, with its paper venue either in a process of
 * its own (which lives on, or is killed by itself) or inside it (both die).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultAction, faultScript } from '../../gateway/venues/paper/faults.ts';
import { Random } from '../../gateway/venues/paper/random.ts';
import { readAccount } from './account-state.ts';
import { auditAccount, readVenue } from './audit-account.ts';
import { type BasketLoad, type LoadAccount, type RunningGateway, startBasketLoad } from './basket-load.ts';
import { type EventFollower, followEvents } from './event-follower.ts';
import { type GatewayClient, gatewayClient } from './gateway-client.ts';
import { errorRecords, type GatewayProcess, launchGateway } from './gateway-process.ts';
import type { Json } from './json.ts';
import { OrderLedger } from './order-ledger.ts';
import { type SimProcess, startSim } from './sim-client.ts';
import { type SimTap, tapSim } from './sim-tap.ts';
import { trader } from './trader.ts';

const ACCOUNTS = 4;
/** An order that never arrived is given up 5.5 s after it was sent; the rest is a slow machine. */
const REST_WITHIN_MS = 20_000;
const FAULTY_ORDERS = 4_000;

export interface CrashRigOptions {
  readonly dataDir: string;
  /** Where a venue of its own process keeps its files; undefined: the venue is inside the gateway. */
  readonly venueDir?: string;
  readonly seed: number;
}

export interface CrashFigures {
  readonly starts: number;
  readonly requests: number;
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly executions: number;
  readonly fills: number;
  readonly events: number;
  /** Longest wait until everything had ended, ms. */
  readonly slowestRestMs: number;
}

export class CrashRig {
  readonly #options: CrashRigOptions;
  readonly #random: Random;
  readonly #ledger = new OrderLedger();
  #accounts: readonly LoadAccount[] = [];
  #followers: readonly EventFollower[] = [];
  #load: BasketLoad | null = null;
  #sim: SimProcess | null = null;
  #tap: SimTap | null = null;
  #process: GatewayProcess | null = null;
  #running: RunningGateway | null = null;
  #port = 0;
  #starts = 0;
  #checked = 0;
  #startMs = 500;
  #waiting: ((gateway: RunningGateway) => void)[] = [];
  #figures = { executions: 0, fills: 0, events: 0, slowestRestMs: 0 };

  constructor(options: CrashRigOptions) {
    this.#options = options;
    this.#random = new Random(options.seed, 99);
  }

  get complaints(): readonly string[] {
    const heard = this.#followers.flatMap(({ complaints }) => complaints);
    return [...this.#ledger.complaints, ...heard];
  }

  get figures(): CrashFigures {
    const { asked } = this.#ledger;
    return {
      ...this.#figures,
      starts: this.#starts,
      requests: asked.length,
      acknowledged: this.#ledger.acknowledged().length,
      unanswered: asked.filter(({ state }) => state === 'unknown').length,
    };
  }

  /** Starts everything, makes the accounts and lets the load begin. */
  async begin(): Promise<void> {
    const { venueDir, seed } = this.#options;
    if (venueDir !== undefined) {
      this.#sim = await startSim({ dataDir: venueDir, profile: 'realistic', seed: 7 });
      this.#tap = await tapSim(this.#sim.port);
      await this.#setFaults();
    }
    const { client } = await this.start();
    const accounts: LoadAccount[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      accounts.push(await trader(client, { email: `bot${index}@example.test`, connector: 'paper' }));
    }
    this.#accounts = accounts;
    this.#followers = accounts.map(followEvents);
    await Promise.all(this.#followers.map((follower) => follower.join(this.#port)));
    this.#load = startBasketLoad({
      accounts,
      seed,
      ledger: this.#ledger,
      gateway: () => this.#whenRunning(),
    });
  }

  /** Starts the gateway and waits until it serves. */
  async start(): Promise<RunningGateway> {
    const process = this.#launch();
    const began = performance.now();
    const { url, port } = await process.ready;
    this.#startMs = 0.8 * this.#startMs + 0.2 * (performance.now() - began);
    this.#port = port;
    const running = { client: gatewayClient(url), generation: this.#starts };
    this.#running = running;
    for (const resolve of this.#waiting.splice(0)) resolve(running);
    await Promise.all(this.#followers.map((follower) => follower.join(port)));
    return running;
  }

  /** Starts the gateway and kills it somewhere in between, or shortly after it serves. */
  async killWhileStarting(): Promise<void> {
    const process = this.#launch();
    await sleep(this.#random.uniform() * 1.2 * this.#startMs);
    await this.#kill(process);
  }

  /** Starts the gateway, lets it run for a random time up to `atMostMs`, and kills it. */
  async killWhileRunning(atMostMs: number): Promise<void> {
    const { client } = await this.start();
    if (atMostMs > 500) await this.#acknowledgedExist(client);
    await sleep(this.#random.uniform() ** 2 * atMostMs);
    if (this.#process !== null) await this.#kill(this.#process);
  }

  /** Kills the venue under a running gateway and starts it again. With `both`, the gateway starts while it is away. */
  async killVenue(both: boolean): Promise<void> {
    const { venueDir } = this.#options;
    const sim = this.#sim;
    if (sim === null || venueDir === undefined) throw new Error('the venue is inside the gateway');
    if (!both) await this.start();
    await sleep(this.#random.uniform() * 300);
    await sim.stop('SIGKILL');
    if (both) this.#launch();
    await sleep(this.#random.uniform() * 300);
    this.#sim = await startSim({ dataDir: venueDir, profile: 'realistic', seed: 7, port: sim.port });
    await this.#setFaults();
    await sleep(this.#random.uniform() * 500);
    if (this.#process !== null) await this.#kill(this.#process);
  }

  /** Starts the gateway, lets everything that was taken come to its end, and audits it. */
  async rest(): Promise<void> {
    const { client } = await this.start();
    await this.#load?.pause();
    const began = performance.now();
    await this.#untilEnded(client);
    this.#figures.slowestRestMs = Math.max(this.#figures.slowestRestMs, Math.round(performance.now() - began));
    await this.#audit(client);
    this.#load?.resume();
  }

  async end(): Promise<void> {
    if (this.#running === null && this.#process === null) await this.start();
    await this.#load?.stop();
    for (const follower of this.#followers) follower.leave();
    if (this.#process !== null) {
      const end = await this.#process.stop('SIGTERM');
      if (end.code !== 0) this.#ledger.complain(`stopping ended with ${end.signal ?? end.code}`);
    }
    this.#tap?.close();
    await this.#sim?.stop('SIGTERM');
  }

  #launch(): GatewayProcess {
    this.#starts += 1;
    const process = launchGateway({
      dataDir: this.#options.dataDir,
      ...(this.#tap === null ? {} : { simPort: this.#tap.port }),
      profile: this.#tap === null ? 'frictionless' : 'realistic',
    });
    this.#process = process;
    return process;
  }

  async #kill(process: GatewayProcess): Promise<void> {
    this.#running = null;
    const { signal, code } = await process.stop('SIGKILL');
    if (signal !== 'SIGKILL') {
      this.#ledger.complain(`start ${this.#starts} ended by itself (${code}): ${process.errorLines.join('\n')}`);
    }
    this.#readLog(process);
    this.#process = null;
  }

  #readLog(process: GatewayProcess): void {
    for (const record of errorRecords(process.errorLines))
      this.#ledger.complain(`start ${this.#starts}: ${record}`);
  }

  #whenRunning(): Promise<RunningGateway> {
    if (this.#running !== null) return Promise.resolve(this.#running);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** What was acknowledged since the last look is there, under the id that was told. */
  async #acknowledgedExist(client: GatewayClient): Promise<void> {
    const { asked } = this.#ledger;
    const fresh = asked.slice(this.#checked).filter(({ state }) => state === 'acknowledged');
    this.#checked = asked.length;
    for (let from = 0; from < fresh.length; from += 16) {
      await Promise.all(
        fresh.slice(from, from + 16).map(async ({ accountId, executionId, serial }) => {
          const headers = this.#headersOf(accountId);
          const { status } = await client.request('GET', `/executions/${executionId}`, { headers });
          if (status !== 200) this.#ledger.complain(`execution ${executionId} of request ${serial}: ${status}`);
        }),
      );
    }
  }

  async #untilEnded(client: GatewayClient): Promise<void> {
    const deadline = performance.now() + REST_WITHIN_MS;
    for (const { accountId } of this.#accounts) {
      const headers = this.#headersOf(accountId);
      // Running executions are among the latest: each basket has one at most.
      for (;;) {
        const { json } = await client.request('GET', '/executions?limit=200', { headers });
        const open = json.executions.filter(({ status }: Json) => status === 'IDLE' || status === 'ACTIVE');
        if (open.length === 0 || performance.now() > deadline) break;
        await sleep(50);
      }
    }
  }

  async #audit(client: GatewayClient): Promise<void> {
    const totals = { executions: 0, fills: 0, events: 0 };
    const inspector = await this.#sim?.inspect();
    for (const [index, account] of this.#accounts.entries()) {
      const state = await readAccount(client, this.#port, account);
      const venue = inspector === undefined ? null : await readVenue(inspector, account.accountId);
      const told = [
        ...(venue === null ? [] : auditAccount(state, venue)),
        ...this.#ledger.compare(account.accountId, state.executions),
      ];
      for (const complaint of told) this.#ledger.complain(`account ${index + 1}: ${complaint}`);
      const heard = this.#followers[index]?.heard ?? [];
      const onDisk = state.events.slice(0, heard.length);
      if (JSON.stringify(heard) !== JSON.stringify(onDisk)) {
        this.#ledger.complain(`account ${index + 1}: what was told before is not what is on disk`);
      }
      totals.executions += state.executions.length;
      totals.fills += state.fills.length;
      totals.events += state.events.length;
    }
    inspector?.close();
    Object.assign(this.#figures, totals);
    for (const [id, times] of this.#tap?.sent ?? []) {
      if (times > 1) this.#ledger.complain(`order ${id} was sent ${times} times`);
    }
    const { json } = await client.request('GET', '/ready');
    for (const { name, ok, detail } of json.checks) {
      if (!ok) this.#ledger.complain(`not ready: ${name}, ${detail}`);
    }
  }

  #headersOf(accountId: string): Readonly<Record<string, string>> {
    const account = this.#accounts.find((candidate) => candidate.accountId === accountId);
    return { 'x-api-key': account?.key ?? '', 'x-trade-account-id': accountId };
  }

  /** A few orders of every kind of trouble, so that retries, unwinds and lookups are under way when it dies. */
  async #setFaults(): Promise<void> {
    if (this.#sim === null) return;
    const kinds: readonly FaultAction[] = [
      { kind: 'reject', reason: 'other', message: 'not now' },
      { kind: 'fill', fraction: '0.5' },
      { kind: 'fill', fraction: '0.3' },
      { kind: 'delay', delayMs: 400 },
      { kind: 'drop_answer' },
      { kind: 'duplicate_fill' },
      { kind: 'disconnect_stream', forMs: 200 },
    ];
    let script = faultScript();
    for (let order = 1; order <= FAULTY_ORDERS; order += 1) {
      const kind = kinds[Math.floor(this.#random.uniform() * kinds.length * 8)];
      if (kind !== undefined) script = script.at({ order }, kind);
    }
    const inspector = await this.#sim.inspect();
    await inspector.setFaults(script.done());
    inspector.close();
  }
}
