/** Writes to the store: records that commit together, or not at all. The adapter is in store/. */
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { Approval } from '../../domain/approval.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Placed } from '../../domain/authority.ts';
import type { AutoRebalance } from '../../domain/auto-rebalance.ts';
import type { BasketOpens, MaterializedBasket } from '../../domain/basket.ts';
import type { CandleRow } from '../../domain/candle.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import type { Delivery, Destination } from '../../domain/delivery.ts';
import type { FillReview } from '../../domain/fill-review.ts';
import type { FundingRow } from '../../domain/funding-history.ts';
import type { Integration } from '../../domain/integration.ts';
import type { Ladder } from '../../domain/ladder.ts';
import type {
  ApiKey,
  Execution,
  Fill,
  FundingPayment,
  LeverageSetting,
  Position,
  TradeAccount,
  User,
} from '../../domain/model.ts';
import type { Notification } from '../../domain/notification.ts';
import type { Holding } from '../../domain/ownership.ts';
import type { EquitySample } from '../../domain/portfolio.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import type { SavedBasket } from '../../domain/saved-basket.ts';
import type { Schedule, Slice } from '../../domain/schedule.ts';
import type { Session } from '../../domain/session.ts';
import type { SizedLevels } from '../../domain/sized-levels.ts';
import type { Trigger } from '../../domain/trigger.ts';
import type { UnassignedLot } from '../../domain/unassigned.ts';
import type { HouseRecord, MandateRecord, SuspensionRecord } from './mandates.ts';
import type { AgentResult, WaitingReservation } from './reservations.ts';

export interface NewEvent {
  readonly tradeAccountId: string;
  readonly event: string;
  readonly entityId: string;
  readonly timestamp: number;
}

export interface StoredEvent extends NewEvent {
  /**
   * Rises by one per trade account, without gaps, also across restarts. The writer assigns it when it composes the
   * batch.
   */
  readonly seq: number;
}

export interface IdempotencyRecord {
  readonly userId: string;
  /** `METHOD path-pattern`. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 hex of (trade account, path parameters, canonical body). */
  readonly requestHash: string;
  /** HTTP status of the answer. 0: the key is claimed by a request that must not run twice and has no answer yet. */
  readonly status: number;
  /** The first answer's body, JSON text. */
  readonly answer: string;
  readonly createdAt: number;
}

/** Best value seen by a trailing trigger. Stored apart from the trigger's row, because it moves with the market. */
export interface TrailingPeak {
  readonly triggerId: string;
  readonly peak: DecimalString;
  readonly seenAt: number;
}

/**
 * Levels of a bracket after its position's size has changed. Stored apart from the trigger's row, because the change of
 * the position does not hold the trigger's lock.
 */
export interface BracketLevels {
  readonly triggerId: string;
  readonly sized: SizedLevels;
}

/** Brackets and rebalancing that wait for the first fills of an execution. */
export interface StoredPositionSetup extends PositionSetup, Placed {
  readonly executionId: string;
}

export interface StoredSlice extends Slice {
  readonly scheduleId: string;
}

export interface FillChange {
  /** The fill after the change; its key is unchanged. */
  readonly fill: Fill;
  /** Realised PnL recorded for the fill before the change, USD. */
  readonly realizedBefore: DecimalString;
}

/**
 * Rows that commit together, or not at all. Rows are whole records.
 * Inserted or replaced by id: `executions` (with their orders), `positions`, `leverage`, `users`, `sessions`,
 * `apiKeys`, `accounts`, `accountLimits`, `suspensions`, `settings`, `cursors`, `equitySamples`, `triggers`,
 * `trailingPeaks`, `bracketLevels`, `schedules`, `slices`, `ladders`, `autoRebalances`, `savedBaskets`, `integrations`,
 * `fillReviews`, `candles`, `fundingRates`, `reservations`, `holdings`. Inserted, and a duplicate key fails the unit:
 * `newExecutions`, `newSchedules` (with their slices), `positionSetups`, `mandates`, `houseLimits`, `notifications`,
 * `fills`, `funding`, `idempotency`, `audit`, `agentResults`. `baskets` are inserted unless present; `basketOpens` add
 * to stored counts.
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
  /** Peaks that moved enough to be worth a write. Such a row overrides the older peak in the trigger's own row. */
  readonly trailingPeaks?: readonly TrailingPeak[];
  /** Levels that override those in the trigger's own row. */
  readonly bracketLevels?: readonly BracketLevels[];
  readonly newSchedules?: readonly Schedule[];
  /** The schedule's own row only; `slices` is just a count and is not written. */
  readonly schedules?: readonly Schedule[];
  readonly slices?: readonly StoredSlice[];
  /** Ladders without the states of their rungs, which are stored with the rungs' triggers. */
  readonly ladders?: readonly Ladder[];
  readonly autoRebalances?: readonly AutoRebalance[];
  readonly notifications?: readonly Notification[];
  readonly leverage?: readonly LeverageSetting[];
  readonly idempotency?: readonly IdempotencyRecord[];
  /** Replace idempotency records by (user, route, key): the answer to a claimed key, or the release of the claim. */
  readonly answeredKeys?: readonly IdempotencyRecord[];
  readonly users?: readonly User[];
  readonly sessions?: readonly Session[];
  readonly apiKeys?: readonly ApiKey[];
  readonly accounts?: readonly TradeAccount[];
  readonly accountLimits?: readonly AccountLimits[];
  readonly mandates?: readonly MandateRecord[];
  readonly houseLimits?: readonly HouseRecord[];
  readonly suspensions?: readonly SuspensionRecord[];
  readonly settings?: readonly { readonly key: string; readonly value: string }[];
  readonly cursors?: readonly {
    readonly tradeAccountId: string;
    readonly kind: string;
    readonly value: string;
  }[];
  readonly audit?: readonly AuditEntry[];
  /** Changes of stored fills: attributed to a position, or confirmed by the venue's history. */
  readonly changedFills?: readonly FillChange[];
  /** Lots outside baskets with their remaining quantity; replaced by id. */
  readonly unassignedLots?: readonly UnassignedLot[];
  readonly candles?: readonly CandleRow[];
  readonly fundingRates?: readonly FundingRow[];
  readonly baskets?: readonly MaterializedBasket[];
  readonly basketOpens?: readonly BasketOpens[];
  readonly savedBaskets?: readonly SavedBasket[];
  readonly integrations?: readonly Integration[];
  readonly fillReviews?: readonly FillReview[];
  /** Inserted or replaced by id. Once an approval has ended, a unit that names it again fails as a conflict. */
  readonly approvals?: readonly Approval[];
  /** Reservations of pending orders under a mandate. */
  readonly reservations?: readonly WaitingReservation[];
  readonly holdings?: readonly Holding[];
  readonly agentResults?: readonly AgentResult[];
  /** News destinations and their deliveries: inserted or replaced by id. */
  readonly destinations?: readonly Destination[];
  readonly deliveries?: readonly Delivery[];
  readonly deletes?: readonly {
    readonly from: 'sessions' | 'apiKeys' | 'accounts' | 'savedBaskets' | 'destinations';
    readonly id: string;
  }[];
  readonly events?: readonly NewEvent[];
}

export type StoreError =
  /** A unique key existed already, or an approval had ended; nothing of the unit was written. */
  | { readonly kind: 'conflict'; readonly message: string }
  /** Disk full, read-only, I/O error: nothing of the unit was written; trying again later may succeed. */
  | { readonly kind: 'unavailable'; readonly message: string };
