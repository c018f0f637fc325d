/**
 * The nouns of the service, as the gateway holds them. Times are epoch milliseconds, amounts decimal strings;
 * presenters turn both into the wire form.
 */
import type { DecimalString } from './decimal.ts';
import type {
  ACCOUNT_MODES,
  AUTHORITY_KINDS,
  EXECUTION_INTENTS,
  EXECUTION_ORIGINS,
  EXECUTION_STATUSES,
  LEG_FAILURE_POLICIES,
  LEG_MODES,
  LIQUIDITIES,
  MARGIN_MODES,
  ORDER_ERROR_CODES,
  ORDER_STATUSES,
  POSITION_ORIGINS,
  POSITION_STATUSES,
  SIDES,
  TRADE_ACCOUNT_STATUSES,
  TRADEABILITY_STATUSES,
} from './enumerations.ts';

export type AuthorityKind = (typeof AUTHORITY_KINDS)[number];

/**
 * Authority that placed an object. Both null: the object is of a version that recorded no authority, so the user's.
 */
export interface Placed {
  readonly authorityKind: AuthorityKind | null;
  /** Id of the session, key or grant. Not of the client: if a client connects again, that is another authority. */
  readonly authorityId: string | null;
}

export type Side = (typeof SIDES)[number];
export type MarginMode = (typeof MARGIN_MODES)[number];
export type TradeabilityStatus = (typeof TRADEABILITY_STATUSES)[number];

export interface Tradeability {
  readonly status: TradeabilityStatus;
  readonly reason: string | null;
}

/** One leverage bracket: up to `maxNotional` (USD, null = no bound) at most `maxLeverage`, with its maintenance rate. */
export interface LeverageTier {
  readonly maxNotional: DecimalString | null;
  readonly maxLeverage: number;
  readonly maintenanceRate: DecimalString;
}

export interface Instrument {
  /** Instrument ID, the same across connectors for one underlying, e.g. `BTC-PERP`. */
  readonly id: string;
  /** Ticker for display, e.g. `BTC`. */
  readonly symbol: string;
  readonly connector: string;
  /** Venue's own name for it, e.g. `kPEPE`. */
  readonly venueSymbol: string;
  /** Base units in one unit of the venue's quantities: 1000 for `kPEPE`. Everything else here counts base units. */
  readonly multiplier: DecimalString;
  readonly type: 'perp';
  readonly tickSize: DecimalString;
  /** Quantity step. */
  readonly stepSize: DecimalString;
  /** Smallest quantity of an order; at least a step. Nothing is exempt from it. */
  readonly minQuantity: DecimalString;
  /** Largest quantity of one order; null: the venue names none. */
  readonly maxQuantity: DecimalString | null;
  /** Smallest order value in USD. */
  readonly minNotional: DecimalString;
  readonly maxLeverage: number;
  readonly marginModes: readonly MarginMode[];
  readonly fundingIntervalHours: number;
  readonly tradeability: Tradeability;
  /** Epoch ms at which the venue ends its trading, if announced. */
  readonly delistsAt?: number;
  /** Largest number of significant figures of a price (integers are always allowed), null where only the tick counts. */
  readonly maxSignificantFigures: number | null;
  /**
   * Largest distance of a limit price from the venue's reference price, a fraction: 0.95 allows from 0.05 to 1.95 of
   * it; null: any price.
   */
  readonly priceBand: DecimalString | null;
  readonly leverageTiers: readonly LeverageTier[];
}

export interface Quote {
  readonly id: string;
  readonly symbol: string;
  readonly mark: DecimalString;
  readonly index: DecimalString;
  readonly mid: DecimalString;
  readonly bid: DecimalString;
  readonly ask: DecimalString;
  /** Price of the latest trade. */
  readonly last: DecimalString;
  readonly price24hAgo: DecimalString;
  readonly updatedAt: number;
}

export interface FundingRate {
  readonly id: string;
  readonly symbol: string;
  /** Rate per interval; positive: longs pay shorts. */
  readonly rate: DecimalString;
  readonly intervalHours: number;
  readonly nextFundingTime: number;
}

export interface MarketStats {
  readonly id: string;
  /** Volume of the last 24 hours, USD. */
  readonly volume24h: DecimalString;
  /** Open interest, USD. */
  readonly openInterest: DecimalString;
}

export type LegMode = (typeof LEG_MODES)[number];

export interface TradeLeg {
  readonly symbol: string;
  readonly side: Side;
  readonly mode: LegMode;
  readonly amount: DecimalString;
}

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
export type ExecutionOrigin = (typeof EXECUTION_ORIGINS)[number];
export type ExecutionIntent = (typeof EXECUTION_INTENTS)[number];
export type LegFailurePolicy = (typeof LEG_FAILURE_POLICIES)[number];

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * Why an order was refused, before sending by the gateway or afterwards by the venue, or that its outcome is not
 * known yet.
 */
export type OrderErrorCode = (typeof ORDER_ERROR_CODES)[number];
/** Why an execution ended: the first failing order's code, or a reason of the execution as a whole. */
export type ExecutionErrorCode =
  | OrderErrorCode
  | 'VALIDATION_ERROR'
  | 'CONFIGURATION_ERROR'
  | 'NOOP_ERROR'
  | 'AGENT_LIMIT'
  | 'CANCELLED'
  | 'GATEWAY_RESTARTED'
  | 'PAUSED'
  | 'AGENT_DISCONNECTED'
  | 'CLOSE_ONLY'
  | 'VENUE_DOWN'
  | 'ACCOUNT_DOWN';

/** One leg's order. Attempts (RETRY) share the row: `attempt` counts them and each has its own client order id. */
export interface Order {
  readonly id: string;
  readonly executionId: string;
  readonly tradeAccountId: string;
  readonly legIndex: number;
  readonly symbol: string;
  readonly side: Side;
  readonly mode: LegMode;
  /** Amount asked, in units of `mode`. */
  readonly amount: DecimalString;
  readonly reduceOnly: boolean;
  /** Quantity in base units; null until the order is sized. */
  readonly quantity: DecimalString | null;
  /** IOC limit of the latest attempt; null until the order is sized. */
  readonly limitPrice: DecimalString | null;
  /**
   * Worst price that the order's author agreed to: no attempt's limit is worse, even if the slippage would allow it;
   * null: none was agreed to.
   */
  readonly worstPrice: DecimalString | null;
  /** Mark that the quantity was worked out at; null until the order is sized, and for orders of earlier versions. */
  readonly sizedPrice: DecimalString | null;
  /** Quantity that the trader named for the leg, base units: the order brings the leg to it; null: none was named. */
  readonly targetQuantity: DecimalString | null;
  /** Number of the latest attempt, 0 before the first; each attempt was committed before it was sent. */
  readonly attempt: number;
  /** Client order id of the latest attempt, null while attempt is 0. */
  readonly clientOrderId: string | null;
  /** The venue refuses the latest attempt when it arrives after this time; null while attempt is 0. */
  readonly expiresAt: number | null;
  readonly venueOrderId: string | null;
  readonly status: OrderStatus;
  readonly filledQuantity: DecimalString;
  /** Quantity-weighted average; null while no quantity has filled. */
  readonly averagePrice: DecimalString | null;
  readonly error: string | null;
  readonly errorCode: OrderErrorCode | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Amount that an execution reserves from its holder's mandate. */
export interface Reserved {
  /** Worst-price notional, USD. */
  readonly usd: DecimalString;
  /** True: it counts as a requested order, once per request. */
  readonly asked: boolean;
}

export interface Execution extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  readonly type: 'MARKET';
  readonly origin: ExecutionOrigin;
  readonly intent: ExecutionIntent;
  readonly status: ExecutionStatus;
  readonly error: string | null;
  readonly errorCode: ExecutionErrorCode | null;
  readonly positionId: string | null;
  readonly clientId: string | null;
  readonly parentId: string | null;
  readonly onLegFailure: LegFailurePolicy;
  /** Slippage, a decimal fraction around the mark. */
  readonly slippage: DecimalString;
  /** null: no mandate binds the order's author, or nothing is reserved. */
  readonly reserved: Reserved | null;
  readonly createdAt: number;
  readonly activeAt: number | null;
  readonly finishedAt: number | null;
  readonly updatedAt: number;
  readonly orders: readonly Order[];
}

/**
 * Cause of a fill that the venue did not make. Except for an ADJUSTMENT, another fill of the same quantity and price on
 * the opposite side balances it; neither has a fee.
 * INTERNAL: between two baskets, or from a basket to the account's dust. CLOSED_OUTSIDE: a basket takes over fills of
 * trades outside Tandem against it. ADJUSTMENT: a quantity that the venue does not hold, for an unknown reason.
 */
export type TransferCause = 'INTERNAL' | 'CLOSED_OUTSIDE' | 'ADJUSTMENT';

/**
 * Cause of a change by the venue without a trade. ADL: auto-deleveraging, another trader's loss was covered by closing
 * this position. SETTLEMENT: the instrument expired. DELISTING: the venue closed all its positions.
 */
export type ForcedCause = 'ADL' | 'SETTLEMENT' | 'DELISTING';

/** BASELINE: the account's holding at the venue when it was connected, at its entry price; no trade was made then. */
export type FillCause = TransferCause | ForcedCause | 'BASELINE';

export interface Fill {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly executionId: string | null;
  readonly orderId: string | null;
  readonly positionId: string | null;
  readonly symbol: string;
  readonly side: Side;
  readonly price: DecimalString;
  readonly quantity: DecimalString;
  readonly notional: DecimalString;
  readonly fee: DecimalString;
  readonly feeAsset: string;
  readonly realizedPnl: DecimalString;
  readonly liquidity: (typeof LIQUIDITIES)[number];
  readonly venueOrderId: string | null;
  /** Trade id, unique per trade account. */
  readonly tradeId: string;
  /** Client order id; null for activity that is not the gateway's. */
  readonly cloid: string | null;
  readonly isLiquidation: boolean;
  readonly isProvisional: boolean;
  readonly timestamp: number;
  /** null: a trade, or a liquidation. */
  readonly cause: FillCause | null;
}

/**
 * A funding payment of one instrument, attributed to one position, or to holdings in no basket (`PAID_ON` of
 * portfolio.ts). Unique per (account, venue id, position).
 */
export interface FundingPayment {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly venueId: string;
  readonly positionId: string;
  readonly symbol: string;
  /** Amount in USD; positive = received. */
  readonly amount: DecimalString;
  readonly rate: DecimalString;
  readonly timestamp: number;
}

export type PositionStatus = (typeof POSITION_STATUSES)[number];

export interface PositionLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Quantity in base units, ≥ 0. */
  readonly quantity: DecimalString;
  /** Average entry price of the open quantity, '0' while nothing is open. */
  readonly entryPrice: DecimalString;
  /**
   * Cost of the open quantity, USD: kept exactly, so that the average does not depend on the order of fills.
   */
  readonly entryNotional: DecimalString;
  readonly realizedPnl: DecimalString;
  readonly feesPaid: DecimalString;
  /** Funding in USD; positive = paid by the holder. */
  readonly fundingPaid: DecimalString;
  /** Requested share of gross notional that was not given up; all legs sum to 1 (within 18 decimals). */
  readonly targetWeight: DecimalString;
  /** Requested base units that have not filled and were not given up; left out: none. */
  readonly unfilled?: DecimalString;
}

export interface Position {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  readonly status: PositionStatus;
  readonly origin: (typeof POSITION_ORIGINS)[number];
  /** Weighted ratio at entry, null while undefined. */
  readonly entryRatio: DecimalString | null;
  readonly legs: readonly PositionLeg[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
}

export interface LeverageSetting {
  readonly tradeAccountId: string;
  readonly symbol: string;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly updatedAt: number;
}

export interface User {
  readonly id: string;
  readonly email: string | null;
  /** argon2id PHC string, null for wallet-only users. */
  readonly passwordHash: string | null;
  /** EIP-55 address, null for e-mail users. */
  readonly walletAddress: string | null;
  readonly displayName: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly label: string;
  readonly scope: 'read' | 'read_write';
  readonly keyPrefix: string;
  /** SHA-256 hex of the key. */
  readonly keyHash: string;
  readonly tradeAccountIds: readonly string[] | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
}

export type TradeAccountStatus = (typeof TRADE_ACCOUNT_STATUSES)[number];

export interface TradeAccount {
  readonly id: string;
  readonly userId: string;
  readonly alias: string;
  readonly connector: string;
  readonly mode: (typeof ACCOUNT_MODES)[number];
  readonly exchangeIdentifier: string;
  readonly status: TradeAccountStatus;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type Principal =
  | {
      readonly kind: 'api_key';
      readonly userId: string;
      readonly keyId: string;
      readonly scope: 'read' | 'read_write';
      /** Accounts open to the key; null: every account of the user. */
      readonly tradeAccountIds: ReadonlySet<string> | null;
    }
  | { readonly kind: 'session'; readonly userId: string; readonly sessionId: string }
  | {
      readonly kind: 'oauth_grant';
      readonly userId: string;
      readonly grantId: string;
      readonly clientId: string;
      readonly scopes: readonly string[];
    };
