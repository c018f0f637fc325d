/**
 * What the routes of resting orders ask of the engine: triggers, schedules, ladders, brackets, rebalances, open orders, the
 * brakes. `http/` calls these and presents what comes back; the services implement them.
 *
 * Every method
 * - refuses in the order of the service: what cannot be true of the request (VALIDATION_ERROR with the field's dotted path
 *   in `details`: unknown symbol or client, a time in the past, a level passed already, below the venue's minimum, unknown
 *   prediction market), then a missing feed (NOT_IMPLEMENTED_ERROR) or markets that are not known yet (CONFIGURATION_ERROR),
 *   then a resource that is not the account's (RESOURCE_NOT_FOUND), then its state (RESOURCE_BUSY, NOOP_ERROR);
 * - answers after the commit that holds the change, its events and, for a new thing, its idempotency record, in one unit;
 *   a repeated key gets its first answer before any of the checks of state;
 * - leaves nothing behind when it refuses.
 *
 * What could open something answers RESOURCE_BUSY with `details.reason` `PAUSED` while the user's trading is paused.
 * A state that is left by something on its way is RESOURCE_BUSY (a trigger that is TRIGGERED); a state that is so already or
 * has ended is NOOP_ERROR.
 *
 * Events, each in the unit of its change: `<kind>.created`, `.updated` (any change that does not end it), `.completed` (also
 * PARTIALLY_COMPLETED), `.failed`, `.cancelled` (also EXPIRED), with kind trigger, schedule, ladder; `order.updated`;
 * `notification.created`, sent to the account of its parameters.
 */
import type { AuditEntry } from '../domain/audit.ts';
import type { AutoRebalance, RebalanceMode, RebalanceTimeframe } from '../domain/auto-rebalance.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type { Ladder, LadderDistribution, LadderMetric, LadderSizing } from '../domain/ladder.ts';
import type { Execution, LegFailurePolicy, Principal, TradeAccount, TradeLeg } from '../domain/model.ts';
import type { PositionSetup, RebalanceTerms } from '../domain/position-setup.ts';
import type { RebalancePlan } from '../domain/rebalance.ts';
import type { Result } from '../domain/result.ts';
import type { Safety } from '../domain/safety.ts';
import type { MissedSlicePolicy, Schedule } from '../domain/schedule.ts';
import type {
  Bracket,
  BracketKind,
  Condition,
  Direction,
  MissedTriggerPolicy,
  PriceSource,
  Trigger,
  TriggerStatus,
} from '../domain/trigger.ts';
import type { OrderCommand } from './accept.ts';
import type { EngineError } from './errors.ts';
import type { Answered, IdempotentRequest } from './idempotency.ts';
import type { OrderOfExecution } from './ports/store.ts';

/** Makes something under an idempotency key. `answer` is the JSON text of the first answer, committed for replays. */
export interface MakeCommand<Made> {
  readonly account: TradeAccount;
  readonly idempotency: IdempotentRequest | null;
  readonly answer: (made: Made) => string;
}

type Refusable<T> = Promise<Result<T, EngineError>>;

export interface RestingServices {
  readonly triggers: TriggerService;
  readonly schedules: ScheduleService;
  readonly ladders: LadderService;
  readonly brackets: BracketService;
  readonly rebalances: RebalanceService;
  readonly positions: PositionService;
  readonly orders: OrderService;
  readonly safety: SafetyService;
}

// ── triggers ───────────────────────────────────────────────────────────────────────────────────────────────────

/** How a condition is watched. */
export interface Watch {
  readonly condition: Condition;
  readonly priceSource: PriceSource;
  /** Epoch ms, refused unless later than now; null: never. */
  readonly expiresAt: number | null;
  /** false: a condition that holds already is refused on path `condition.value`. */
  readonly allowImmediate: boolean;
  readonly onMissed: MissedTriggerPolicy;
}

/** The contract has seen to it that PRICE names a leg, that PRICE_RATIO has a pair, and that weights sum to 1. */
export interface OpenTrigger extends Watch, Pick<PositionSetup, 'takeProfit' | 'stopLoss'> {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: DecimalString | null;
  readonly slippage: DecimalString;
  readonly clientId: string | null;
}

/** What closing orders that wait have in common. */
export interface WaitingClose {
  readonly positionId: string;
  /** (0–1]; '1' closes everything. */
  readonly fraction: DecimalString;
  /** null: the default of closing orders. */
  readonly slippage: DecimalString | null;
  readonly clientId: string | null;
}

/** A field that is left out stays as it is. */
export interface ChangeTrigger {
  /** New value of the condition; refused for a bracket on path `condition`. */
  readonly level?: DecimalString;
  /** As in `Watch`, of the new level. */
  readonly allowImmediate: boolean;
  readonly expiresAt?: number | null;
  /** Refused for triggers that close. */
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
  /** Of both; left out: as it was. */
  readonly brackets?: 'KEEP' | 'REPLACE';
}

/** What a watcher has in memory beyond the trigger's row. */
export interface Observation {
  readonly value: DecimalString | null;
  readonly at: number | null;
  /** Of a trailing bracket; null before it began and without trailing. */
  readonly peak: DecimalString | null;
}

export interface CancelReport {
  readonly cancelled: readonly string[];
  readonly failed: readonly { readonly id: string; readonly error: EngineError }[];
}

export interface TriggerService {
  /** 200 with the trigger. With `allowImmediate` it may be TRIGGERED by the time of the answer. */
  open(principal: Principal, command: MakeCommand<Trigger>, asked: OpenTrigger): Refusable<Answered>;
  /** 200 with a trigger of kind CLOSE. A position that is closed already: NOOP_ERROR. */
  close(
    principal: Principal,
    command: MakeCommand<Trigger>,
    asked: WaitingClose & Watch,
  ): Refusable<Answered>;
  /** The user takes over what is changed or resumed; an agent leaves it to who placed it. */
  change(
    principal: Principal,
    account: TradeAccount,
    triggerId: string,
    change: ChangeTrigger,
  ): Refusable<Trigger>;
  cancel(account: TradeAccount, triggerId: string): Refusable<Trigger>;
  pause(account: TradeAccount, triggerId: string): Refusable<Trigger>;
  resume(principal: Principal, account: TradeAccount, triggerId: string): Refusable<Trigger>;
  /** Those that wait, brackets and rungs included; their ladders end with them. None: NOOP_ERROR. */
  /** @param keepBrackets take-profits and stop-losses stay: they end with their position */
  cancelAll(account: TradeAccount, keepBrackets?: boolean): Refusable<CancelReport>;
  /** Those of them that wait. */
  cancelMany(ids: readonly string[]): Promise<CancelReport>;
  /** undefined: it waits no more, its row says all. */
  observation(triggerId: string): Observation | undefined;
}

// ── schedules ──────────────────────────────────────────────────────────────────────────────────────────────────

/** How something is cut into slices. */
export interface Slicing {
  /** 60–86,400. */
  readonly durationSeconds: number;
  /** 5–3,600, at most the duration. */
  readonly intervalSeconds: number;
  readonly randomize: boolean;
  readonly limitRatio: DecimalString | null;
  readonly missedSlicePolicy: MissedSlicePolicy;
}

export interface CreateSchedule extends Slicing, Pick<PositionSetup, 'takeProfit' | 'stopLoss'> {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: DecimalString | null;
  readonly slippage: DecimalString;
  readonly reduceOnly: boolean;
  readonly clientId: string | null;
}

export interface ScheduleService {
  /**
   * 200 with the schedule. Slices below a leg's minimum: VALIDATION_ERROR on path `intervalSeconds`, whose message names
   * the largest slice count that would do.
   */
  create(principal: Principal, command: MakeCommand<Schedule>, asked: CreateSchedule): Refusable<Answered>;
  /** 200 with a schedule of kind CLOSE. */
  close(
    principal: Principal,
    command: MakeCommand<Schedule>,
    asked: WaitingClose & Slicing,
  ): Refusable<Answered>;
  pause(account: TradeAccount, scheduleId: string): Refusable<Schedule>;
  /** The user takes over what is resumed. */
  resume(principal: Principal, account: TradeAccount, scheduleId: string): Refusable<Schedule>;
  cancel(account: TradeAccount, scheduleId: string): Refusable<Schedule>;
}

// ── ladders ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface CreateLadder {
  readonly legs: readonly TradeLeg[];
  readonly totalUsd: DecimalString | null;
  readonly metric: LadderMetric;
  /** The leg whose price counts; not null exactly with PRICE. */
  readonly symbol: string | null;
  readonly direction: Direction;
  readonly start: DecimalString;
  /** Differs from `start`. */
  readonly end: DecimalString;
  /** 2–50. */
  readonly levels: number;
  readonly distribution: LadderDistribution;
  readonly sizing: LadderSizing;
  /** false: a level that is passed already is refused on path `start`. */
  readonly allowImmediate: boolean;
  readonly expiresAt: number | null;
  readonly slippage: DecimalString;
  readonly clientId: string | null;
}

/** A ladder with the statuses of its rungs' triggers, by trigger id. */
export interface LadderState {
  readonly ladder: Ladder;
  readonly statuses: ReadonlyMap<string, TriggerStatus>;
}

export interface LadderService {
  /** 200 with the ladder. Ladder and rungs are one unit. A rung below a leg's minimum: VALIDATION_ERROR on `levels`. */
  create(principal: Principal, command: MakeCommand<LadderState>, asked: CreateLadder): Refusable<Answered>;
  /** Cancels every rung that waits; one that fires ends as it will. */
  cancel(account: TradeAccount, ladderId: string): Refusable<LadderState>;
}

// ── brackets and rebalances of positions ───────────────────────────────────────────────────────────────────────

export type BracketTrigger = Extract<Trigger, { readonly bracketType: BracketKind }>;

/** Those that have not ended. */
export interface PositionBrackets {
  readonly takeProfit: BracketTrigger | null;
  readonly stopLoss: BracketTrigger | null;
}

export interface BracketService {
  /**
   * Left out: stays; null: removed; otherwise replaced by a new trigger, old and new in one unit. Refused: a level that is
   * passed already (path `takeProfit.value`, `stopLoss.value`), a metric that does not fit the legs (`…type`); a closed
   * position and a removal of nothing (NOOP_ERROR); a bracket whose round is on its way (RESOURCE_BUSY; between two rounds
   * it is changed like any other).
   */
  set(
    principal: Principal,
    account: TradeAccount,
    positionId: string,
    change: { readonly takeProfit?: Bracket | null; readonly stopLoss?: Bracket | null },
  ): Refusable<PositionBrackets>;
  /** From memory; both null for a position without any. */
  of(positionId: string): PositionBrackets;
}

/** null: as the position's configuration has it; without one TARGET_WEIGHTS, 1h, no bound. */
export interface RebalanceAsk {
  readonly mode: RebalanceMode | null;
  readonly timeframe: RebalanceTimeframe | null;
  readonly maxTradeUsd: DecimalString | null;
}

export interface PlannedRebalance {
  readonly positionId: string;
  readonly mode: RebalanceMode;
  /** null with TARGET_WEIGHTS. */
  readonly beta: DecimalString | null;
  readonly plan: RebalancePlan;
}

/**
 * Refusals: AUTO_REBALANCE_POSITION_NOT_FOUND, AUTO_REBALANCE_CONFIG_NOT_FOUND (nothing that has not ended),
 * AUTO_REBALANCE_POSITION_NOT_OPEN, AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS (one that has not ended, paused included; the unique
 * index decides a race), AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE; NOOP_ERROR where it is so already.
 */
export interface RebalanceService {
  set(
    principal: Principal,
    account: TradeAccount,
    positionId: string,
    terms: RebalanceTerms,
  ): Refusable<AutoRebalance>;
  pause(account: TradeAccount, positionId: string): Refusable<AutoRebalance>;
  /** The user takes over what is resumed. */
  resume(principal: Principal, account: TradeAccount, positionId: string): Refusable<AutoRebalance>;
  end(account: TradeAccount, positionId: string): Refusable<AutoRebalance>;
  /** The one that has not ended, from memory. */
  of(positionId: string): AutoRebalance | undefined;
  /** Records nothing. CONFIGURATION_ERROR while a beta cannot be computed (too few candles). */
  plan(account: TradeAccount, positionId: string, asked: RebalanceAsk): Refusable<PlannedRebalance>;
  /** 202 with the execution (origin REBALANCE). Every leg skipped: NOOP_ERROR. */
  rebalance(
    principal: Principal,
    command: OrderCommand,
    positionId: string,
    asked: RebalanceAsk & { readonly slippage: DecimalString | null; readonly clientId: string | null },
  ): Refusable<Answered>;
}

// ── positions ──────────────────────────────────────────────────────────────────────────────────────────────────

export interface CloseAllReport {
  readonly executions: readonly Execution[];
  readonly failures: readonly { readonly positionId: string; readonly error: EngineError }[];
}

export interface MarginChange {
  readonly positionId: string;
  readonly symbol: string;
  /** USD; + added, − taken out. */
  readonly amount: DecimalString;
  /** As the venue has it afterwards; null where it did not say. */
  readonly marginUsed: DecimalString | null;
  readonly liquidationPrice: DecimalString | null;
}

export interface PositionService {
  /** 202 with the closing execution (intent REVERSE); once COMPLETED, a child of it opens the opposite basket. */
  reverse(
    principal: Principal,
    command: OrderCommand,
    asked: {
      readonly positionId: string;
      readonly slippage: DecimalString | null;
      /** Of the opening half. */
      readonly onLegFailure: LegFailurePolicy;
      /** What becomes of take-profit and stop-loss: `bracket-fate.ts`. */
      readonly brackets: 'CARRY' | 'DROP';
      readonly clientId: string | null;
    },
  ): Refusable<Answered>;
  /** 202; all executions and the idempotency record are one unit. `connector` null: all. None open: NOOP_ERROR. */
  closeAll(
    principal: Principal,
    command: MakeCommand<CloseAllReport>,
    asked: {
      readonly connector: string | null;
      readonly slippage: DecimalString | null;
      readonly clientId: string | null;
    },
  ): Refusable<Answered>;
  /** 200. A cross leg: VALIDATION_ERROR on `symbol`; a venue without `margin_change`: NOT_IMPLEMENTED_ERROR. */
  changeMargin(
    command: MakeCommand<MarginChange>,
    asked: Pick<MarginChange, 'positionId' | 'symbol' | 'amount'>,
  ): Refusable<Answered>;
}

// ── orders ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface OrderService {
  /** The order as it is once the venue has answered. Finished already: NOOP_ERROR. */
  cancel(account: TradeAccount, orderId: string): Refusable<OrderOfExecution>;
  /** PENDING and PARTIAL ones. None: NOOP_ERROR. */
  cancelAll(account: TradeAccount): Refusable<CancelReport>;
}

// ── safety ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface PanicReport {
  readonly safety: Safety;
  /** How many. */
  readonly cancelled: {
    readonly triggers: number;
    readonly schedules: number;
    readonly ladders: number;
    readonly orders: number;
    readonly autoRebalances: number;
  };
  /** The closing ones. */
  readonly executions: readonly Execution[];
  readonly failures: readonly {
    readonly kind: 'POSITION' | 'ORDER' | 'TRIGGER' | 'SCHEDULE' | 'LADDER' | 'AUTO_REBALANCE';
    readonly id: string;
    readonly error: EngineError;
  }[];
}

/** Per user, all trade accounts alike; survives restarts. */
export interface SafetyService {
  /** From memory. */
  of(userId: string): Safety;
  /** Of the entry's user, in one unit with it. Paused already: NOOP_ERROR. */
  pause(audit: AuditEntry): Refusable<Safety>;
  /** As `pause`. Running already: NOOP_ERROR. */
  resume(audit: AuditEntry): Refusable<Safety>;
  /** The pause is committed before anything is cancelled or closed. May be called again at any time. */
  /** @param includeOutside also what was traded past the gateway and is in no basket */
  panic(principal: Principal, includeOutside: boolean, audit: AuditEntry): Refusable<PanicReport>;
}
