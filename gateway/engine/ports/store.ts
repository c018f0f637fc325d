/** Reads of the store. The adapter is store/. */
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import type { BasketCount, MaterializedBasket } from '../../domain/basket.ts';
import type { Candle, CandleRow } from '../../domain/candle.ts';
import type { RecordedInterval } from '../../domain/candle-intervals.ts';
import type { FillReview } from '../../domain/fill-review.ts';
import type { FilledLeg } from '../../domain/filled.ts';
import type { FundingPoint } from '../../domain/funding-history.ts';
import type { Integration } from '../../domain/integration.ts';
import type { Ladder, LadderStatus } from '../../domain/ladder.ts';
import type {
  ApiKey,
  Execution,
  ExecutionStatus,
  Fill,
  FundingPayment,
  LeverageSetting,
  Order,
  OrderStatus,
  Position,
  PositionStatus,
  TradeAccount,
  User,
} from '../../domain/model.ts';
import type { Notification, NotificationCategory } from '../../domain/notification.ts';
import type { Holding } from '../../domain/ownership.ts';
import type { Result } from '../../domain/result.ts';
import type { SavedBasket } from '../../domain/saved-basket.ts';
import type { Schedule, ScheduleStatus } from '../../domain/schedule.ts';
import type { ScheduleSummary } from '../../domain/schedule-summary.ts';
import type { Session } from '../../domain/session.ts';
import type { Trigger, TriggerKind, TriggerStatus, WaitingOpening } from '../../domain/trigger.ts';
import type { UnassignedLot } from '../../domain/unassigned.ts';
import type { ApprovalStore } from './approvals.ts';
import type { DeliveryStore } from './deliveries.ts';
import type { HistoryStore } from './history.ts';
import type { MandateStore } from './mandates.ts';
import type { RecordedSeries } from './market.ts';
import type { OAuthStore } from './oauth.ts';
import type { Page, PageRequest } from './pages.ts';
import type { AgentResult, StoredReservations } from './reservations.ts';
import type { Unsubscribe } from './system.ts';
import type {
  IdempotencyRecord,
  StoredEvent,
  StoredPositionSetup,
  StoreError,
  UnitOfWork,
} from './unit-of-work.ts';

/** Filter of lists of resting orders. */
export interface RestingFilter<Status extends string> {
  readonly tradeAccountId: string;
  readonly connector?: string;
  readonly statuses?: readonly Status[];
}

export interface OrderOfExecution {
  readonly order: Order;
  readonly execution: Execution;
}

/** Owner of notifications: a user, or only some of the user's accounts. */
export interface NotificationOwner {
  readonly userId: string;
  /** null: all accounts, and notifications that belong to no account. */
  readonly tradeAccountIds: readonly string[] | null;
}

/** A pending order on the gateway, and its account. */
export interface WaitingThing {
  readonly id: string;
  readonly tradeAccountId: string;
}

export interface WaitingOpenings {
  readonly triggers: readonly WaitingThing[];
  readonly ladders: readonly WaitingThing[];
  readonly schedules: readonly WaitingThing[];
  /** Auto-rebalances that trade automatically; `id` is the id of the position. */
  readonly autoRebalances: readonly WaitingThing[];
}

/** Triggers, schedules, ladders, rebalances, notifications. Lists: newest first by (createdAt, id). */
export interface RestingStore {
  trigger(tradeAccountId: string, id: string): Promise<Trigger | null>;
  triggers(
    filter: RestingFilter<TriggerStatus> & { readonly kinds?: readonly TriggerKind[] },
    page: PageRequest,
  ): Promise<Page<Trigger>>;
  /** Triggers that exist among these ids, in any order and of any account. */
  triggersByIds(ids: readonly string[]): Promise<readonly Trigger[]>;
  /** Trigger with this execution; of a bracket the last one; null: none. */
  triggerOfExecution(
    execution: Pick<Execution, 'id' | 'tradeAccountId' | 'createdAt'>,
  ): Promise<Trigger | null>;
  /** The triggers of a ladder, in the order of its rungs. */
  triggersOfLadder(ladderId: string): Promise<readonly Trigger[]>;
  /** Creation times of the authority's alerts after `since`, on all accounts of its user, oldest first. Epoch ms. */
  alertTimes(userId: string, authorityId: string, since: number): Promise<readonly number[]>;
  /** Number of ACTIVE, PAUSED and TRIGGERED triggers. */
  liveTriggerCount(): Promise<number>;
  /**
   * Reads ACTIVE, PAUSED and TRIGGERED triggers by (account, createdAt, id), in chunks, so that a start never holds
   * all at once. Waiting triggers that open a position come with only the fields a start needs, others complete.
   * Peaks are the latest written ones. A damaged row is left out and reported to `damaged`.
   */
  eachLiveTrigger(
    take: (triggers: readonly (WaitingOpening | Trigger)[]) => void,
    damaged: (triggerId: string, reason: string) => void,
  ): Promise<void>;
  schedule(tradeAccountId: string, id: string): Promise<Schedule | null>;
  schedules(filter: RestingFilter<ScheduleStatus>, page: PageRequest): Promise<Page<ScheduleSummary>>;
  /**
   * ACTIVE and PAUSED schedules with all slices, and ended schedules whose last slice is still executing. Oldest
   * first.
   */
  liveSchedules(): Promise<readonly Schedule[]>;
  ladder(tradeAccountId: string, id: string): Promise<Ladder | null>;
  ladders(filter: RestingFilter<LadderStatus>, page: PageRequest): Promise<Page<Ladder>>;
  /** Trigger id → status, for all rungs of these ladders. */
  rungStatuses(ladderIds: readonly string[]): Promise<ReadonlyMap<string, TriggerStatus>>;
  /** Trigger id → fills, for the rungs of these ladders that have any. */
  rungFills(ladderIds: readonly string[]): Promise<ReadonlyMap<string, readonly FilledLeg[]>>;
  /** ACTIVE ladders, oldest first. */
  liveLadders(): Promise<readonly Ladder[]>;
  /** The position's rebalance configuration that has not ended. */
  autoRebalance(positionId: string): Promise<AutoRebalance | null>;
  /** All rebalance configurations that have not ended. */
  liveAutoRebalances(): Promise<readonly AutoRebalance[]>;
  positionSetup(executionId: string): Promise<StoredPositionSetup | null>;
  /** Pending orders placed with the grant that could open a position. The rungs of a ladder count as the ladder. */
  waitingOpenings(grantId: string): Promise<WaitingOpenings>;
  notification(id: string): Promise<Notification | null>;
  /** Notifications; `from` is inclusive, `to` exclusive, epoch ms. */
  notifications(
    filter: NotificationOwner & {
      readonly from?: number;
      readonly to?: number;
      readonly isRead?: boolean;
      /** Categories that are left out. */
      readonly without?: readonly NotificationCategory[];
    },
    page: PageRequest,
  ): Promise<Page<Notification>>;
  /** Marks notifications and returns how many changed. Others' notifications, or marked ones, do not count. */
  markNotifications(
    owner: NotificationOwner,
    which: { readonly id: string } | { readonly before: number },
    isRead: boolean,
    now: number,
  ): Promise<Result<number, StoreError>>;
}

/** Stored usage of mandates; read at start, held in memory from then on. */
export interface AgentStore {
  /**
   * Reservations of executions that have not ended, or ended after `since` (epoch ms), of orders requested since then,
   * and of pending orders.
   */
  reservations(since: number): Promise<StoredReservations>;
  /** Shares in open positions. */
  holdings(): Promise<readonly Holding[]>;
  /** Instruments that each holder has ever held: one row per instrument. */
  tradedByAgents(): Promise<
    readonly Pick<Holding, 'holderKind' | 'holderId' | 'tradeAccountId' | 'symbol'>[]
  >;
  /** Results after `since` (epoch ms), oldest first. */
  agentResults(since: number): Promise<readonly AgentResult[]>;
}

export interface Store extends RestingStore, MandateStore, AgentStore, ApprovalStore, DeliveryStore {
  /** Resolves after the transaction holding the unit is on disk (group commit). */
  commit(unit: UnitOfWork): Promise<Result<readonly StoredEvent[], StoreError>>;
  /** `listener` is called in commit order, after the commit, before the committers' promises resolve. */
  onCommitted(listener: (events: readonly StoredEvent[]) => void): Unsubscribe;

  execution(tradeAccountId: string, id: string): Promise<Execution | null>;
  /** Executions, newest first by (createdAt, id). */
  executions(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly statuses?: readonly ExecutionStatus[];
      readonly origins?: readonly string[];
    },
    page: PageRequest,
  ): Promise<Page<Execution>>;
  /** IDLE and ACTIVE executions, oldest first, with their orders. */
  unfinishedExecutions(): Promise<readonly Execution[]>;
  /** Fills. Sort key: timestamp. */
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
  /** Fills of one account, oldest first, without a position or not confirmed by the venue's history. */
  provisionalFills(tradeAccountId: string): Promise<readonly Fill[]>;
  /** Venue trade ids among these that are already stored for the account. */
  knownTradeIds(tradeAccountId: string, tradeIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The stored fills of these venue trade ids. */
  fillsByTradeId(tradeAccountId: string, tradeIds: readonly string[]): Promise<readonly Fill[]>;
  /** Unresolved reviews, oldest first. */
  fillReviews(): Promise<readonly FillReview[]>;
  /** Funding payments, newest first. Sort key: timestamp. `from` inclusive, `to` exclusive, epoch ms. */
  fundingPayments(
    filter: { readonly tradeAccountId: string; readonly from: number; readonly to: number },
    page: PageRequest,
  ): Promise<Page<FundingPayment>>;
  knownFunding(tradeAccountId: string, venueIds: readonly string[]): Promise<ReadonlySet<string>>;
  orderWithExecution(tradeAccountId: string, orderId: string): Promise<OrderOfExecution | null>;
  /** Orders with their executions, newest execution first; within one execution in the order of its legs. */
  orders(
    filter: {
      readonly tradeAccountId: string;
      readonly connector?: string;
      readonly statuses?: readonly OrderStatus[];
    },
    page: PageRequest,
  ): Promise<Page<OrderOfExecution>>;
  position(tradeAccountId: string, id: string): Promise<Position | null>;
  /** Positions of the account among these ids, in any order. */
  positionsByIds(tradeAccountId: string, ids: readonly string[]): Promise<readonly Position[]>;
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
  /** Lots of all accounts whose quantity is not zero. */
  unassignedLots(): Promise<readonly UnassignedLot[]>;
  leverage(): Promise<readonly LeverageSetting[]>;
  /** Limits of live accounts; an account that was never armed has none. */
  accountLimits(): Promise<readonly AccountLimits[]>;
  idempotency(userId: string, route: string, key: string): Promise<IdempotencyRecord | null>;
  users(): Promise<readonly User[]>;
  sessions(): Promise<readonly Session[]>;
  apiKeys(): Promise<readonly ApiKey[]>;
  accounts(): Promise<readonly TradeAccount[]>;
  setting(key: string): Promise<string | null>;
  cursor(tradeAccountId: string, kind: string): Promise<string | null>;
  /** Entries of one user, newest first. Sort key: `at`. */
  auditLog(userId: string, page: PageRequest): Promise<Page<AuditEntry>>;
  /** Every basket that was ever opened or saved on this gateway. */
  baskets(): Promise<readonly MaterializedBasket[]>;
  /** Number of times that baskets were opened; `connectors` null: on all connectors. */
  basketCounts(
    basketKeys: readonly string[],
    connectors: readonly string[] | null,
  ): Promise<readonly BasketCount[]>;
  /** Saved baskets, most recently updated first. */
  savedBaskets(tradeAccountId: string): Promise<readonly SavedBasket[]>;
  savedBasket(tradeAccountId: string, id: string): Promise<SavedBasket | null>;
  integrations(): Promise<readonly Integration[]>;
  /** Recorded candles of an instrument that begin in [from, to), oldest first. */
  candles(series: RecordedSeries, from: number, to: number): Promise<readonly Candle[]>;
  /**
   * The latest recorded candle that begins before `at` (side `before`), or the earliest that begins at or after it
   * (side `from`).
   */
  candleNearest(series: RecordedSeries, at: number, side: 'before' | 'from'): Promise<Candle | null>;
  /** One interval's bars of every instrument. */
  candleRow(connector: string, interval: RecordedInterval, start: number): Promise<CandleRow | null>;
  /** Recorded funding rates of an instrument at hours in [from, to], epoch ms, oldest first. */
  fundingPoints(
    connector: string,
    symbol: string,
    from: number,
    to: number,
  ): Promise<readonly FundingPoint[]>;
  /** Events with seq > after, oldest first, at most `limit`; `oldest` is the lowest seq still kept (0 when none). */
  events(
    tradeAccountId: string,
    after: number,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly oldest: number; readonly last: number }>;
  /** Highest seq of the account, from memory; 0: no events. */
  lastSeq(tradeAccountId: string): number;
  /** True: the store is usable. Reads one row, writes none. */
  ping(): Promise<boolean>;
  readonly oauth: OAuthStore;
  readonly history: HistoryStore;
  /** Deletes rows past their retention: events 7 days, idempotency keys 24 h, ended grants 30 days, audit 365 days. */
  prune(now: number): Promise<void>;
  /** Greatest id of the records that lists sort by time and id; null: none. */
  lastId(): Promise<string | null>;
  close(): Promise<void>;
}
