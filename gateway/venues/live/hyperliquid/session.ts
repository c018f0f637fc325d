/**
 * One account at Hyperliquid: its key, its stream, and which of its orders carries which client order id. The venue's
 * fills name their order by the venue's id; the client's id comes with the order's answer, its updates, or a question.
 */
import { SharedReading as ReadingInTurns } from '../../../domain/shared-reading.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { OrderOutcome } from '../../../engine/ports/venue.ts';
import type { Lane } from '../kit/budget.ts';
import { LiveSession } from '../kit/live-session.ts';
import type { NonceStream } from '../kit/nonce-stream.ts';
import type { Keys } from './access.ts';
import type { SeenMode } from './account-mode.ts';
import { fillOf, outcomeOf, paymentOf, provenOutcome } from './answers.ts';
import type { FillNames } from './fill-names.ts';
import { isUnlisted, type Listing } from './listing.ts';
import type { OrderWithStatus, WireFill, WirePayment } from './wire.ts';

/** Number of orders whose client ids are remembered; older ones are looked up. */
const MOST_ORDERS = 20_000;
const ASK_AGAIN_MS = 1_000;
/**
 * Number of orders above which the list is read first, and single orders only behind everything else. The list of an
 * account that trades much weighs 120, an order 2.
 */
export const FEW = 40;

export interface SessionOptions {
  readonly keys: Keys;
  /** Master of the account, to whom its agents belong. */
  readonly master: string;
  /** The account is a subaccount or a vault: actions name it, the master's agent signs. */
  readonly isSub: boolean;
  readonly mode: SeenMode;
  /** Time of the question for the mode, of `Clock.uptime`. */
  readonly modeAskedAt: number;
  readonly nonces: NonceStream;
  readonly names: FillNames;
  readonly clock: Clock;
  readonly listing: () => Listing;
  /** The client order id of a venue order; null: it has none. undefined: no answer. */
  readonly askClientId: (user: string, oid: string, lane: Lane) => Promise<string | null | undefined>;
  /** The same for its latest orders, by the venue's ids; null: no answer. */
  readonly askLatest: (user: string) => Promise<ReadonlyMap<string, string | null> | null>;
  /** A fill or payment names an instrument that is not listed here yet. */
  readonly onUnlisted: () => void;
  /** Fills of the account since a venue time, epoch ms; null: no answer. */
  readonly askFills: (user: string, since: number) => Promise<readonly WireFill[] | null>;
}

export class Session extends LiveSession {
  readonly keys: Keys;
  readonly master: string;
  readonly isSub: boolean;
  /** As last seen: the owner may change it at any time. */
  mode: SeenMode;
  readonly modeAskedAt: number;
  readonly nonces: NonceStream;
  readonly names: FillNames;
  version = 0;
  readonly #options: SessionOptions;
  readonly #clientIds = new Map<string, string | null>();
  readonly #sent = new Set<string>();
  readonly #waiting = new Map<string, WireFill[]>();
  readonly #fills: ReadingInTurns<readonly WireFill[] | null>;
  /** Venue time from which waiting fills are needed, epoch ms. */
  #fillsFrom = Number.POSITIVE_INFINITY;
  /** Orders of waiting fills that are not among the latest orders. */
  readonly #unlisted = new Set<string>();
  #sending = 0;
  #isAsking = false;

  constructor(options: SessionOptions) {
    super(options.clock, options.onUnlisted);
    this.#options = options;
    this.keys = options.keys;
    this.master = options.master;
    this.isSub = options.isSub;
    this.mode = options.mode;
    this.modeAskedAt = options.modeAskedAt;
    this.nonces = options.nonces;
    this.names = options.names;
    this.#fills = new ReadingInTurns(() => {
      const from = this.#fillsFrom;
      this.#fillsFrom = Number.POSITIVE_INFINITY;
      return options.askFills(this.user, from);
    });
  }

  /**
   * Fills since a venue time (epoch ms), or since an earlier one; null: no answer. Callers share one reading: it weighs
   * as much as ten lookups of an order.
   */
  fillsSince(from: number): Promise<readonly WireFill[] | null> {
    this.#fillsFrom = Math.min(this.#fillsFrom, from);
    return this.#fills.ask();
  }

  get user(): string {
    return this.keys.account;
  }

  /** Address that actions name; null: the signer's own account. */
  get vaultAddress(): string | null {
    return this.isSub ? this.user : null;
  }

  protected touch(): void {
    this.version += 1;
  }

  protected wipe(): void {
    this.nonces.stop();
    this.keys.privateKey.fill(0);
  }

  get isSending(): boolean {
    return this.#sending > 0;
  }

  /**
   * While orders are on their way, a fill of an unknown order waits for their answer. A reading from before the answer
   * lacks these orders, with or without news from the stream.
   */
  async whileSending<T>(work: () => Promise<T>): Promise<T> {
    this.#sending += 1;
    try {
      return await work();
    } finally {
      this.#sending -= 1;
      this.version += 1;
      void this.#ask();
    }
  }

  /** To be called before orders leave: their updates name no account. */
  expect(clientOrderIds: readonly string[]): void {
    for (const id of clientOrderIds) {
      this.#sent.add(id);
      const oldest = this.#sent.size > MOST_ORDERS ? this.#sent.values().next() : null;
      if (oldest?.done === false) this.#sent.delete(oldest.value);
    }
  }

  expects(clientOrderId: string | null): boolean {
    return clientOrderId !== null && this.#sent.has(clientOrderId);
  }

  clientIdOf(oid: string): string | null | undefined {
    return this.#clientIds.get(oid);
  }

  learn(oid: string, clientOrderId: string | null): void {
    this.#clientIds.set(oid, clientOrderId);
    const oldest = this.#clientIds.size > MOST_ORDERS ? this.#clientIds.keys().next() : null;
    if (oldest?.done === false) this.#clientIds.delete(oldest.value);
    const waiting = this.#waiting.get(oid);
    this.#waiting.delete(oid);
    this.#unlisted.delete(oid);
    for (const fill of waiting ?? []) this.#tellFill(fill, clientOrderId);
  }

  takeFills(fills: readonly WireFill[]): void {
    for (const fill of fills) {
      const known = fill.cloid ?? this.#clientIds.get(fill.oid);
      if (known !== undefined) {
        this.#tellFill(fill, known);
        continue;
      }
      const waiting = this.#waiting.get(fill.oid);
      if (waiting === undefined) this.#waiting.set(fill.oid, [fill]);
      else waiting.push(fill);
    }
    void this.#ask();
  }

  takeOrders(orders: readonly OrderWithStatus[]): void {
    for (const one of newestOf(orders)) {
      const clientOrderId = one.order.cloid ?? null;
      if (clientOrderId === null) {
        // The field may be missing from an update of our own order, whose answer or lookup names it.
        if (!this.isSending && this.#clientIds.get(one.order.oid) === undefined)
          this.learn(one.order.oid, null);
        continue;
      }
      this.learn(one.order.oid, clientOrderId);
      const outcome = outcomeOf(this.#options.listing(), one, clientOrderId);
      if (isProven(outcome) || !this.expects(clientOrderId)) this.#tellOrder(outcome);
      else void this.#askFills(one, clientOrderId);
    }
  }

  #tellOrder(outcome: OrderOutcome): void {
    if (outcome.kind !== 'listed') this.tell({ kind: 'order', outcome });
  }

  /** Reports the end of an order with its fills. Without an answer the engine looks the order up. */
  async #askFills(one: OrderWithStatus, clientOrderId: string): Promise<void> {
    const { listing } = this.#options;
    const fills = await this.fillsSince(one.order.timestamp);
    if (fills === null || this.isClosed) return;
    const own = fills
      .filter(({ oid }) => oid === one.order.oid)
      .flatMap((fill) => fillOf(listing(), this, fill, clientOrderId) ?? []);
    this.#tellOrder(provenOutcome(listing(), one, clientOrderId, own));
  }

  takePayments(payments: readonly WirePayment[]): void {
    for (const payment of payments) {
      const funding = paymentOf(this.#options.listing(), payment);
      if (funding !== null) this.tell({ kind: 'funding', funding });
      else if (isUnlisted(this.#options.listing(), payment.coin)) this.missedUnlisted();
    }
  }

  #tellFill(fill: WireFill, clientOrderId: string | null): void {
    const told = fillOf(this.#options.listing(), this, fill, clientOrderId);
    if (told !== null) this.tell({ kind: 'fill', fill: told });
    else if (isUnlisted(this.#options.listing(), fill.coin)) this.missedUnlisted();
  }

  /**
   * Looks up the orders of waiting fills, one request at a time: another program that trades the account may make
   * thousands, and closing orders need the answers about the account first.
   */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (!this.isClosed && this.#sending === 0) {
      const waiting = [...this.#waiting.keys()];
      const [oid] = waiting;
      if (oid === undefined) break;
      const isAnswered =
        waiting.length - this.#unlisted.size > FEW
          ? await this.#askLatest(waiting)
          : await this.#askOne(oid, waiting.length > FEW ? 'history' : 'lookup');
      if (!isAnswered) await this.#options.clock.sleep(ASK_AGAIN_MS);
    }
    this.#isAsking = false;
  }

  async #askOne(oid: string, lane: Lane): Promise<boolean> {
    const clientOrderId = await this.#options.askClientId(this.user, oid, lane);
    if (clientOrderId === undefined) return false;
    if (!this.isClosed && this.#waiting.has(oid)) this.learn(oid, clientOrderId);
    return true;
  }

  async #askLatest(waiting: readonly string[]): Promise<boolean> {
    const latest = await this.#options.askLatest(this.user);
    if (latest === null) return false;
    for (const oid of waiting) {
      const clientOrderId = latest.get(oid);
      if (this.isClosed || !this.#waiting.has(oid)) continue;
      if (clientOrderId === undefined) this.#unlisted.add(oid);
      else this.learn(oid, clientOrderId);
    }
    return true;
  }
}

/** False: the fills have to be read, because an update may carry the `sz` of an earlier state. */
function isProven(outcome: OrderOutcome): boolean {
  if (outcome.kind === 'done') return outcome.filledQuantity !== '0';
  return outcome.kind !== 'rejected';
}

/** The venue's lists may hold an order once for each state, the newest first. */
function newestOf(orders: readonly OrderWithStatus[]): Iterable<OrderWithStatus> {
  const newest = new Map<string, OrderWithStatus>();
  for (const one of orders) {
    const known = newest.get(one.order.oid);
    const isNewer = known === undefined || one.statusTimestamp > known.statusTimestamp;
    // At the same time, `open` is the earlier state.
    const isLater = known?.statusTimestamp === one.statusTimestamp && one.status !== 'open';
    if (isNewer || isLater) newest.set(one.order.oid, one);
  }
  return newest.values();
}
