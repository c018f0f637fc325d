/**
 * A gateway under load that is killed and started again, with its paper venue either in a process of its own (which lives
 * on, or is killed by itself) or inside it (both die). Whatever breaks a rule ends up in `complaints`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import { MortalGateway, type RunningGateway } from '../../real-time/support/mortal-gateway.ts';
import type { PausableLoad } from '../../real-time/support/pausable-load.ts';
import { type AccountState, readAccount } from '../../support/account-state.ts';
import { auditAccount, readVenue } from '../../support/audit-account.ts';
import { auditPortfolio, readPortfolio } from '../../support/audit-portfolio.ts';
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { type SimInspector, startSim } from '../../support/sim-client.ts';
import { trader } from '../../support/trader.ts';
import { askersOf } from './askers.ts';
import { auditAuthority } from './audit-authority.ts';
import { headersOf, type LoadUser, startBasketLoad } from './basket-load.ts';
import { type EventFollower, followEvents } from './event-follower.ts';
import { type MortalVenue, startMortalVenue } from './mortal-venue.ts';
import { OrderLedger } from './order-ledger.ts';

const ACCOUNTS = 4;
/** An order that never arrived is given up 5.5 s after it was sent; the rest is for a slow machine. */
const REST_WITHIN_MS = 60_000;
const CHECKS_AT_ONCE = 16;

export interface CrashRigOptions {
  readonly dataDir: string;
  /** Folder of a venue that runs in a process of its own; null: the venue is inside the gateway. */
  readonly venueDir: string | null;
  readonly seed: number;
}

export class CrashRig {
  readonly #options: CrashRigOptions;
  readonly #random: Random;
  readonly #ledger = new OrderLedger();
  readonly #gateway: MortalGateway;
  #venue: MortalVenue | null = null;
  #load: PausableLoad | null = null;
  #followed: readonly { readonly account: LoadUser; readonly follower: EventFollower }[] = [];
  #checked = 0;
  #totals = { executions: 0, fills: 0, events: 0 };
  #slowestRestMs = 0;

  constructor(options: CrashRigOptions) {
    this.#options = options;
    this.#random = new Random(options.seed, 99);
    this.#gateway = new MortalGateway(
      () => ({
        dataDir: options.dataDir,
        ...(this.#venue === null ? {} : { simPort: this.#venue.port }),
        profile: options.venueDir === null ? 'frictionless' : 'realistic',
      }),
      (complaint) => this.#ledger.complain(complaint),
    );
  }

  get complaints(): readonly string[] {
    return [...this.#ledger.complaints, ...this.#followed.flatMap(({ follower }) => follower.complaints)];
  }

  /** One line for the person who runs the test. */
  get figures(): string {
    const { asked } = this.#ledger;
    const unanswered = asked.filter(({ state }) => state === 'unknown').length;
    const { executions, fills, events } = this.#totals;
    return [
      `${this.#gateway.starts} starts (${Math.round(this.#gateway.startMs)} ms each)`,
      `${asked.length} requests, ${this.#ledger.acknowledged().length} acknowledged, ${unanswered} unanswered`,
      `${executions} executions, ${fills} fills, ${events} events`,
      `all at rest within ${this.#slowestRestMs} ms`,
    ].join('; ');
  }

  /** Kills two first starts on the empty folder, makes the accounts and lets the load begin. */
  async begin(): Promise<void> {
    const { venueDir, seed } = this.#options;
    if (venueDir !== null) this.#venue = await startMortalVenue(venueDir, this.#random);
    await this.killWhileStarting();
    await this.killWhileStarting();
    const { client, port } = await this.#gateway.start();
    const accounts: LoadUser[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const email = `bot${index}@example.test`;
      const user = await trader(client, { email, connector: 'paper' });
      accounts.push({ ...user, askers: await askersOf({ client, port }, user, email) });
    }
    this.#followed = accounts.map((account) => ({ account, follower: followEvents(account) }));
    await this.#follow(port);
    this.#load = startBasketLoad({
      accounts,
      seed,
      ledger: this.#ledger,
      gateway: () => this.#gateway.whenRunning(),
    });
    await sleep(300);
    await this.#gateway.kill();
  }

  /** Kills it somewhere between its start and shortly after it serves. */
  async killWhileStarting(): Promise<void> {
    this.#gateway.launch();
    await sleep(this.#random.uniform() * 1.2 * this.#gateway.startMs);
    await this.#gateway.kill();
  }

  /** Lets it run for a random time, rather short than long, up to `atMostMs`. */
  async killWhileRunning(atMostMs: number): Promise<void> {
    const { client } = await this.#start();
    if (atMostMs > 500) await this.#acknowledgedExist(client);
    await sleep(this.#random.uniform() ** 2 * atMostMs);
    await this.#gateway.kill();
  }

  /** Kills the venue under a running gateway; the gateway hears of its return, and is killed later. */
  async killVenue(): Promise<void> {
    await this.#start();
    await sleep(this.#random.uniform() * 500);
    await this.#restartVenue(() => {});
  }

  /** The venue is killed and the gateway starts while it is away. */
  async killVenueBeforeStart(): Promise<void> {
    await this.#restartVenue(() => this.#gateway.launch());
  }

  /** Starts the gateway, lets everything that was taken come to its end, stops it and audits what it said. */
  async rest(): Promise<void> {
    const { client, port } = await this.#start();
    await this.#load?.pause();
    const began = performance.now();
    await this.#untilEnded(client);
    this.#slowestRestMs = Math.max(this.#slowestRestMs, Math.round(performance.now() - began));
    const states: AccountState[] = [];
    const told: number[] = [];
    for (const [index, { account, follower }] of this.#followed.entries()) {
      await account.askers.renew({ client, port });
      // Funding may come while the account is read: its events are compared the next time.
      told.push(follower.heard.length);
      states.push(await readAccount(client, port, account));
      const money = auditPortfolio(await readPortfolio(client, account), null);
      for (const what of money) this.#ledger.complain(`account ${index + 1}: ${what}`);
    }
    await this.#isReady(client);
    await this.#gateway.stop();
    await this.#withInspector((inspector) => this.#audit(states, told, inspector));
    this.#load?.resume();
  }

  async end(): Promise<void> {
    await this.#gateway.close();
    await this.#load?.stop();
    for (const { follower } of this.#followed) follower.leave();
    await this.#venue?.close();
  }

  async #start(): Promise<RunningGateway> {
    const running = await this.#gateway.start();
    await this.#follow(running.port);
    return running;
  }

  async #follow(port: number): Promise<void> {
    await Promise.all(this.#followed.map(({ follower }) => follower.join(port)));
  }

  async #restartVenue(meanwhile: () => void): Promise<void> {
    if (this.#venue === null) throw new Error('the venue is inside the gateway');
    await this.#venue.kill();
    meanwhile();
    await sleep(this.#random.uniform() * 300);
    await this.#venue.start();
    await sleep(this.#random.uniform() * 800);
    await this.#gateway.kill();
  }

  /** Checks that each execution acknowledged since the last check exists under its id. */
  async #acknowledgedExist(client: GatewayClient): Promise<void> {
    const { asked } = this.#ledger;
    const fresh = asked.slice(this.#checked).filter(({ state }) => state === 'acknowledged');
    this.#checked = asked.length;
    for (let from = 0; from < fresh.length; from += CHECKS_AT_ONCE) {
      await Promise.all(
        fresh.slice(from, from + CHECKS_AT_ONCE).map(async ({ accountId, executionId, serial }) => {
          const headers = this.#headersOf(accountId);
          const { status } = await client.request('GET', `/executions/${executionId}`, { headers });
          if (status !== 200)
            this.#ledger.complain(`execution ${executionId} of request ${serial}: ${status}`);
        }),
      );
    }
  }

  async #untilEnded(client: GatewayClient): Promise<void> {
    const deadline = performance.now() + REST_WITHIN_MS;
    for (const { account } of this.#followed) {
      const headers = headersOf(account);
      // Open executions are among the latest: each basket has at most one.
      for (;;) {
        const { json } = await client.request('GET', '/executions?limit=200', { headers });
        const open = json.executions.filter(({ status }: Json) => status === 'IDLE' || status === 'ACTIVE');
        if (open.length === 0 || performance.now() > deadline) break;
        await sleep(50);
      }
    }
  }

  async #isReady(client: GatewayClient): Promise<void> {
    const { json } = await client.request('GET', '/ready');
    for (const { name, ok, detail } of json.checks) {
      if (!ok) this.#ledger.complain(`not ready: ${name}, ${detail}`);
    }
  }

  /** A venue that lives inside the gateway is looked at from a process of its own, while the gateway is stopped. */
  async #withInspector(look: (inspector: SimInspector) => Promise<void>): Promise<void> {
    const own = this.#venue === null ? await startSim({ dataDir: this.#options.dataDir }) : null;
    const inspector = await (own ?? this.#venue)?.inspect();
    if (inspector === undefined) throw new Error('there is no venue');
    await look(inspector);
    inspector.close();
    await own?.stop();
  }

  /** @param told numbers of events that the followers had heard before their accounts were read */
  async #audit(
    states: readonly AccountState[],
    told: readonly number[],
    inspector: SimInspector,
  ): Promise<void> {
    for (const [index, state] of states.entries()) {
      const followed = this.#followed[index];
      if (followed === undefined) throw new Error('every account is followed');
      const { account, follower } = followed;
      const complain = (what: string) => this.#ledger.complain(`account ${index + 1}: ${what}`);
      auditAuthority(state, account.askers.all).forEach(complain);
      auditAccount(state, await readVenue(inspector, account.accountId)).forEach(complain);
      this.#ledger.compare(account.accountId, state.executions).forEach(complain);
      const heard = follower.heard.slice(0, told[index]);
      const differs = heard.findIndex((one, at) => JSON.stringify(one) !== JSON.stringify(state.events[at]));
      if (differs >= 0)
        complain(
          `told ${JSON.stringify(heard[differs])}, on disk ${JSON.stringify(state.events[differs])} of ${state.events.length}`,
        );
    }
    for (const [id, times] of this.#venue?.sent ?? []) {
      if (times > 1) this.#ledger.complain(`order ${id} was sent ${times} times`);
    }
    const count = (what: keyof AccountState) =>
      states.reduce((total, state) => total + state[what].length, 0);
    this.#totals = { executions: count('executions'), fills: count('fills'), events: count('events') };
  }

  #headersOf(accountId: string): Readonly<Record<string, string>> {
    const key = this.#followed.find(({ account }) => account.accountId === accountId)?.account.key ?? '';
    return { 'x-api-key': key, 'x-trade-account-id': accountId };
  }
}
