/**
 * Account activity outside a running execution: liquidations, funding, and fills of orders that are not the gateway's.
 *
 * The account stream is only a hint; the venue's history, read from a stored cursor, is the truth. Stream and history
 * lead to the same steps, and a fill or payment that is already recorded changes nothing.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { SharedReading } from '../../domain/shared-reading.ts';
import type { EngineDeps } from '../core/deps.ts';
import { commitDurably, type StopSignal } from '../core/durable.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import type { LateOrders } from '../execution/late-orders.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { VenueFill, VenueFunding } from '../ports/venue.ts';
import { AccountRecorder } from './account-recorder.ts';

const CURSOR = 'venue-history';
/**
 * Pause before unattributed activity is looked at again. Shorter if the account's executions end earlier; it grows
 * while nothing changes.
 */
const LOOK_AGAIN_MS = 1_000;
const LOOK_AGAIN_LATE_MS = 16_000;
/** Number of tries to read an account's holdings at first contact while it is being traded. */
const BEGINNINGS = 3;

/** Drops the cursor: the next feed starts as at the first contact, and nothing opens on the account before. */
export async function forgetHistory(
  deps: EngineDeps,
  tradeAccountId: string,
  signal: StopSignal,
): Promise<void> {
  deps.state.begun.delete(tradeAccountId);
  await commitDurably(deps, { cursors: [{ tradeAccountId, kind: CURSOR, value: '' }] }, signal);
}

export class AccountFeed {
  readonly #deps: EngineDeps;
  readonly #account: TradeAccount;
  readonly #signal: StopSignal;
  readonly #recorder: AccountRecorder;
  readonly #late: LateOrders;
  #hasLooked = false;
  /** The history cursor as stored on disk. Only this feed moves it. undefined: not read from the store yet. */
  #stored: string | null | undefined;
  #tail: Promise<void> = Promise.resolve();
  /** Fills from the account stream, queued to be recorded together. */
  #waiting: VenueFill[] = [];
  /**
   * Activity that could not be attributed yet. It is kept here for the next try, because reading the history uses up
   * much of a venue's request limit. On an account shared with another program the history would be read all the time.
   */
  readonly #heldFills = new Map<string, VenueFill>();
  readonly #heldFunding = new Map<string, VenueFunding>();
  #unsubscribe: Unsubscribe | null = null;
  #cancelLook: Unsubscribe | null = null;
  #cancelBegin: Unsubscribe | null = null;
  #lookMs = LOOK_AGAIN_MS;
  #beginMs = LOOK_AGAIN_MS;
  /** Shared, because evidence, closes and a restored stream may all wait for the history at once. */
  readonly #pulls = new SharedReading(() => this.#pull());

  constructor(deps: EngineDeps, account: TradeAccount, signal: StopSignal, late: LateOrders) {
    this.#deps = deps;
    this.#account = account;
    this.#signal = signal;
    this.#late = late;
    this.#recorder = new AccountRecorder(deps, account, signal, late);
  }

  listen(): void {
    const venue = venueOf(this.#deps, this.#account.connector);
    this.#unsubscribe = venue.accountStream(venueAccount(this.#account), (event) => {
      switch (event.kind) {
        case 'fill':
          if (!this.#deps.state.liveOrders.routeFill(event.fill)) this.#told(event.fill);
          break;
        case 'funding':
          void this.#queue(() => this.#take([], [event.funding]));
          break;
        case 'reconnected':
          void this.catchUp();
          break;
        case 'order':
          this.#deps.state.liveOrders.routeOutcome(event.outcome);
          break;
      }
    });
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#cancelLook?.();
    this.#cancelLook = null;
    this.#cancelBegin?.();
    this.#cancelBegin = null;
  }

  /** Pulls the history from the stored cursor. True: the history is recorded; false: the venue did not answer. */
  catchUp(): Promise<boolean> {
    return this.#pulls.ask();
  }

  /** At the first call, notifies the owner of a live account if another program has orders at the venue. */
  async lookForOtherPrograms(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#hasLooked || this.#account.mode !== 'LIVE') return;
    const open = await venueOf(this.#deps, this.#account.connector).openOrders(venueAccount(this.#account));
    if (!open.ok) return;
    this.#hasLooked = true;
    for (const { clientOrderId } of open.value)
      if (await this.#late.isOtherPrograms(this.#account, clientOrderId, clock.now()))
        await this.#recorder.tellOtherProgram(clock.now());
  }

  /** Voids everything up to the reset, also fills recorded later. Runs in turn with the recording of fills. */
  async voidBefore(resetAt: number): Promise<void> {
    await this.#queue(() => this.#recorder.voidBefore(resetAt));
  }

  async #pull(): Promise<boolean> {
    const told = await this.#queue(async () => {
      const { store, state } = this.#deps;
      const venue = venueOf(this.#deps, this.#account.connector);
      if (this.#stored === undefined) this.#stored = (await store.cursor(this.#account.id, CURSOR)) || null;
      if (this.#stored === null && this.#account.mode === 'LIVE' && !(await this.#begin())) {
        this.#beginAgain();
        return false;
      }
      // A stopped feed belongs to the previous account at the venue.
      if (this.#unsubscribe !== null) state.begun.add(this.#account.id);
      let cursor = this.#stored;
      // True: all pages so far are on disk. An unrecorded page is read again later, with every page after it.
      let isWhole = true;
      for (;;) {
        const page = await venue.history(venueAccount(this.#account), cursor);
        if (!page.ok) return false;
        const { toldAgainFrom = null } = page.value;
        const routed = new Set(page.value.fills.filter((fill) => state.liveOrders.routeFill(fill)));
        const recorded = await this.#take(
          page.value.fills.filter((fill) => !routed.has(fill)),
          page.value.funding,
        );
        // Fills of running orders reach the disk with their orders. A busy account always has some, so repeated fills
        // do not hold the cursor back: each reading would be longer than the one before.
        const isSafe =
          toldAgainFrom === null
            ? routed.size === 0 && !state.claims.isRunning(this.#account.id)
            : [...routed].every(({ timestamp }) => timestamp >= toldAgainFrom);
        isWhole &&= recorded && isSafe;
        const moved = page.value.nextCursor !== cursor;
        cursor = page.value.nextCursor;
        if (moved && isWhole) {
          const value = { tradeAccountId: this.#account.id, kind: CURSOR, value: cursor };
          await commitDurably(this.#deps, { cursors: [value] }, this.#signal);
          this.#stored = cursor;
        }
        await this.#recorder.confirm(page.value.fills);
        if (!page.value.more) return true;
        if (this.#signal.stopping) return false;
      }
    });
    return told ?? false;
  }

  /**
   * First contact with a live account, which may have positions and years of trades: its history begins now, with its
   * holdings as the baseline. False: the venue did not answer, or others trade the account faster than it can be read.
   */
  async #begin(): Promise<boolean> {
    const venue = venueOf(this.#deps, this.#account.connector);
    const account = venueAccount(this.#account);
    let from = await venue.history(account, null);
    for (let left = BEGINNINGS; left > 0; left -= 1) {
      if (!from.ok) return false;
      const positions = await venue.positions(account);
      if (!positions.ok) return false;
      const meanwhile = await venue.history(account, from.value.nextCursor);
      if (!meanwhile.ok) return false;
      // Its own orders are at the venue: their fills are not in the baskets yet.
      if (this.#deps.state.claims.isRunning(this.#account.id)) return false;
      if (meanwhile.value.fills.length === 0) {
        const cursor = { tradeAccountId: this.#account.id, kind: CURSOR, value: from.value.nextCursor };
        await this.#recorder.recordBaseline(positions.value, [cursor]);
        this.#stored = cursor.value;
        return true;
      }
      // A fill in between may or may not be included in the positions, so they are read again.
      from = meanwhile;
    }
    return false;
  }

  /** Waits longer each time. Until then nothing opens on the account, and the regular round is a minute away. */
  #beginAgain(): void {
    if (this.#unsubscribe === null) return;
    this.#cancelBegin?.();
    this.#cancelBegin = this.#deps.clock.after(this.#beginMs, () => void this.catchUp());
    this.#beginMs = Math.min(2 * this.#beginMs, LOOK_AGAIN_LATE_MS);
  }

  /** Resolves when all activity queued so far is recorded. */
  async idle(): Promise<void> {
    await this.#queue(async () => {});
  }

  #told(fill: VenueFill): void {
    this.#waiting.push(fill);
    if (this.#waiting.length > 1) return;
    void this.#queue(() => {
      const fills = this.#waiting;
      this.#waiting = [];
      return this.#take(fills, []);
    });
  }

  async #take(fills: readonly VenueFill[], funding: readonly VenueFunding[]): Promise<boolean> {
    const recorded = await this.#recorder.record(fills, funding);
    if (recorded) {
      this.#lookMs = LOOK_AGAIN_MS;
      return true;
    }
    for (const fill of fills) this.#heldFills.set(fill.tradeId, fill);
    for (const payment of funding) this.#heldFunding.set(payment.venueId, payment);
    this.#lookAgain();
    return false;
  }

  #takeHeld(): void {
    void this.#queue(() => {
      const fills = [...this.#heldFills.values()];
      const funding = [...this.#heldFunding.values()];
      this.#heldFills.clear();
      this.#heldFunding.clear();
      const { liveOrders } = this.#deps.state;
      return this.#take(
        fills.filter((fill) => !liveOrders.routeFill(fill)),
        funding,
      );
    });
  }

  #lookAgain(): void {
    if (this.#cancelLook !== null || this.#unsubscribe === null) return;
    const { state, clock } = this.#deps;
    const look = () => {
      this.#cancelLook?.();
      this.#cancelLook = null;
      this.#takeHeld();
    };
    const waitMs = this.#lookMs;
    this.#lookMs = Math.min(2 * waitMs, LOOK_AGAIN_LATE_MS);
    if (waitMs === LOOK_AGAIN_MS && !state.claims.isRunning(this.#account.id)) {
      // The execution ended between the recording and this check: its fills are in memory.
      look();
      return;
    }
    const cancelTimer = clock.after(waitMs, look);
    const cancelIdle = state.claims.onceIdle(this.#account.id, look);
    this.#cancelLook = () => {
      cancelTimer();
      cancelIdle();
    };
  }

  /** The result of `work`; undefined: it failed, and the log says why. */
  #queue<T>(work: () => Promise<T>): Promise<T | undefined> {
    // Work that waits when the gateway stops is dropped: the next start pulls its activity from the venue's history.
    const inTurn = () => (this.#signal.stopping ? undefined : work());
    const done = this.#tail.then<T | undefined>(inTurn).catch((error: unknown) => {
      if (this.#signal.stopping) return undefined;
      this.#deps.logger.error(
        { err: error, tradeAccountId: this.#account.id },
        'account activity was not recorded',
      );
      return undefined;
    });
    this.#tail = done.then(() => undefined);
    return done;
  }
}
