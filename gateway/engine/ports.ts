/**
 * What the trading core needs from the outside, as interfaces. Adapters live in store/, venues/, market/, vault/ and
 * system/; the engine imports none of them. Times are epoch milliseconds, amounts decimal strings.
 */

import type { AccountRecords } from '../domain/account-books.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Placed } from '../domain/authority.ts';
import type { AutoRebalance } from '../domain/auto-rebalance.ts';
import type { BasketCount, BasketOpens, MaterializedBasket } from '../domain/basket.ts';
import type { Candle, CandleInterval, CandleRow } from '../domain/candle.ts';
import type { TradeFill } from '../domain/closed-trade.ts';
import type { MinimumWaiver } from '../domain/closing-plan.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type { FeedReading } from '../domain/feed.ts';
import type { FillReview } from '../domain/fill-review.ts';
import type { Integration } from '../domain/integration.ts';
import type { Ladder, LadderStatus } from '../domain/ladder.ts';
import type {
  ApiKey,
  Execution,
  ExecutionStatus,
  Fill,
  FundingPayment,
  FundingRate,
  Instrument,
  LeverageSetting,
  MarginMode,
  MarketStats,
  Order,
  OrderStatus,
  Position,
  PositionStatus,
  Quote,
  Session,
  Side,
  TradeAccount,
  User,
} from '../domain/model.ts';
import type { Notification } from '../domain/notification.ts';
import type {
  LeftWaiting,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthInteraction,
  OAuthRefreshToken,
} from '../domain/oauth.ts';
import type {
  AssetTotals,
  BasketTotals,
  DayNet,
  EquitySample,
  HistorySource,
  PeriodTotals,
} from '../domain/portfolio.ts';
import type { PositionSetup } from '../domain/position-setup.ts';
import type { Result } from '../domain/result.ts';
import type { SavedBasket } from '../domain/saved-basket.ts';
import type { Schedule, ScheduleStatus, Slice } from '../domain/schedule.ts';
import type { ScheduleSummary } from '../domain/schedule-summary.ts';
import type { Trigger, TriggerKind, TriggerStatus, WaitingOpening } from '../domain/trigger.ts';
import type { UnassignedLot } from '../domain/unassigned.ts';

export type Unsubscribe = () => void;

// ── clock, ids, log ────────────────────────────────────────────────────────────────────────────────────────────

export interface Clock {
  /** Wall clock, epoch ms. */
  now(): number;
  /**
   * Milliseconds on a clock that nobody can set and that never goes back: what ages and waits are measured by. Only
   * differences mean something; whether it counts while the machine sleeps is the system's choice.
   */
  uptime(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  after(delayMs: number, run: () => void): Unsubscribe;
  sleep(delayMs: number): Promise<void>;
}

export interface Ids {
  /** UUID v7, strictly increasing within the process. */
  next(): string;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

// ── vault ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Secrets by name (`signing-key`, `venue:<trade account id>`). Values are never logged or stored elsewhere. */
export interface Vault {
  readonly kind: 'keychain' | 'file' | 'memory';
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  /** True when something was there. */
  delete(name: string): Promise<boolean>;
}

// ── venue ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type Capability =
  | 'market_orders'
  | 'isolated_margin'
  | 'fills_history'
  | 'order_lookup'
  | 'account_stream'
  | 'paper_reset'
  /** `changeMargin` */
  | 'margin_change'
  /** The market stream tells `BTC_DOMINANCE`. */
  | 'btc_dominance'
  /** The market stream tells prediction markets. */
  | 'prediction_markets';

export interface ConnectorInfo {
  readonly id: string;
  readonly displayName: string;
  readonly mode: 'PAPER' | 'LIVE';
  readonly marginMode: 'required' | 'rejected';
  readonly fundingIntervalHours: number;
  readonly capabilities: readonly Capability[];
  /** Taker and maker fee, decimal fractions of notional. */
  readonly takerRate: DecimalString;
  readonly makerRate: DecimalString;
  /** Which orders below an instrument's minimum value it takes all the same. */
  readonly minimumWaiver: MinimumWaiver;
  /** The venue's statement how long after `expiresAt` an order can still become known; lookups wait this long. */
  readonly settleMs: number;
}

export interface ConnectorStatus {
  readonly status: 'UP' | 'DEGRADED' | 'DOWN';
  readonly since: number;
  readonly reason: string | null;
}

/** Which account a call is about. `exchangeIdentifier` is the venue's own name of it. */
export interface VenueAccount {
  readonly tradeAccountId: string;
  readonly exchangeIdentifier: string;
}

/** *denied* would be ours and never gets here; *rejected* is the venue's no; *unknown* is no answer. */
export type VenueError =
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'unsupported'; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

export interface PlaceOrder {
  /** Unique per account for ever: a venue that has seen it answers with the first outcome and does not execute again. */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: DecimalString;
  readonly limitPrice: DecimalString;
  readonly timeInForce: 'IOC' | 'GTC';
  readonly reduceOnly: boolean;
  /** The venue refuses the order when it arrives later. */
  readonly expiresAt: number;
}

export interface VenueFill {
  /** Unique per account. */
  readonly tradeId: string;
  readonly clientOrderId: string | null;
  readonly venueOrderId: string | null;
  readonly symbol: string;
  readonly side: Side;
  readonly price: DecimalString;
  readonly quantity: DecimalString;
  readonly fee: DecimalString;
  readonly feeAsset: string;
  readonly liquidity: 'MAKER' | 'TAKER';
  readonly isLiquidation: boolean;
  readonly timestamp: number;
}

export type RejectionReason =
  | 'margin'
  | 'minimum'
  | 'tick'
  | 'reduce_only'
  | 'not_tradable'
  | 'expired'
  | 'price'
  | 'other';

/** State of an order at the venue. `filledQuantity` is authoritative; `fills` may lag behind it. */
export type OrderOutcome =
  | {
      readonly kind: 'done';
      /** `filled` completely, or `cancelled`: the IOC remainder found no more liquidity inside the limit. */
      readonly state: 'filled' | 'cancelled';
      readonly clientOrderId: string;
      readonly venueOrderId: string;
      readonly filledQuantity: DecimalString;
      readonly fills: readonly VenueFill[];
    }
  | {
      readonly kind: 'resting';
      readonly clientOrderId: string;
      readonly venueOrderId: string;
      readonly filledQuantity: DecimalString;
      readonly fills: readonly VenueFill[];
    }
  | {
      readonly kind: 'rejected';
      readonly clientOrderId: string;
      readonly reason: RejectionReason;
      readonly message: string;
    }
  /** No answer: the order may or may not have executed. Ask `orderByClientId`, never send again. */
  | { readonly kind: 'unknown'; readonly clientOrderId: string; readonly message: string };

export type OrderLookup =
  | OrderOutcome
  /** The venue answers that it has never seen this id. Final once `expiresAt + settleMs` has passed. */
  | { readonly kind: 'not_found'; readonly clientOrderId: string };

export interface VenuePosition {
  readonly symbol: string;
  /** Signed base units: + long, − short. */
  readonly quantity: DecimalString;
  readonly entryPrice: DecimalString;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly marginUsed: DecimalString;
  readonly unrealizedPnl: DecimalString;
  /** null where none applies. */
  readonly liquidationPrice: DecimalString | null;
}

export interface VenueBalances {
  readonly asset: string;
  readonly balance: DecimalString;
  /** balance + unrealised PnL */
  readonly equity: DecimalString;
  readonly marginUsed: DecimalString;
  /** What new positions may use as initial margin. */
  readonly freeMargin: DecimalString;
  /**
   * USD paid in less what was paid out over the account's whole life, what the venue's insurance paid included: equity is
   * this and what all fills and funding payments of its history have brought. A paper account's reset pays out what is
   * there and pays the starting balance in. Missing where the venue does not tell.
   */
  readonly deposits?: DecimalString;
}

export interface VenueFunding {
  /** Unique per account. */
  readonly venueId: string;
  readonly symbol: string;
  /** Per interval; positive: longs pay. */
  readonly rate: DecimalString;
  readonly markPrice: DecimalString;
  /** Signed position quantity that the payment was computed on. */
  readonly quantity: DecimalString;
  /** USD; positive = received by the account. */
  readonly amount: DecimalString;
  readonly timestamp: number;
}

/** Everything that happened on an account after `cursor`, oldest first; `cursor` is opaque. */
export interface VenueHistory {
  readonly fills: readonly VenueFill[];
  readonly funding: readonly VenueFunding[];
  readonly nextCursor: string;
  /** True: call again with `nextCursor`. */
  readonly more: boolean;
}

export type AccountEvent =
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'funding'; readonly funding: VenueFunding }
  /** State changed otherwise than by a fill (cancel, reject, rest). */
  | { readonly kind: 'order'; readonly outcome: OrderOutcome }
  /** The stream was cut and is back: what happened between must be pulled with `history`. */
  | { readonly kind: 'reconnected' };

export interface MarketUpdate {
  readonly connector: string;
  readonly at: number;
  /** Only instruments that changed. */
  readonly quotes: readonly Quote[];
  readonly funding?: readonly FundingRate[];
  readonly stats?: readonly MarketStats[];
  /** Only those that were renewed; a value that stands still is repeated well within the stale limit. */
  readonly feeds?: readonly FeedReading[];
}

/** Candles of what lies in [from, to), both full minutes; one of an interval that is only partly in it holds that part. */
export interface ImagineRequest {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly from: number;
  readonly to: number;
  /** Where recording stopped before; null: it had not begun. */
  readonly before: { readonly at: number; readonly price: DecimalString } | null;
  /** Where recording begins again. */
  readonly after: { readonly at: number; readonly price: DecimalString };
}

/** An exchange. Calls never throw for what a venue can answer; unknown outcomes are values. */
export interface Venue {
  readonly info: ConnectorInfo;
  start(): Promise<void>;
  stop(): Promise<void>;
  status(): ConnectorStatus;
  onStatus(listener: (status: ConnectorStatus) => void): Unsubscribe;
  /** Known after `start`. */
  instruments(): readonly Instrument[];
  /** The first update, delivered synchronously, is the full state. */
  marketStream(listener: (update: MarketUpdate) => void): Unsubscribe;
  accountStream(account: VenueAccount, listener: (event: AccountEvent) => void): Unsubscribe;
  /** Makes the account known to the venue (paper: creates and funds it). Idempotent. */
  openAccount(account: VenueAccount): Promise<Result<void, VenueError>>;
  /** Paper only: back to the starting balance, no positions. */
  resetAccount?(account: VenueAccount): Promise<Result<void, VenueError>>;
  setLeverage(
    account: VenueAccount,
    setting: { readonly symbol: string; readonly leverage: number; readonly marginMode: MarginMode },
  ): Promise<Result<void, VenueError>>;
  /**
   * Moves USD from the account's free margin into an isolated position, or back where `amount` is negative. Venues do not
   * know a request again: after `unknown`, look at `positions` before asking once more. Where there is no `margin_change`
   * the method is missing or answers `unsupported`.
   */
  changeMargin?(
    account: VenueAccount,
    change: { readonly symbol: string; readonly amount: DecimalString },
  ): Promise<Result<void, VenueError>>;
  /** One outcome per order, in order. Never throws for a leg. */
  placeBatch(account: VenueAccount, orders: readonly PlaceOrder[]): Promise<readonly OrderOutcome[]>;
  cancel(account: VenueAccount, clientOrderId: string): Promise<Result<void, VenueError>>;
  orderByClientId(account: VenueAccount, clientOrderId: string): Promise<Result<OrderLookup, VenueError>>;
  openOrders(account: VenueAccount): Promise<Result<readonly OrderOutcome[], VenueError>>;
  positions(account: VenueAccount): Promise<Result<readonly VenuePosition[], VenueError>>;
  history(account: VenueAccount, cursor: string | null): Promise<Result<VenueHistory, VenueError>>;
  balances(account: VenueAccount): Promise<Result<VenueBalances, VenueError>>;
  /** Simulated venues only: candles of a time in which nobody recorded any. The same question has the same answer. */
  imaginePast?(request: ImagineRequest): readonly Candle[];
}

export interface Venues {
  get(connector: string): Venue | undefined;
  all(): readonly Venue[];
}

// ── market data ────────────────────────────────────────────────────────────────────────────────────────────────

/** One update of one connector, after it was taken in. A row that stands still is repeated now and then. */
export interface MarketTick {
  readonly connector: string;
  readonly at: number;
  readonly quotes: readonly Quote[];
  readonly funding: readonly FundingRate[];
  readonly stats: readonly MarketStats[];
  readonly feeds: readonly FeedReading[];
}

export interface MarketData {
  instrument(connector: string, id: string): Instrument | undefined;
  instruments(connector: string): readonly Instrument[];
  quote(connector: string, id: string): Quote | undefined;
  funding(connector: string, id: string): FundingRate | undefined;
  /** True when the quote is older than the stale limit or the connector is DOWN. */
  isStale(connector: string, id: string): boolean;
  /** `name` as in domain/feed.ts; undefined where the connector has no such feed, or has not told it yet. */
  feed(connector: string, name: string): FeedReading | undefined;
  /** In the order in which the venue first named them. */
  feeds(connector: string): readonly FeedReading[];
  /** As `isStale`, of a feed. */
  isFeedStale(connector: string, name: string): boolean;
  /** Called synchronously, once per update of a connector, after the new values can be read. Not made while nobody listens. */
  onTick(listener: (tick: MarketTick) => void): Unsubscribe;
}

/** Candles of mark prices: recorded, and for simulated venues imagined where nobody recorded. */
export interface CandleHistory {
  /** Candles that begin in [from, to), oldest first; times without one are left out. The running one is the last. */
  candles(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]>;
  /**
   * Closing prices of several instruments at the same moments, one `every` apart, oldest first, in the order of `symbols`.
   * `at` is the end of the interval; only ended ones in (from, to], and only moments that all instruments have.
   */
  closes(request: ClosesRequest): Promise<readonly ClosingPrices[]>;
}

export interface ClosesRequest {
  readonly connector: string;
  readonly symbols: readonly string[];
  readonly every: CandleInterval | '4h';
  readonly from: number;
  readonly to: number;
}

export interface ClosingPrices {
  readonly at: number;
  readonly prices: readonly DecimalString[];
}

// ── store ──────────────────────────────────────────────────────────────────────────────────────────────────────

export interface NewEvent {
  readonly tradeAccountId: string;
  readonly event: string;
  readonly entityId: string;
  readonly timestamp: number;
}

export interface StoredEvent extends NewEvent {
  /** Rises by one per trade account, no holes, survives restarts; given by the writer when the batch is composed. */
  readonly seq: number;
}

export interface IdempotencyRecord {
  readonly userId: string;
  /** `METHOD path-pattern`. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 hex of (trade account, path parameters, canonical body). */
  readonly requestHash: string;
  /** 0: claimed by a request that has no answer yet, for what cannot be done twice. */
  readonly status: number;
  /** The first answer's body, JSON text. */
  readonly answer: string;
  readonly createdAt: number;
}

/** Best value that a trailing trigger has seen, kept apart from its row: it moves with the market. */
export interface TrailingPeak {
  readonly triggerId: string;
  readonly peak: DecimalString;
  readonly seenAt: number;
}

/** What waits for the fills of an execution. */
export interface StoredPositionSetup extends PositionSetup, Placed {
  readonly executionId: string;
}

export interface StoredSlice extends Slice {
  readonly scheduleId: string;
}

export interface FillChange {
  /** As it is from now on, under its key. */
  readonly fill: Fill;
  /** What it was recorded to have realised before, USD. */
  readonly realizedBefore: DecimalString;
}

/**
 * What commits together, or not at all. Rows are whole records: `executions` (with their orders), `positions`, `leverage`,
 * `users`, `sessions`, `apiKeys`, `accounts`, `settings`, `cursors`, `equitySamples`, `triggers`, `trailingPeaks`, `schedules`, `slices`,
 * `ladders`, `autoRebalances`, `savedBaskets`, `integrations`, `fillReviews`, `candles` are inserted or replaced by id; `newExecutions`, `newSchedules` (with
 * their slices), `positionSetups`, `notifications`, `fills`, `funding`, `idempotency`, `audit` are inserts and a duplicate key fails
 * the unit; `baskets` are inserted where they are not there yet; `basketOpens` add to what is there.
 */
export interface UnitOfWork {
  readonly newExecutions?: readonly Execution[];
  readonly executions?: readonly Execution[];
  readonly fills?: readonly Fill[];
  readonly funding?: readonly FundingPayment[];
  readonly equitySamples?: readonly EquitySample[];
  readonly positions?: readonly Position[];
  readonly positionSetups?: readonly StoredPositionSetup[];
  readonly triggers?: readonly Trigger[];
  /** Only as often as a restart may forget: a row is written for each. Replaces what the trigger's own row says. */
  readonly trailingPeaks?: readonly TrailingPeak[];
  readonly newSchedules?: readonly Schedule[];
  /** Header only: the embedded `slices` are counted, not written. */
  readonly schedules?: readonly Schedule[];
  readonly slices?: readonly StoredSlice[];
  /** Without the states of the rungs, which are those of their triggers. */
  readonly ladders?: readonly Ladder[];
  readonly autoRebalances?: readonly AutoRebalance[];
  readonly notifications?: readonly Notification[];
  readonly leverage?: readonly LeverageSetting[];
  readonly idempotency?: readonly IdempotencyRecord[];
  /** Replace records by (user, route, key): the answer of a claimed key, or its release. */
  readonly answeredKeys?: readonly IdempotencyRecord[];
  readonly users?: readonly User[];
  readonly sessions?: readonly Session[];
  readonly apiKeys?: readonly ApiKey[];
  readonly accounts?: readonly TradeAccount[];
  readonly settings?: readonly { readonly key: string; readonly value: string }[];
  readonly cursors?: readonly {
    readonly tradeAccountId: string;
    readonly kind: string;
    readonly value: string;
  }[];
  readonly audit?: readonly AuditEntry[];
  /** Of fills that are stored already: attributed to a position, or confirmed by the venue's history. */
  readonly changedFills?: readonly FillChange[];
  /** What is left of lots in no basket; replaced by id. */
  readonly unassignedLots?: readonly UnassignedLot[];
  readonly candles?: readonly CandleRow[];
  readonly baskets?: readonly MaterializedBasket[];
  readonly basketOpens?: readonly BasketOpens[];
  readonly savedBaskets?: readonly SavedBasket[];
  readonly integrations?: readonly Integration[];
  readonly fillReviews?: readonly FillReview[];
  readonly deletes?: readonly {
    readonly from: 'sessions' | 'apiKeys' | 'accounts' | 'savedBaskets';
    readonly id: string;
  }[];
  readonly events?: readonly NewEvent[];
}

export type StoreError =
  /** A unique key was already there; nothing of the unit was written. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** Disk full, read-only, I/O error: nothing of the unit was written; trying again later may succeed. */
  | { readonly kind: 'unavailable'; readonly message: string };

/** Keyset position: the last row's sort key. Routes encode it (contract/cursor.ts). */
export interface PageRequest {
  readonly limit: number;
  readonly after: { readonly key: number; readonly id: string } | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Sort key of the last row while more remain, else null. */
  readonly next: { readonly key: number; readonly id: string } | null;
}

export interface CandleSeries {
  readonly connector: string;
  readonly interval: CandleInterval;
  /** Instrument ID. */
  readonly symbol: string;
}

/** What lists of resting orders are narrowed by. */
export interface RestingFilter<Status extends string> {
  readonly tradeAccountId: string;
  readonly connector?: string;
  readonly statuses?: readonly Status[];
}

export interface OrderOfExecution {
  readonly order: Order;
  readonly execution: Execution;
}

/** Whose notifications: all of the user's, or only those of some of the accounts. */
export interface NotificationOwner {
  readonly userId: string;
  /** null: all, and those that belong to no account. */
  readonly tradeAccountIds: readonly string[] | null;
}

/** Something that waits, and where. */
export interface WaitingThing {
  readonly id: string;
  readonly tradeAccountId: string;
}

export interface WaitingOpenings {
  readonly triggers: readonly WaitingThing[];
  readonly ladders: readonly WaitingThing[];
  readonly schedules: readonly WaitingThing[];
  /** Those that trade. They are named by their positions. */
  readonly autoRebalances: readonly WaitingThing[];
}

/** Triggers, schedules, ladders, rebalances, notifications. Lists: newest first by (createdAt, id). */
export interface RestingStore {
  trigger(tradeAccountId: string, id: string): Promise<Trigger | null>;
  triggers(
    filter: RestingFilter<TriggerStatus> & { readonly kind?: TriggerKind },
    page: PageRequest,
  ): Promise<Page<Trigger>>;
  /** Those that exist, in any order and of any account. */
  triggersByIds(ids: readonly string[]): Promise<readonly Trigger[]>;
  /** By rung. */
  triggersOfLadder(ladderId: string): Promise<readonly Trigger[]>;
  /** ACTIVE, PAUSED and TRIGGERED ones. */
  liveTriggerCount(): Promise<number>;
  /**
   * ACTIVE, PAUSED and TRIGGERED ones by (account, createdAt, id), in pieces, so that a start never holds all at once. Those
   * that open and wait come as what a start needs of them, the others whole. Their peaks are the latest that were written.
   * A row that is damaged is left out and told of.
   */
  eachLiveTrigger(
    take: (triggers: readonly (WaitingOpening | Trigger)[]) => void,
    damaged: (triggerId: string, reason: string) => void,
  ): Promise<void>;
  schedule(tradeAccountId: string, id: string): Promise<Schedule | null>;
  schedules(filter: RestingFilter<ScheduleStatus>, page: PageRequest): Promise<Page<ScheduleSummary>>;
  /** ACTIVE and PAUSED ones with all their slices, and ended ones with a slice still on its way. Oldest first. */
  liveSchedules(): Promise<readonly Schedule[]>;
  ladder(tradeAccountId: string, id: string): Promise<Ladder | null>;
  ladders(filter: RestingFilter<LadderStatus>, page: PageRequest): Promise<Page<Ladder>>;
  /** Status of each rung's trigger of these ladders, by trigger id. */
  rungStatuses(ladderIds: readonly string[]): Promise<ReadonlyMap<string, TriggerStatus>>;
  /** ACTIVE ones, oldest first. */
  liveLadders(): Promise<readonly Ladder[]>;
  /** The position's configuration that has not ended. */
  autoRebalance(positionId: string): Promise<AutoRebalance | null>;
  /** All that have not ended. */
  liveAutoRebalances(): Promise<readonly AutoRebalance[]>;
  positionSetup(executionId: string): Promise<StoredPositionSetup | null>;
  /** Everything that was placed by the grant, waits, and could open something: rungs count with their ladder. */
  waitingOpenings(grantId: string): Promise<WaitingOpenings>;
  /** Times inclusive, epoch ms. */
  notifications(
    filter: NotificationOwner & {
      readonly from?: number;
      readonly to?: number;
      readonly isRead?: boolean;
    },
    page: PageRequest,
  ): Promise<Page<Notification>>;
  /** How many changed; those of other owners and those that are so already do not count. */
  markNotifications(
    owner: NotificationOwner,
    which: { readonly id: string } | { readonly before: number },
    isRead: boolean,
    now: number,
  ): Promise<Result<number, StoreError>>;
}

export interface Store extends RestingStore {
  /** Resolves after the transaction holding the unit is on disk (group commit). */
  commit(unit: UnitOfWork): Promise<Result<readonly StoredEvent[], StoreError>>;
  /** Called in commit order, after the commit, before the committers' promises resolve. */
  onCommitted(listener: (events: readonly StoredEvent[]) => void): Unsubscribe;

  execution(tradeAccountId: string, id: string): Promise<Execution | null>;
  /** Newest first by (createdAt, id). */
  executions(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly statuses?: readonly ExecutionStatus[];
      readonly origins?: readonly string[];
    },
    page: PageRequest,
  ): Promise<Page<Execution>>;
  /** IDLE and ACTIVE, oldest first, with their orders. */
  unfinishedExecutions(): Promise<readonly Execution[]>;
  /** Sort key: timestamp. */
  fills(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly positionId?: string;
      readonly descending: boolean;
    },
    page: PageRequest,
  ): Promise<Page<Fill>>;
  fillsOfExecution(executionId: string): Promise<readonly Fill[]>;
  /** Of one account, oldest first: not attributed to a position, or not confirmed by the venue's history. */
  provisionalFills(tradeAccountId: string): Promise<readonly Fill[]>;
  /** Which of these venue trade ids are already stored for the account. */
  knownTradeIds(tradeAccountId: string, tradeIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The stored fills of these venue trade ids. */
  fillsByTradeId(tradeAccountId: string, tradeIds: readonly string[]): Promise<readonly Fill[]>;
  /** Those that nobody has resolved, oldest first. */
  fillReviews(): Promise<readonly FillReview[]>;
  knownFunding(tradeAccountId: string, venueIds: readonly string[]): Promise<ReadonlySet<string>>;
  orderWithExecution(tradeAccountId: string, orderId: string): Promise<OrderOfExecution | null>;
  /** With their executions: newest execution first, of one execution in the order of its legs. */
  orders(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly statuses?: readonly OrderStatus[];
    },
    page: PageRequest,
  ): Promise<Page<OrderOfExecution>>;
  position(tradeAccountId: string, id: string): Promise<Position | null>;
  positions(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly statuses?: readonly PositionStatus[];
      readonly orderBy: 'createdAt' | 'updatedAt';
      readonly descending: boolean;
    },
    page: PageRequest,
  ): Promise<Page<Position>>;
  openPositions(): Promise<readonly Position[]>;
  /** Those that something is left of, of all accounts. */
  unassignedLots(): Promise<readonly UnassignedLot[]>;
  leverage(): Promise<readonly LeverageSetting[]>;
  idempotency(userId: string, route: string, key: string): Promise<IdempotencyRecord | null>;
  users(): Promise<readonly User[]>;
  sessions(): Promise<readonly Session[]>;
  apiKeys(): Promise<readonly ApiKey[]>;
  accounts(): Promise<readonly TradeAccount[]>;
  setting(key: string): Promise<string | null>;
  cursor(tradeAccountId: string, kind: string): Promise<string | null>;
  /** Of one user, newest first. Sort key: `at`. */
  auditLog(userId: string, page: PageRequest): Promise<Page<AuditEntry>>;
  /** Every basket that was ever opened or saved here. */
  baskets(): Promise<readonly MaterializedBasket[]>;
  /** Of the keys that were ever opened; `connectors` null: all. */
  basketCounts(
    basketKeys: readonly string[],
    connectors: readonly string[] | null,
  ): Promise<readonly BasketCount[]>;
  /** Most recently updated first. */
  savedBaskets(tradeAccountId: string): Promise<readonly SavedBasket[]>;
  savedBasket(tradeAccountId: string, id: string): Promise<SavedBasket | null>;
  integrations(): Promise<readonly Integration[]>;
  /** Recorded candles of an instrument that begin in [from, to), oldest first. */
  candles(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]>;
  /** The latest recorded candle that begins before `at`, or the earliest that begins at or after it. */
  candleNearest(series: CandleSeries, at: number, side: 'before' | 'from'): Promise<Candle | null>;
  /** Every instrument's bars of one interval. */
  candleRow(connector: string, interval: CandleInterval, start: number): Promise<CandleRow | null>;
  /** Events with seq > after, oldest first, at most `limit`; `oldest` is the lowest seq still kept (0 when none). */
  events(
    tradeAccountId: string,
    after: number,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly oldest: number; readonly last: number }>;
  /** Last seq of the account without touching the disk; 0 when none. */
  lastSeq(tradeAccountId: string): number;
  /** Rewrites nothing, reads one row: is the store usable? */
  ping(): Promise<boolean>;
  readonly oauth: OAuthStore;
  readonly history: HistoryStore;
  /** Deletes what its retention has passed: events 7 days, idempotency keys 24 h, ended grants 30 days, audit 365 days. */
  prune(now: number): Promise<void>;
  close(): Promise<void>;
}

/** Which part of an account's history. */
export interface HistoryFilter {
  readonly tradeAccountId: string;
  /** null: both. */
  readonly source: HistorySource | null;
  /** Epoch ms, `from` inclusive, `to` exclusive. Totals are by whole hours or days: those that begin inside. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/** A closed position in the list of closed trades. */
export interface ClosedTradeKey {
  /** The position's. */
  readonly id: string;
  readonly closedAt: number;
}

/**
 * Sums of an account's history, kept with the fills, funding payments and positions in the unit that writes them, so that
 * a question about years reads days instead of fills.
 */
export interface HistoryStore {
  /** Start of the first hour with anything; null: there is nothing. */
  firstHour(tradeAccountId: string): Promise<number | null>;
  /** Start of the last hour with anything; after now where the clock was set back since. */
  lastHour(tradeAccountId: string): Promise<number | null>;
  /** Oldest first; periods without anything are left out. */
  periods(filter: HistoryFilter, width: 'hour' | 'day'): Promise<readonly PeriodTotals[]>;
  /**
   * All that an account's equity is made of, and the periods of a filter, as they were at one moment.
   * @param since what is recorded of before is no result of the account, epoch ms
   */
  records(
    filter: HistoryFilter & { readonly width: 'hour' | 'day' },
    since: number,
  ): Promise<{ readonly records: AccountRecords; readonly periods: readonly PeriodTotals[] }>;
  /** The last sample of each UTC day, oldest first. */
  dailySamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  /** Samples with a deposit or a withdrawal, oldest first. */
  flowSamples(tradeAccountId: string): Promise<readonly EquitySample[]>;
  lastSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** null: there is none yet. */
  firstSample(tradeAccountId: string): Promise<EquitySample | null>;
  /** Oldest first; days without anything are left out. */
  dailyNet(filter: HistoryFilter): Promise<readonly DayNet[]>;
  /** By symbol. */
  assets(filter: HistoryFilter): Promise<readonly AssetTotals[]>;
  /** By basket key, of trades closed inside the range. */
  baskets(filter: HistoryFilter): Promise<readonly BasketTotals[]>;
  /** Newest close first. Sort key: `closedAt`. */
  closedTrades(
    filter: { readonly tradeAccountId: string; readonly range: HistoryFilter['range'] },
    page: PageRequest,
  ): Promise<Page<ClosedTradeKey>>;
  /** All of one position's, oldest first. */
  fillsOfPosition(tradeAccountId: string, positionId: string): Promise<readonly TradeFill[]>;
}

/**
 * Rows of the authorization server. Every change is one transaction decided by the number of changed rows: of several
 * that race for one code, one token or one place, exactly one is told that it won. Each writes its audit entry with it.
 */
export interface OAuthStore {
  client(id: string): Promise<OAuthClient | null>;
  /** Makes room among `max` by removing the oldest clients that nobody has connected; false: all are in use. */
  addClient(client: OAuthClient, max: number): Promise<Result<boolean, StoreError>>;
  /** Expired ones included: what time means is the caller's to say. */
  interaction(uid: string): Promise<OAuthInteraction | null>;
  /** Makes room among `max` by removing expired ones, then the oldest in which nobody has signed in, then the oldest. */
  addInteraction(interaction: OAuthInteraction, max: number): Promise<Result<void, StoreError>>;
  /** `LOGIN` → `CONSENT`. False: no longer waiting for a login. */
  bindInteraction(uid: string, userId: string): Promise<Result<boolean, StoreError>>;
  /** Denied: the interaction ends. False: it had ended. */
  abortInteraction(uid: string, audit: AuditEntry): Promise<Result<boolean, StoreError>>;
  /** The interaction ends; its grant, `PENDING`, and its code are made, if the user then holds at most `maxGrants`. */
  approveInteraction(approval: {
    readonly uid: string;
    readonly grant: OAuthGrant;
    readonly code: OAuthCode;
    readonly maxGrants: number;
    readonly audit: AuditEntry;
  }): Promise<Result<'approved' | 'ended' | 'too_many_grants', StoreError>>;
  code(codeHash: string): Promise<OAuthCode | null>;
  /** The code is used up, its grant becomes `ACTIVE`. False: somebody else redeemed it, or the grant is no longer pending. */
  redeemCode(redemption: {
    readonly codeHash: string;
    readonly grantId: string;
    readonly at: number;
    readonly grantExpiresAt: number;
    /** null: the client gets none. */
    readonly refreshToken: OAuthRefreshToken | null;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  refreshToken(tokenHash: string): Promise<OAuthRefreshToken | null>;
  /** The one that works of the grant whose tokens begin so. */
  refreshTokenOfFamily(familyHash: string): Promise<OAuthRefreshToken | null>;
  /** Replaces the token of its grant. False: rotated by somebody else, or the grant is no longer active. */
  rotateRefreshToken(rotation: {
    readonly currentHash: string;
    readonly next: OAuthRefreshToken;
    readonly grantExpiresAt: number;
  }): Promise<Result<boolean, StoreError>>;
  /** False: not active. */
  revokeGrant(revocation: {
    readonly grantId: string;
    readonly at: number;
    readonly leftWaiting: Exclude<LeftWaiting, 'CANCELLED'>;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  /** What a revoked grant left waiting is cancelled: `CANCEL` → `CANCELLED`. */
  leftNothingWaiting(grantId: string): Promise<Result<boolean, StoreError>>;
  /** All that retention has left, for memory. */
  grants(): Promise<readonly OAuthGrant[]>;
}
