/**
 * A storm: careless traders on two connectors, the gateway and the venue stopped, frozen and killed under them, and a second
 * set of books that must agree whenever it is let come to rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayClient } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import type { StormRandom } from '../../support/storm-random.ts';
import { MortalGateway, type RunningGateway } from './mortal-gateway.ts';
import type { PausableLoad } from './pausable-load.ts';
import type { StormAccount } from './storm-account.ts';
import {
  type Finding,
  type GatewayReading,
  isQuiet,
  KINDS,
  type Kind,
  ledgerOf,
  readGateway,
  sentTwice,
  unbalanced,
  unexplained,
  unprotected,
  type VenueReading,
} from './storm-audit.ts';
import { startStormLoad } from './storm-load.ts';
import type { StormVenue } from './storm-venue.ts';

const QUIET_WITHIN_MS = 120_000;
const SETTLED_WITHIN_MS = 20_000;
const FLAT_WITHIN_MS = 60_000;
/** A venue that goes on works off what waited for it first. */
const AWAKE_WITHIN_MS = 1_000;
const SHOWN = 12;

export interface StormOptions {
  readonly dataDir: string;
  readonly venue: StormVenue;
  readonly random: StormRandom;
  readonly longestFreezeMs: number;
  readonly pauseMs: number;
}

export class StormWorld {
  readonly #options: StormOptions;
  readonly #gateway: MortalGateway;
  readonly #found = new Map<string, Finding>();
  readonly #other: string[] = [];
  /** Standstills of gateway and venue, ms since 1970. A killed gateway stands still until it serves again. */
  readonly #stood: { readonly who: 'gateway' | 'venue'; readonly from: number; readonly to: number }[] = [];
  #accounts: readonly StormAccount[] = [];
  #load: PausableLoad | null = null;
  #slowestMs = 0;
  #totals = '';
  kills = 0;
  freezes = 0;

  constructor(options: StormOptions) {
    this.#options = options;
    this.#gateway = new MortalGateway(
      () => ({ dataDir: options.dataDir, ...options.venue.gatewayOptions }),
      (complaint) => this.#other.push(complaint),
    );
  }

  get counts(): Readonly<Record<Kind, number>> {
    const of = (kind: Kind) => [...this.#found.values()].filter((one) => one.kind === kind).length;
    return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, number>;
  }

  /** Other failures than the five kinds: answers 500, error records of the log, a load that could not go on. */
  get others(): readonly string[] {
    const all = [...this.#other, ...this.#accounts.flatMap(({ promises }) => promises.complaints)];
    return all
      .filter((complaint) => !this.#isOfTheFreeze(complaint))
      .map((complaint) => `${complaint} (${this.#standstillBefore(complaint)})`);
  }

  get figures(): string {
    const made = new Map<string, number>();
    for (const { promises } of this.#accounts)
      for (const [what, times] of promises.counts) made.set(what, (made.get(what) ?? 0) + times);
    const most = [...made].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
    return [
      `${this.kills} kills, ${this.freezes} freezes; ${this.#totals}; settled within ${this.#slowestMs} ms`,
      most.map(([what, times]) => `${times} × ${what}`).join(', '),
    ].join('\n      ');
  }

  /** Each finding with what was done to its instrument or position. */
  get report(): string {
    return [...this.#found.values()]
      .map(({ kind, said }) => `${kind}: ${said}`)
      .slice(0, 3 * SHOWN)
      .join('\n');
  }

  async begin(): Promise<void> {
    const { venue, random } = this.#options;
    await venue.start();
    const { client } = await this.#gateway.start();
    const accounts = await venue.connect(client);
    this.#accounts = accounts;
    this.#load = startStormLoad({
      accounts,
      random: random.fork(1),
      gateway: () => this.#gateway.whenRunning(),
      pauseMs: this.#options.pauseMs,
    });
  }

  /** Kills the gateway, and starts it again after a while. */
  async kill(): Promise<void> {
    this.kills += 1;
    const from = Date.now();
    await this.#gateway.kill();
    await sleep(this.#options.random.between(0, 1_000));
    await this.#gateway.start();
    this.#stood.push({ who: 'gateway', from, to: Date.now() });
  }

  async freeze(whom: 'gateway' | 'venue'): Promise<void> {
    const pid = whom === 'gateway' ? this.#gateway.pid : this.#options.venue.pid;
    if (pid === null) return;
    this.freezes += 1;
    const from = Date.now();
    process.kill(pid, 'SIGSTOP');
    await sleep(this.#options.random.between(1_500, this.#options.longestFreezeMs));
    process.kill(pid, 'SIGCONT');
    this.#stood.push({ who: whom, from, to: Date.now() });
  }

  /**
   * While the venue stands still, the right answer is that it gave none. The same words at any other moment are a complaint,
   * except of a venue whose answers fail all the time.
   */
  #isOfTheFreeze(complaint: string): boolean {
    if (!this.#options.venue.isSilence(complaint)) return false;
    if (this.#options.venue.alwaysFails) return true;
    const at = timeOf(complaint);
    return this.#stood.some(
      ({ who, from, to }) => who === 'venue' && from <= at && at <= to + AWAKE_WITHIN_MS,
    );
  }

  #standstillBefore(complaint: string): string {
    const last = this.#stood.findLast(({ from }) => from <= timeOf(complaint));
    if (last === undefined) return 'nobody had stood still before';
    const { who, from, to } = last;
    return `the ${who} had stood still for ${to - from} ms, until ${timeOf(complaint) - to} ms before`;
  }

  /** Lets everything come to rest, and compares. The market goes on meanwhile, and so do stops. */
  async rest(): Promise<void> {
    await this.#load?.pause();
    this.#options.venue.rest(true);
    const running = await this.#gateway.whenRunning();
    if (running === null) throw new Error('there is no gateway');
    for (const account of this.#accounts) {
      await this.#compare(running, account);
    }
    this.#options.venue.rest(false);
    this.#load?.resume();
  }

  /** Ends the load, closes everything, stops the gateway and looks at both venues. */
  async end(): Promise<void> {
    await this.#load?.pause();
    this.#options.venue.rest(true);
    const running = await this.#gateway.whenRunning();
    if (running === null) throw new Error('there is no gateway');
    for (const account of this.#accounts) {
      await this.#compare(running, account);
      await this.#closeEverything(running, account);
    }
    for (const account of this.#accounts) {
      await this.#compare(running, account);
    }
    const readings = new Map<StormAccount, GatewayReading>();
    for (const account of this.#accounts) {
      if ((await this.#options.venue.look(account)) === null)
        readings.set(account, await this.#quiet(running, account));
    }
    await this.#load?.stop();
    await this.#gateway.stop();
    const inside = await this.#options.venue.lookInside([...readings.keys()]);
    for (const [account, venue] of inside) {
      const reading = readings.get(account);
      if (reading !== undefined) this.#judge(account, reading, venue, 'final');
    }
  }

  async close(): Promise<void> {
    await this.#gateway.close();
    await this.#load?.stop();
    await this.#options.venue.close();
  }

  /** An execution has its time from when it began: stops go on firing while the load rests. */
  async #quiet(running: RunningGateway, account: StormAccount): Promise<GatewayReading> {
    const began = Date.now();
    for (;;) {
      const reading = await readGateway(running.client, account);
      if (isQuiet(reading)) return reading;
      const left = reading.executions.filter(({ status }) => status === 'IDLE' || status === 'ACTIVE');
      const late = left.filter(
        ({ createdAt }) => Date.now() > Math.max(began, Date.parse(createdAt)) + QUIET_WITHIN_MS,
      );
      if (late.length > 0 || Date.now() > began + 3 * QUIET_WITHIN_MS) {
        this.#note(
          'unexplained',
          account,
          `${left.length} executions do not end: ${left.map(shown).join('; ')}`,
        );
        return reading;
      }
      await sleep(200);
    }
  }

  /** Until the two agree, for as long as settling may take; then what differs is written down. Not of a venue in the gateway. */
  async #compare(running: RunningGateway, account: StormAccount): Promise<void> {
    const began = performance.now();
    for (;;) {
      const before = await this.#quiet(running, account);
      const venue = await this.#options.venue.look(account);
      if (venue === null) return;
      const after = await readGateway(running.client, account);
      const isStill = stateOf(before) === stateOf(after);
      const ledger = ledgerOf(after, venue);
      const differs = [...ledger.lost, ...unexplained(after, ledger, venue), ...unbalanced(ledger, venue)];
      if (isStill && differs.length === 0) {
        this.#slowestMs = Math.max(this.#slowestMs, Math.round(performance.now() - began));
        this.#judge(account, after, venue, 'rest');
        return;
      }
      if (
        performance.now() - began > SETTLED_WITHIN_MS &&
        (isStill || performance.now() - began > QUIET_WITHIN_MS)
      ) {
        this.#judge(account, after, venue, 'rest');
        return;
      }
      await sleep(300);
    }
  }

  #judge(account: StormAccount, reading: GatewayReading, venue: VenueReading, when: string): void {
    const ledger = ledgerOf(reading, venue);
    const note = (kind: Kind, said: readonly string[]) => {
      for (const one of said) this.#note(kind, account, one, when);
    };
    note('lost', ledger.lost);
    note('lost', acknowledgedAndGone(account, reading));
    note('doubled', ledger.doubled);
    note('doubled', sentTwice(venue));
    note('opened', ledger.opened);
    note('unexplained', unexplained(reading, ledger, venue));
    note('unexplained', unbalanced(ledger, venue));
    note('unprotected', unprotected(reading, account));
    this.#totals = `${reading.executions.length} executions, ${reading.fills.length} fills of the last account`;
  }

  #note(kind: Kind, account: StormAccount, said: string, when = 'rest'): void {
    const key = `${kind} ${account.accountId} ${said}`;
    if (this.#found.has(key)) return;
    const trail = account.promises.trail.filter(
      (one) =>
        idsIn(said).some((id) => one.said.includes(id)) || one.said.includes(said.split(' ')[1] ?? ' '),
    );
    const shown = trail.slice(-SHOWN).map((one) => `      ${one.at} ${one.said.slice(0, 300)}`);
    this.#found.set(key, { kind, said: [`${account.connector} ${when}: ${said}`, ...shown].join('\n') });
  }

  /** Panic until flat; what stays must be named by the gateway. */
  async #closeEverything({ client, port }: RunningGateway, account: StormAccount): Promise<void> {
    const api = gatewayClient(`http://127.0.0.1:${port}`);
    const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
    account.promises.stops.clear();
    account.promises.stopsToCome.clear();
    const panic = await api.request('POST', '/safety/panic', { headers, body: { confirm: 'CLOSE ALL' } });
    if (panic.status !== 202) this.#other.push(`panic: ${panic.status} ${panic.text.slice(0, 200)}`);
    const deadline = performance.now() + FLAT_WITHIN_MS;
    for (;;) {
      const { json } = await client.request('GET', '/positions?status=OPEN&limit=100', { headers });
      if (json.positions.length === 0) return;
      if (performance.now() > deadline) {
        const safety = (await client.request('GET', '/safety', { headers })).text;
        for (const { id, legs } of json.positions) {
          const isNamed = safety.includes(id) || legs.every(({ symbol }: Json) => safety.includes(symbol));
          if (!isNamed) this.#note('unexplained', account, `panic left position ${id} and does not name it`);
        }
        return;
      }
      await sleep(250);
    }
  }
}

/** Time of a complaint's answer or log line, ms since 1970; NaN: it names no time. */
function timeOf(complaint: string): number {
  return Date.parse(/"time(?:stamp)?":"([^"]+)"/.exec(complaint)?.[1] ?? '');
}

function stateOf({ executions, fills }: GatewayReading): string {
  return `${executions.length} ${fills.length} ${executions[0]?.id ?? ''}`;
}

/** Every execution that was acknowledged exists, none twice. */
function acknowledgedAndGone(account: StormAccount, { executions }: GatewayReading): readonly string[] {
  const known = new Set(executions.map(({ id }) => id));
  return [...account.promises.acknowledged.values()]
    .filter((id) => !known.has(id))
    .map((id) => `execution ${id} was acknowledged and is not there`);
}

function idsIn(said: string): readonly string[] {
  return said.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}

/** Text of an execution with the state of its orders. */
function shown({ id, intent, status, createdAt, orders }: Json): string {
  const each = orders.map(
    (order: Json) =>
      `${order.symbol} ${order.status} ${order.filledQuantity}/${order.quantity} attempt ${order.attempt} ${order.errorCode ?? ''} ${order.error ?? ''}`,
  );
  return `${id} ${intent} ${status} since ${createdAt} (${each.join(', ')})`;
}
