/** The accounts that are open at a live venue, each with its latest reading of balances and positions. */
import type { Result } from '../../../domain/result.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { FeeRates, VenueAccount, VenueError } from '../../../engine/ports/venue.ts';
import type { Reading } from './account-calls.ts';
import { SharedReading } from './shared-reading.ts';

/** Largest age of a reading for a plan. */
const STATE_FRESH_MS = 6_000;
/** Intervals of requests for the fees; the second if the venue does not answer. Tiers change once a day. */
const FEES_EVERY_MS = 60 * 60_000;
const FEES_AGAIN_MS = 60_000;

export interface OpenAccount<Session> {
  readonly account: VenueAccount;
  readonly session: Session;
  /** Opening time by `Clock.uptime`. */
  readonly openedAt: number;
  readonly state: SharedReading<Result<Reading, VenueError>>;
  /** Time of the next request for the fees, by `Clock.uptime`. */
  feesAt: number;
  /** `version` of the session at the beginning of the reading, and that time by `Clock.uptime`. */
  reading: { readonly value: Reading; readonly version: number; readonly at: number } | null;
  cancelRead: Unsubscribe;
}

/** A session of the venue, as far as its readings concern it. */
interface ReadSession {
  fees: FeeRates | null;
  /** Rises with everything that happens on the account. */
  readonly version: number;
}

export interface AccountReadings<Session> {
  readonly clock: Clock;
  /** Interval of the readings. */
  readonly everyMs: number;
  /** Shortest time between two readings of an account: many plans share one, and others can use the venue's limit. */
  readonly apartMs: () => number;
  /** Reads balances and positions, before all other questions, because every plan of an order waits for them. */
  read(session: Session): Promise<Result<Reading, VenueError>>;
  /** Runs in the background: until the answer, the venue's lowest tier counts. null: the venue did not answer. */
  readFees(session: Session): Promise<FeeRates | null>;
  /** True: something is on its way, so that no earlier reading counts. */
  isUnsettled(session: Session): boolean;
  /** State of the account by the stream, while that is complete; null: unknown. Missing: the stream has no such data. */
  streamed?(session: Session): Reading | null;
}

export class OpenAccounts<Session extends ReadSession> {
  readonly #readings: AccountReadings<Session>;
  readonly #open = new Map<string, OpenAccount<Session>>();

  constructor(readings: AccountReadings<Session>) {
    this.#readings = readings;
  }

  get({ tradeAccountId }: VenueAccount): OpenAccount<Session> | null {
    return this.#open.get(tradeAccountId) ?? null;
  }

  get all(): readonly OpenAccount<Session>[] {
    return [...this.#open.values()];
  }

  get sessions(): readonly Session[] {
    return this.all.map(({ session }) => session);
  }

  /** null: it is closed. */
  of(session: Session): OpenAccount<Session> | null {
    return this.all.find((one) => one.session === session) ?? null;
  }

  /** Reads its state from now on. */
  add(account: VenueAccount, session: Session): void {
    const { clock, apartMs } = this.#readings;
    const one: OpenAccount<Session> = {
      account,
      session,
      openedAt: clock.uptime(),
      state: new SharedReading(clock, apartMs, () => this.#read(one)),
      feesAt: Number.NEGATIVE_INFINITY,
      reading: null,
      cancelRead: () => {},
    };
    this.#open.set(account.tradeAccountId, one);
    void this.#keepReading(one);
  }

  /** Ends its readings; the caller closes its session. null: it was not open. */
  remove({ tradeAccountId }: Pick<VenueAccount, 'tradeAccountId'>): Session | null {
    const one = this.#open.get(tradeAccountId);
    if (one === undefined) return null;
    this.#open.delete(tradeAccountId);
    one.cancelRead();
    return one.session;
  }

  removeAll(): readonly Session[] {
    return [...this.#open.keys()].flatMap((tradeAccountId) => this.remove({ tradeAccountId }) ?? []);
  }

  /** Balances and positions as they are now or in a moment. */
  readNow(one: OpenAccount<Session>): Promise<Result<Reading, VenueError>> {
    return one.state.now();
  }

  /** True: all accounts were read. */
  async readAll(): Promise<boolean> {
    const told = await Promise.all(this.all.map((one) => this.readNow(one)));
    return told.every(({ ok }) => ok);
  }

  /** Reading of the stream while it is complete and nothing is on its way; null: there is none. */
  streamed({ session }: OpenAccount<Session>): Reading | null {
    const { isUnsettled, streamed } = this.#readings;
    return isUnsettled(session) ? null : (streamed?.(session) ?? null);
  }

  /** Reading of the stream, or the latest one while nothing has happened since; null: there is none. */
  fresh(one: OpenAccount<Session>): Reading | null {
    const { clock, isUnsettled } = this.#readings;
    const { reading, session } = one;
    if (isUnsettled(session)) return null;
    const told = this.streamed(one);
    if (told !== null) return told;
    if (reading === null || reading.version !== session.version) return null;
    return clock.uptime() - reading.at < STATE_FRESH_MS ? reading.value : null;
  }

  async readFees(one: OpenAccount<Session>): Promise<void> {
    const { clock, readFees } = this.#readings;
    one.feesAt = clock.uptime() + FEES_AGAIN_MS;
    const fees = await readFees(one.session);
    if (fees === null) return;
    one.session.fees = fees;
    one.feesAt = clock.uptime() + FEES_EVERY_MS;
  }

  async #read(one: OpenAccount<Session>): Promise<Result<Reading, VenueError>> {
    const { version } = one.session;
    const at = this.#readings.clock.uptime();
    const told = await this.#readings.read(one.session);
    if (told.ok) one.reading = { value: told.value, version, at };
    return told;
  }

  async #keepReading(one: OpenAccount<Session>): Promise<void> {
    const { clock, everyMs } = this.#readings;
    await this.readNow(one);
    if (this.get(one.account) !== one) return;
    if (one.feesAt <= clock.uptime()) void this.readFees(one);
    one.cancelRead = clock.after(everyMs, () => void this.#keepReading(one));
  }
}
