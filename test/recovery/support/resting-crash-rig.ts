/**
 * A gateway on which hundreds of things wait, killed and started again while its paper venue lives on in a process of its own,
 * where prices rise, so that things fire while the gateway runs and while it is away. Whatever breaks a rule is in
 * `complaints`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../gateway/venues/paper/market/random.ts';
import { MortalGateway } from '../../real-time/support/mortal-gateway.ts';
import { readAccount } from '../../support/account-state.ts';
import { auditAccount, readVenue } from '../../support/audit-account.ts';
import { auditResting, type RestingState, readResting } from '../../support/audit-resting.ts';
import type { GatewayClient } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { KEY_LABEL, trader } from '../../support/trader.ts';
import { askersOf } from './askers.ts';
import { auditAuthority } from './audit-authority.ts';
import { headersOf, type LoadUser } from './basket-load.ts';
import { type MortalVenue, startMortalVenue } from './mortal-venue.ts';
import { type RestingLoad, RISING, startRestingLoad, type Thing, type Wanted } from './resting-load.ts';

const ACCOUNTS = 4;
/** Longest time until everything ends once every level is passed. */
const REST_WITHIN_MS = 60_000;
/** Schedules that are not done by then are cancelled: their slices are sent as long as the test lets them. */
const SLICES_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 250;
/** Beyond every level that was ever set. */
const FAR = 1.5;

export class RestingCrashRig {
  readonly complaints: string[] = [];
  readonly #dataDir: string;
  readonly #venueDir: string;
  readonly #wanted: Wanted;
  readonly #random: Random;
  readonly #seed: number;
  readonly #gateway: MortalGateway;
  #venue: MortalVenue | null = null;
  #load: RestingLoad | null = null;
  #accounts: readonly LoadUser[] = [];
  #found = '';

  /** @param wanted how many wait at any time, all accounts together */
  constructor(options: {
    readonly dataDir: string;
    readonly venueDir: string;
    readonly wanted: Wanted;
    readonly seed: number;
  }) {
    this.#dataDir = options.dataDir;
    this.#venueDir = options.venueDir;
    this.#wanted = options.wanted;
    this.#seed = options.seed;
    this.#random = new Random(options.seed, 17);
    this.#gateway = new MortalGateway(
      () => ({
        dataDir: this.#dataDir,
        profile: 'realistic',
        ...(this.#venue === null ? {} : { simPort: this.#venue.port }),
      }),
      (complaint) => this.complaints.push(complaint),
    );
  }

  /** One line for the person who runs the test. */
  get figures(): string {
    return `${this.#gateway.starts} starts (${Math.round(this.#gateway.startMs)} ms each); ${this.#found}`;
  }

  /** Makes the accounts and lets as much wait as is wanted. */
  async begin(): Promise<void> {
    this.#venue = await startMortalVenue(this.#venueDir, this.#random);
    const { client, port } = await this.#gateway.start();
    const accounts: LoadUser[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const email = `bot${index}@example.test`;
      const user = await trader(client, { email, connector: 'paper' });
      accounts.push({ ...user, askers: await askersOf({ client, port }, user, email) });
    }
    this.#accounts = accounts;
    const share = (count: number) => Math.ceil(count / ACCOUNTS);
    this.#load = startRestingLoad({
      accounts,
      wanted: {
        triggers: share(this.#wanted.triggers),
        schedules: share(this.#wanted.schedules),
        ladders: share(this.#wanted.ladders),
      },
      random: new Random(this.#seed, 18),
      gateway: () => this.#gateway.whenRunning(),
      complain: (complaint) => this.complaints.push(complaint),
    });
    await this.#load.filled();
    await this.#gateway.kill();
  }

  /** Lives and dies once; prices rise at a random moment of the life, of the start, or of the time between. */
  async round(): Promise<void> {
    const rise = this.#random.uniform();
    if (rise < 0.3) await this.#rise();
    const starting = this.#gateway.start();
    if (rise >= 0.3 && rise < 0.4) await this.#rise();
    const started = await starting;
    for (const { askers } of this.#accounts) await askers.renew(started);
    if (rise >= 0.4) {
      await sleep(this.#random.uniform() * 600);
      await this.#rise();
      // Firing takes milliseconds: the death is to come among them more often than not.
      await sleep(this.#random.uniform() ** 3 * 400);
    } else {
      await sleep(this.#random.uniform() ** 2 * 800);
    }
    await this.#gateway.kill();
  }

  /** Passes every level, lets all come to its end, and compares everything with everything. */
  async rest(): Promise<void> {
    const { client, port } = await this.#gateway.start();
    await this.#load?.stop();
    for (const ticker of RISING) await this.#shock(ticker, FAR);
    for (const account of this.#accounts) await this.#settle(client, account);
    const inspector = await this.#venue?.inspect();
    if (inspector === undefined) throw new Error('there is no venue');
    const found = { triggers: 0, fired: 0, slices: 0, executions: 0, fills: 0 };
    for (const [index, account] of this.#accounts.entries()) {
      const complain = (what: string) => this.complaints.push(`account ${index + 1}: ${what}`);
      const state = await readAccount(client, port, account);
      const resting = await readResting(client, account);
      auditAccount(state, await readVenue(inspector, account.accountId)).forEach(complain);
      auditAuthority(state, account.askers.all, resting).forEach(complain);
      this.#placedByWhoAsked(resting, account).forEach(complain);
      auditResting(resting, state, this.#load?.cancelled ?? new Set()).forEach(complain);
      this.#acknowledgedExist(resting, account).forEach(complain);
      found.triggers += resting.triggers.length;
      found.fired += resting.triggers.filter(({ executionId }) => executionId !== null).length;
      found.slices += state.executions.filter(({ origin }) => origin === 'SCHEDULE').length;
      found.executions += state.executions.length;
      found.fills += state.fills.length;
    }
    inspector.close();
    for (const [id, times] of this.#venue?.sent ?? []) {
      if (times > 1) this.complaints.push(`order ${id} was sent ${times} times`);
    }
    this.#found = Object.entries(found)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
    await this.#gateway.stop();
  }

  async end(): Promise<void> {
    await this.#gateway.close();
    await this.#load?.stop();
    await this.#venue?.close();
  }

  async #rise(): Promise<void> {
    for (const ticker of RISING) await this.#shock(ticker, 1 + this.#random.uniform() * 0.008);
  }

  async #shock(ticker: string, factor: number): Promise<void> {
    const inspector = await this.#venue?.inspect();
    await inspector?.shock(`${ticker}-PERP`, factor);
    inspector?.close();
  }

  async #settle(client: GatewayClient, account: LoadUser): Promise<void> {
    const headers = headersOf(account);
    const list = async (path: string, of: string): Promise<Json[]> =>
      (await client.request('GET', path, { headers })).json[of];
    const until = async (limitMs: number, isSo: () => Promise<boolean>): Promise<void> => {
      for (const deadline = performance.now() + limitMs; performance.now() < deadline; ) {
        if (await isSo()) return;
        await sleep(LOOK_EVERY_MS);
      }
    };
    await until(REST_WITHIN_MS, async () => {
      const waiting = await list('/triggers?kind=OPEN&limit=2000&status=ACTIVE,PAUSED,TRIGGERED', 'triggers');
      for (const rung of waiting) await this.#resumeRung(client, account, rung);
      return waiting.length === 0;
    });
    await until(
      SLICES_WITHIN_MS,
      async () => (await list('/schedules?status=ACTIVE,PAUSED', 'schedules')).length === 0,
    );
    for (const { id } of await list('/schedules?limit=2000&status=ACTIVE,PAUSED', 'schedules'))
      await client.request('POST', `/schedules/${id}/cancel`, { headers });
    await client.request('POST', '/triggers/cancel-all', { headers });
    await until(REST_WITHIN_MS, async () => {
      const path = '/executions?limit=2000&includeSchedule=true&includeTriggers=true';
      const open = (await list(path, 'executions')).filter(({ finishedAt }) => finishedAt === null);
      const firing = await list('/triggers?status=TRIGGERED', 'triggers');
      return open.length + firing.length === 0;
    });
  }

  /** A rung that filled in part pauses the others of its ladder. Who placed them resumes them. */
  async #resumeRung(
    client: GatewayClient,
    account: LoadUser,
    { id, pauseReason, authority }: Json,
  ): Promise<void> {
    if (pauseReason !== 'LEG_IMBALANCE') return;
    const headers = headersOf(account, authority.name);
    const { status, text } = await client.request('POST', `/triggers/${id}/resume`, { headers });
    if (status !== 200 && status !== 409) this.complaints.push(`a rung was resumed: ${status} ${text}`);
  }

  /** Whoever resumes what was paused takes it over. */
  #placedByWhoAsked(state: RestingState, account: LoadUser): readonly string[] {
    const found = [...state.triggers, ...state.schedules, ...state.ladders];
    const by = new Map(found.map(({ id, authority }) => [id, authority.name]));
    const rightly = ({ id, by: asked }: Thing) =>
      id === null ||
      by.get(id) === asked ||
      (this.#load?.resumed.has(id) === true && by.get(id) === KEY_LABEL);
    return (this.#load?.things ?? [])
      .filter((thing) => thing.accountId === account.accountId && !rightly(thing))
      .map(({ kind, id, by: asked }) => `${kind} ${id} came from ${asked} and says ${by.get(id ?? '')}`);
  }

  /** Complains about acknowledged orders that do not exist. */
  #acknowledgedExist(state: RestingState, account: LoadUser): readonly string[] {
    const there = new Set([...state.triggers, ...state.schedules, ...state.ladders].map(({ id }) => id));
    const things = this.#load?.things ?? [];
    return things
      .filter(({ accountId, id }) => accountId === account.accountId && id !== null && !there.has(id))
      .map(({ kind, id }) => `${kind} ${id} was acknowledged and is not there`);
  }
}
