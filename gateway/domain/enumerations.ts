/**
 * Enumerations of the wire: the contract lists them, and types of the domain are made of them. Constants alone, because
 * browsers load this file. The order is that of the API description.
 */
export const SIDES = ['BUY', 'SELL'] as const;
export const MARGIN_MODES = ['cross', 'isolated'] as const;
export const LEG_MODES = ['USD', 'BASE', 'WEIGHT'] as const;
export const ACCOUNT_MODES = ['PAPER', 'LIVE'] as const;
export const NETWORKS = ['mainnet', 'testnet'] as const;
export const TRADE_ACCOUNT_STATUSES = ['READY', 'NO_CREDENTIALS', 'INVALID_CREDENTIALS', 'DEGRADED'] as const;
export const TRADEABILITY_STATUSES = ['tradable', 'reduce_only', 'not_tradable'] as const;
export const AUTHORITY_KINDS = ['session', 'api_key', 'oauth_grant'] as const;
export const EXECUTION_STATUSES = ['IDLE', 'ACTIVE', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export const EXECUTION_ORIGINS = ['API', 'TRIGGER', 'SCHEDULE', 'LADDER', 'REBALANCE', 'BRACKET'] as const;
export const EXECUTION_INTENTS = ['OPEN', 'ADJUST', 'REDUCE', 'CLOSE', 'REVERSE'] as const;
export const LEG_FAILURE_POLICIES = ['KEEP', 'UNWIND', 'RETRY'] as const;
export const ORDER_STATUSES = ['PENDING', 'PARTIAL', 'FILLED', 'CANCELLED', 'REJECTED'] as const;
export const ORDER_ERROR_CODES = [
  'MIN_NOTIONAL',
  'ZERO_QUANTITY',
  'MIN_QUANTITY',
  'MAX_QUANTITY',
  /** No price that reaches the market, inside its slippage, is within the venue's band. */
  'PRICE_BAND',
  'INSUFFICIENT_MARGIN',
  'NOT_TRADABLE',
  'REDUCE_ONLY',
  'PRICE_STALE',
  'CREDENTIALS_MISSING',
  'RISK_LIMIT',
  'VENUE_REJECTED',
  'SLIPPAGE_EXCEEDED',
  'UNKNOWN_OUTCOME',
  /** The venue could not be reached in time, or took no more requests: it does not have the order. */
  'NOT_SENT',
  /** The venue denies the order, yet its position has changed by something that no known fill explains. */
  'NEEDS_REVIEW',
  /**
   * The venue does not hold the quantity that the basket records, and the venue's history does not say why yet.
   */
  'UNDER_REVIEW',
  /** Refusals by a live account's limits (`account-limits.ts`). */
  'ACCOUNT_NOT_ARMED',
  'CALLER_NOT_ALLOWED',
  'CAP_EXCEEDED',
] as const;
export const LIQUIDITIES = ['MAKER', 'TAKER'] as const;
export const POSITION_STATUSES = ['OPEN', 'CLOSED'] as const;
export const POSITION_ORIGINS = ['GATEWAY', 'MIXED', 'EXTERNAL'] as const;
export const TRADE_STEP_KINDS = ['OPEN', 'INCREASE', 'REDUCE', 'CLOSE', 'LIQUIDATION'] as const;
export const DIRECTIONS = ['MORE_THAN', 'LESS_THAN'] as const;
export const PRICE_SOURCES = ['MARK', 'LAST', 'INDEX'] as const;
export const TRIGGER_STATUSES = [
  'ACTIVE',
  'PAUSED',
  'TRIGGERED',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const;
export const TRIGGER_PAUSE_REASONS = [
  'USER',
  'FEED_STALE',
  'OTHER_BRACKET',
  'AGENT_LIMIT',
  'LEG_IMBALANCE',
] as const;
export const MISSED_TRIGGER_POLICIES = ['FIRE', 'SKIP'] as const;
export const BRACKET_KINDS = ['TAKE_PROFIT', 'STOP_LOSS'] as const;
export const BRACKET_METRICS = [
  'PERCENTAGE',
  'DOLLAR',
  'POSITION_VALUE',
  'PRICE',
  'PRICE_RATIO',
  'WEIGHTED_RATIO',
] as const;
export const BRACKETS_MODES = ['KEEP', 'REPLACE'] as const;
export const DROPPED_BRACKET_REASONS = ['ASKED', 'ABSOLUTE_LEVEL', 'OPPOSITE_POSITION_HAS_ONE'] as const;
export const PAUSED_BY = ['USER', 'AGENT'] as const;
export const SCHEDULE_STATUSES = [
  'ACTIVE',
  'PAUSED',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'STOPPED_BY_BRACKET',
  'CANCELLED',
  'FAILED',
] as const;
export const SCHEDULE_PAUSE_REASONS = [
  'USER',
  'MISSED_SLICES',
  'FEED_STALE',
  'AGENT_LIMIT',
  'LEG_IMBALANCE',
] as const;
export const SLICE_STATUSES = [
  'PENDING',
  'EXECUTING',
  'COMPLETED',
  'FAILED',
  'SKIPPED',
  'CANCELLED',
] as const;
export const MISSED_SLICE_POLICIES = ['CATCH_UP', 'SKIP', 'PAUSE'] as const;
export const AFTER_BRACKET_POLICIES = ['STOP', 'GO_ON'] as const;
export const LADDER_STATUSES = [
  'ACTIVE',
  'COMPLETED',
  'PARTIALLY_COMPLETED',
  'CANCELLED',
  'FAILED',
  'EXPIRED',
] as const;
export const LADDER_METRICS = ['WEIGHTED_RATIO', 'PRICE_RATIO', 'PRICE'] as const;
export const LADDER_DISTRIBUTIONS = ['LINEAR', 'GEOMETRIC'] as const;
export const LADDER_SIZINGS = ['EQUAL', 'INCREASING', 'DECREASING'] as const;
export const REBALANCE_MODES = ['TARGET_WEIGHTS', 'LIVE_BETA'] as const;
export const REBALANCE_ACTIONS = ['NOTIFY', 'TRADE'] as const;
export const REBALANCE_TIMEFRAMES = ['1h', '4h', '1d'] as const;
export const AUTO_REBALANCE_STATUSES = ['ACTIVE', 'PAUSED', 'ENDED'] as const;
export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN'] as const;
export const APPROVAL_REASONS = [
  'ALWAYS',
  'ABOVE',
  'KIND',
  'FIRST_ON_ACCOUNT',
  'FIRST_OF_INSTRUMENT',
  'FIRST_LIVE',
  'DUPLICATE',
  /** It makes the protection of a position smaller. */
  'LOOSENS',
] as const;
export const MANDATE_KINDS = [
  'now',
  'when',
  'over_time',
  'ladder',
  'protect',
  'rebalance',
  'reverse',
  'margin',
] as const;
export const MANDATE_RIGHTS = [
  'readCredentials',
  'manageAccounts',
  'exchangeSetup',
  'changeLeverage',
  'attributeTrades',
] as const;
export const PANIC_STATUSES = ['CLOSING', 'FLAT', 'ENDED'] as const;
export const LEFT_OPEN_SOURCES = ['BASKET', 'DUST', 'OUTSIDE', 'UNEXPLAINED'] as const;
export const AUDIT_METHODS = [
  'password',
  'wallet',
  'link',
  'session',
  'api_key',
  'oauth_grant',
  'oauth_client',
  /** The gateway itself, asked by nobody. */
  'gateway',
] as const;
export const MESSAGE_KINDS = ['FILLED', 'FAILED', 'CLOSED', 'FIRED', 'APPROVAL', 'TROUBLE', 'OTHER'] as const;
export const DELIVERY_STATUSES = ['PENDING', 'RETRYING', 'DELIVERED', 'FAILED'] as const;
export const WEIGHTINGS = ['EQUAL', 'VOLATILITY_NEUTRAL', 'BETA_NEUTRAL', 'HEDGE_RATIO'] as const;
export const WEIGHTING_GAPS = ['TOO_FEW_OBSERVATIONS', 'ONE_SIDE', 'NOT_POSITIVE', 'STOOD_STILL'] as const;
export const PAIR_GAPS = ['TOO_FEW_OBSERVATIONS', 'LONG_CONSTANT', 'SHORT_CONSTANT', 'NO_SPREAD'] as const;
export const HALF_LIFE_GAPS = ['DOES_NOT_REVERT', 'OSCILLATES'] as const;
export const NOTIFICATION_CATEGORIES = [
  'TAKE_PROFIT_HIT',
  'TAKE_PROFIT_FAILED',
  'STOP_LOSS_HIT',
  'STOP_LOSS_FAILED',
  'STOP_LOSS_NOT_SET',
  'PROTECTION_LOOSENED',
  'TRIGGER_EXECUTED',
  'TRIGGER_FAILED',
  'TRIGGER_EXPIRED',
  'ALERT_HIT',
  'ALERT_EXPIRED',
  'SCHEDULE_COMPLETED',
  'SCHEDULE_FAILED',
  'SCHEDULE_STOPPED',
  'PLAN_PAUSED_LEG_IMBALANCE',
  'LADDER_COMPLETED',
  'REBALANCE_DRIFT',
  'REBALANCE_EXECUTED',
  'LEG_IMBALANCE',
  'REVERSAL_FAILED',
  'EXTERNAL_OPEN',
  'EXTERNAL_CLOSE',
  'LIQUIDATION_NEAR',
  'POSITION_LIQUIDATED',
  'CONNECTOR_DEGRADED',
  'CONNECTOR_RECOVERED',
  'INSTRUMENT_RESTRICTED',
  'CLOCK_CHANGED',
  'VENUE_HISTORY_LOST',
  'ORDER_NEEDS_REVIEW',
  'CREDENTIALS_REFUSED',
  'CREDENTIALS_EXPIRING',
  'ACCOUNT_MODE_CHANGED',
  'OTHER_PROGRAM_TRADES',
  'DISK_SPACE',
  'APPROVAL_NEEDED',
  'APPROVAL_EXPIRED',
  'AGENT_CONNECTED',
  'AGENT_REVOKED',
  'AGENT_SUSPENDED',
  'AGENT_LIMIT',
  'PANIC_FLAT',
  'PANIC_INCOMPLETE',
] as const;
