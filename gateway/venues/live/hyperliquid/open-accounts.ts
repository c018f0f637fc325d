/** The accounts that are open at Hyperliquid, each with its latest reading of balances and positions. */
import type { Result } from '../../../domain/result.ts';
import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueAccount, VenueError } from '../../../engine/ports/venue.ts';
import { SharedReading } from '../kit/shared-reading.ts';
import type { ReadDeps, Reading } from './account-reads.ts';
import type { CredentialDeps } from './credentials.ts';
import { ModeFollower } from './mode-follower.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** Interval of the readings of an open account's state, and the maximum age of a reading for a plan. */
const STATE_EVERY_MS = 4_000;
const STATE_FRESH_MS = 6_000;
/** Shortest time between two readings of an account: many plans share one, and others can use the venue's limit. */
const APART_MS = 200;
const APART_WHEN_SCARCE_MS = 2_000;
/** Intervals of requests for the fees; the second if the venue does not answer. Tiers change once a day. */
const FEES_EVERY_MS = 60 * 60_000;
const FEES_AGAIN_MS = 60_000;

export interface OpenAccount {
  readonly session: Session;
  readonly follower: ModeFollower;
  /** Opening time by `Clock.uptime`. */
  readonly openedAt: number;
  readonly state: SharedReading<Result<Reading, VenueError>>;
  /** Time of the next request for the fees, by `Clock.uptime`. */
  feesAt: number;
  reading: { readonly value: Reading; readonly version: number; readonly at: number } | null;
  cancelRead: Unsubscribe;
  readonly leaveLimits: Unsubscribe;
}

interface OpenDeps extends ReadDeps {
  readonly keep: CredentialDeps['keep'];
}

export class OpenAccounts {
  readonly #deps: OpenDeps;
  readonly #open = new Map<string, OpenAccount>();

  constructor(deps: OpenDeps) {
    this.#deps = deps;
  }

  get({ tradeAccountId }: VenueAccount): OpenAccount | null {
    return this.#open.get(tradeAccountId) ?? null;
  }

  all(): readonly (readonly [VenueAccount, OpenAccount])[] {
    return [...this.#open].map(([tradeAccountId, one]) => [
      { tradeAccountId, exchangeIdentifier: one.session.user },
      one,
    ]);
  }

  get sessions(): readonly Session[] {
    return [...this.#open.values()].map(({ session }) => session);
  }

  /** The accounts of a session: one, or none when it is closed. */
  of(session: Session): readonly VenueAccount[] {
    return [...this.#open].flatMap(([tradeAccountId, one]) =>
      one.session === session ? [{ tradeAccountId, exchangeIdentifier: session.user }] : [],
    );
  }

  /** Reads its state from now on. */
  add({ tradeAccountId: id }: VenueAccount, session: Session): void {
    const leaveLimits = this.#deps.client.limits.follow(session.user);
    const { client, clock } = this.#deps;
    const apartMs = () => (client.isScarce() ? APART_WHEN_SCARCE_MS : APART_MS);
    const one: OpenAccount = {
      session,
      follower: new ModeFollower(this.#deps, session, ({ keys }, told) => this.#deps.keep(keys, told)),
      openedAt: clock.uptime(),
      state: new SharedReading(clock, apartMs, () => this.#read(one)),
      feesAt: Number.NEGATIVE_INFINITY,
      reading: null,
      cancelRead: () => {},
      leaveLimits,
    };
    this.#open.set(id, one);
    void this.#keepReading(id);
  }

  /** Ends its readings; the caller closes its session. null: it was not open. */
  remove({ tradeAccountId }: Pick<VenueAccount, 'tradeAccountId'>): Session | null {
    const one = this.#open.get(tradeAccountId);
    if (one === undefined) return null;
    this.#open.delete(tradeAccountId);
    one.cancelRead();
    one.leaveLimits();
    return one.session;
  }

  removeAll(): readonly Session[] {
    return [...this.#open.keys()].flatMap((tradeAccountId) => this.remove({ tradeAccountId }) ?? []);
  }

  /** Reads balances and positions, before all other questions, because every plan of an order waits for them. */
  readNow(one: OpenAccount): Promise<Result<Reading, VenueError>> {
    return one.state.now();
  }

  async #read(one: OpenAccount): Promise<Result<Reading, VenueError>> {
    const { version } = one.session;
    const at = this.#deps.clock.uptime();
    const told = await one.follower.read('state');
    if (told.ok) one.reading = { value: told.value, version, at };
    return told;
  }

  /** Runs in the background: until the answer, the venue's lowest tier counts. */
  async #readFees(one: OpenAccount): Promise<void> {
    const { client, clock } = this.#deps;
    one.feesAt = clock.uptime() + FEES_AGAIN_MS;
    const told = await client.info('history', { type: 'userFees', user: one.session.user }, wire.fees);
    if (!told.ok) return;
    const { userCrossRate: taker, userAddRate: maker } = told.value;
    one.session.fees = { taker, maker };
    one.feesAt = clock.uptime() + FEES_EVERY_MS;
  }

  /** True: all accounts were read. */
  async readAll(): Promise<boolean> {
    const told = await Promise.all([...this.#open.values()].map((one) => this.readNow(one)));
    return told.every(({ ok }) => ok);
  }

  /** Latest reading, if nothing has happened since and nothing is on its way; null: there is none. */
  fresh(one: OpenAccount): Reading | null {
    const { reading, session } = one;
    if (session.isSending || reading === null || reading.version !== session.version) return null;
    return this.#deps.clock.uptime() - reading.at < STATE_FRESH_MS ? reading.value : null;
  }

  async #keepReading(id: string): Promise<void> {
    const one = this.#open.get(id);
    if (one === undefined) return;
    await this.readNow(one);
    if (this.#open.get(id) !== one) return;
    if (one.feesAt <= this.#deps.clock.uptime()) void this.#readFees(one);
    one.cancelRead = this.#deps.clock.after(STATE_EVERY_MS, () => void this.#keepReading(id));
  }
}
