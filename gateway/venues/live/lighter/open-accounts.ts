/** The accounts that are open at Lighter, each with its latest reading of balances and positions. */
import { dec, text } from '../../../domain/decimal.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueAccount, VenueError } from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import { SharedReading } from '../kit/shared-reading.ts';
import { type Reading, readingOf } from './account-books.ts';
import { FEE_TICK } from './answers.ts';
import type { Client } from './client.ts';
import type { Listing } from './listing.ts';
import type { Session } from './session.ts';
import * as wire from './wire.ts';

/** Interval of readings besides the stream's balances and positions, and the maximum age of a reading for a plan. */
const STATE_EVERY_MS = 60_000;
const STATE_FRESH_MS = 6_000;
/**
 * Shortest time between two readings of an account: many plans share one, and others can use the venue's limit. While
 * it is scarce, plans of a few busy accounts would otherwise take all of it from questions about orders.
 */
const APART_MS = 500;
const APART_WHEN_SCARCE_MS = 4_000;
/** Retry delay if the venue does not answer. */
const FEES_EVERY_MS = 60 * 60_000;
const FEES_AGAIN_MS = 60_000;

export interface OpenAccount {
  readonly account: VenueAccount;
  readonly session: Session;
  /** Opening time by `Clock.uptime`. */
  readonly openedAt: number;
  readonly state: SharedReading<Result<Reading, VenueError>>;
  /** Time of the next request for the fees, by `Clock.uptime`. */
  feesAt: number;
  reading: { readonly value: Reading; readonly version: number; readonly at: number } | null;
  cancelRead: Unsubscribe;
}

export interface AccountsDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly listing: () => Listing;
}

/** Money and positions of an account, as the venue reports them; anybody may ask for them. */
export async function readAccount(
  { client }: Pick<AccountsDeps, 'client'>,
  accountIndex: number,
  lane: Lane,
): Promise<Result<wire.WireAccount, VenueError>> {
  const query = { by: 'index', value: accountIndex };
  const told = await client.get({ lane, path: '/api/v1/account', query }, wire.accounts);
  if (!told.ok) return told;
  const own = told.value.accounts.find(({ index }) => index === accountIndex);
  return own === undefined ? fail({ kind: 'unknown', message: 'its answer is of no such account' }) : ok(own);
}

export class OpenAccounts {
  readonly #deps: AccountsDeps;
  readonly #open = new Map<string, OpenAccount>();

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  get({ tradeAccountId }: VenueAccount): OpenAccount | null {
    return this.#open.get(tradeAccountId) ?? null;
  }

  get all(): readonly OpenAccount[] {
    return [...this.#open.values()];
  }

  byIndex(accountIndex: number): Session | undefined {
    return this.all.find(({ session }) => session.accountIndex === accountIndex)?.session;
  }

  /** Reads its state from now on. */
  add(account: VenueAccount, session: Session): void {
    const { clock, client } = this.#deps;
    const apartMs = () => (client.isScarce() ? APART_WHEN_SCARCE_MS : APART_MS);
    const one: OpenAccount = {
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

  /**
   * Reads balances and positions, now or in a moment. Plans wait for them, even those of closing orders, so these
   * readings come before other requests.
   */
  readNow(one: OpenAccount): Promise<Result<Reading, VenueError>> {
    return one.state.now();
  }

  async #read(one: OpenAccount): Promise<Result<Reading, VenueError>> {
    const { clock, listing } = this.#deps;
    const { version } = one.session.books;
    const at = clock.uptime();
    const told = await readAccount(this.#deps, one.session.accountIndex, 'lookup');
    if (!told.ok) return told;
    const value = readingOf(listing(), told.value);
    one.session.books.confirm(told.value.positions);
    one.reading = { value, version, at };
    return ok(value);
  }

  /** The stream of an account has begun again: it counts once an answer agrees with it. */
  confirm(session: Session): void {
    const one = this.all.find((other) => other.session === session);
    if (one !== undefined) void this.readNow(one);
  }

  /** True: all accounts were read. */
  async readAll(): Promise<boolean> {
    const told = await Promise.all(this.all.map((one) => this.readNow(one)));
    return told.every(({ ok: isRead }) => isRead);
  }

  /** Reading of the stream, or the latest one while nothing has happened since; null: there is none. */
  fresh(one: OpenAccount): Reading | null {
    const { reading, session } = one;
    const now = this.#deps.clock.now();
    if (session.hasOrdersInFlight(now)) return null;
    const told = session.reading(now);
    if (told !== null) return told;
    if (reading === null || reading.version !== session.books.version) return null;
    return this.#deps.clock.uptime() - reading.at < STATE_FRESH_MS ? reading.value : null;
  }

  async #keepReading(one: OpenAccount): Promise<void> {
    const { clock } = this.#deps;
    await this.readNow(one);
    if (one.session.isClosed) return;
    if (one.feesAt <= clock.uptime()) void this.readFees(one);
    one.cancelRead = clock.after(STATE_EVERY_MS, () => void this.#keepReading(one));
  }

  /** Runs in the background: until the answer, the fees of a standard account count. */
  async readFees(one: OpenAccount): Promise<void> {
    const { clock } = this.#deps;
    one.feesAt = clock.uptime() + FEES_AGAIN_MS;
    const query = { account_index: one.session.accountIndex };
    const told = await one.session.signer.get(
      { lane: 'history', path: '/api/v1/accountLimits', query },
      wire.limits,
    );
    if (!told.ok) return;
    one.session.fees = {
      taker: text(dec(told.value.current_taker_fee_tick).div(FEE_TICK)),
      maker: text(dec(told.value.current_maker_fee_tick).div(FEE_TICK)),
    };
    one.feesAt = clock.uptime() + FEES_EVERY_MS;
  }
}
